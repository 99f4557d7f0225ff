#include "reader/tracepoint/print/byte_texts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfsift::reader::print {

namespace {

using Octets = std::vector<unsigned>;

Octets octets(Bytes bytes) {
  Octets numbers(bytes.size());
  std::ranges::transform(bytes, numbers.begin(), [](std::byte byte) { return std::to_integer<unsigned>(byte); });
  return numbers;
}

bool is_big_endian(ByteOrder order) {
  return (order == ByteOrder::native) == (std::endian::native == std::endian::big);
}

bool bit_is_set(Bytes mask, std::size_t bit, ByteOrder order, unsigned long_size) {
  std::size_t byte = bit / 8;
  if (is_big_endian(order)) byte = byte / long_size * long_size + (long_size - 1 - byte % long_size);
  return byte < mask.size() && (std::to_integer<unsigned>(mask[byte]) >> (bit % 8) & 1U) != 0;
}

std::string ipv4(Bytes bytes, std::string_view format, bool reverse) {
  auto numbers = octets(bytes);
  if (reverse) std::ranges::reverse(numbers);
  return fmt::format(fmt::runtime(format), numbers[0], numbers[1], numbers[2], numbers[3]);
}

// A letter of "hnbl" in the style gives the order of the bytes.
std::string ipv4(Bytes bytes, std::string_view style, ByteOrder order) {
  const bool little = style.find('l') != std::string_view::npos;
  const bool host = style.find('h') != std::string_view::npos;
  const auto* const format = style.front() == 'i' ? "{:03}.{:03}.{:03}.{:03}" : "{}.{}.{}.{}";
  return ipv4(bytes, format, little || (host && !is_big_endian(order)));
}

using Words = std::array<unsigned, 8>;

Words words_of(Bytes bytes) {
  const Octets numbers = octets(bytes);
  Words words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = numbers[2 * i] << 8 | numbers[2 * i + 1];
  return words;
}

struct Run {
  std::size_t begin = 0, length = 0;
};

// The first of the longest runs of zeros.
Run longest_zeros(const Words& words, std::size_t count) {
  Run longest, run;
  for (std::size_t i = 0; i < count; ++i) {
    run = words[i] != 0 ? Run{.begin = i + 1} : Run{.begin = run.begin, .length = run.length + 1};
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

// ip6_compressed_string().
std::string compressed_ipv6(Bytes bytes) {
  const Words words = words_of(bytes);
  const bool mapped =
      std::all_of(words.begin(), words.begin() + 5, [](unsigned word) { return word == 0; }) && words[5] == 0xffff;
  const bool isatap = (words[4] | 0x0200U) == 0x0200 && words[5] == 0x5efe;
  const std::size_t count = mapped || isatap ? 6 : 8;
  const Run zeros = longest_zeros(words, count);
  std::string text;
  for (std::size_t i = 0; i < count;) {
    if (zeros.length > 1 && i == zeros.begin) {
      text += "::";
      i += zeros.length;
    } else {
      if (!text.empty() && !text.ends_with("::")) text += ':';
      text += fmt::format("{:x}", words[i++]);
    }
  }
  if (count == 8) return text;
  if (!text.ends_with("::")) text += ':';
  return text + ipv4(bytes.subspan(12), "{}.{}.{}.{}", false);
}

std::string ipv6(Bytes bytes, std::string_view style) {
  const bool colons = style.front() == 'I';
  if (colons && style.find('c') != std::string_view::npos) return compressed_ipv6(bytes);
  return fmt::format("{:04x}", fmt::join(words_of(bytes), colons ? ":" : ""));
}

// A struct sockaddr_in or sockaddr_in6.
std::optional<std::string> socket_address(Bytes bytes, std::string_view style, ByteOrder order) {
  const bool with_port = style.find('p') != std::string_view::npos;
  ByteReader in(bytes, order);
  const std::uint16_t family = in.u16();
  const unsigned high = in.u8();
  const unsigned port = high << 8 | in.u8();
  if (!in.ok()) return std::nullopt;
  if (family == 2) {
    const Bytes address = in.bytes(4);
    if (!in.ok()) return std::nullopt;
    const auto text = ipv4(address, style, order);
    return with_port ? fmt::format("{}:{}", text, port) : text;
  }
  if (family == 10) {
    in.skip(4);  // the flow label
    const Bytes address = in.bytes(16);
    if (!in.ok()) return std::nullopt;
    const auto text = ipv6(address, style);
    return with_port ? fmt::format("[{}]:{}", text, port) : text;
  }
  return std::string{};  // of an unknown family: perf prints nothing
}

}  // namespace

std::string bytes_in_hex(Bytes bytes, std::string_view separator) {
  return fmt::format("{:02x}", fmt::join(octets(bytes), separator));
}

std::string bits_in_hex(Bytes mask, ByteOrder order, unsigned long_size) {
  std::string text;
  for (std::size_t byte = mask.size(); byte-- > 0;) {
    unsigned value = 0;
    for (std::size_t bit = 0; bit < 8; ++bit)
      value |= bit_is_set(mask, 8 * byte + bit, order, long_size) ? 1U << bit : 0U;
    text += fmt::format("{:02x}", value);
    if (byte != 0 && byte % 4 == 0) text += ',';
  }
  return text;
}

std::string ranges_of_bits(Bytes mask, ByteOrder order, unsigned long_size, std::size_t limit) {
  std::string text;
  const std::size_t bits = std::min(limit, mask.size() * 8);
  const auto is_set = [&](std::size_t bit) { return bit < bits && bit_is_set(mask, bit, order, long_size); };
  for (std::size_t first = 0; first < bits; ++first) {
    if (!is_set(first)) continue;
    std::size_t last = first;
    while (is_set(last + 1)) ++last;
    text += text.empty() ? "" : ",";
    text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    first = last;
  }
  return text;
}

std::optional<std::string> mac_address(Bytes bytes, std::string_view style) {
  if (bytes.size() < 6) return std::nullopt;
  auto numbers = octets(bytes.first(6));
  if (style.ends_with('R')) std::ranges::reverse(numbers);
  const auto* const separator = style.starts_with('m') ? "" : style.ends_with('F') ? "-" : ":";
  return fmt::format("{:02x}", fmt::join(numbers, separator));
}

std::optional<std::string> ip_address(Bytes bytes, std::string_view style, ByteOrder order) {
  if (style.size() < 2) return std::nullopt;
  switch (style[1]) {
    case '4':
      return bytes.size() >= 4 ? std::optional(ipv4(bytes.first(4), style, order)) : std::nullopt;
    case '6':
      return bytes.size() >= 16 ? std::optional(ipv6(bytes.first(16), style)) : std::nullopt;
    default:
      return socket_address(bytes, style, order);
  }
}

std::optional<std::string> uuid(Bytes bytes, std::string_view style) {
  if (bytes.size() < 16) return std::nullopt;
  auto numbers = octets(bytes.first(16));
  const char form = style.size() > 1 ? style[1] : 'b';
  if (form == 'l' || form == 'L') {  // a GUID: the first three parts are little-endian
    std::reverse(numbers.begin(), numbers.begin() + 4);
    std::reverse(numbers.begin() + 4, numbers.begin() + 6);
    std::reverse(numbers.begin() + 6, numbers.begin() + 8);
  }
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", numbers[i]);
  if (form == 'B' || form == 'L')
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace perfsift::reader::print
