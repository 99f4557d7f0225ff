#include "reader/packed/tar_header.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace perfsift::reader {
namespace {

using namespace std::string_view_literals;

// The fields of struct posix_header in POSIX.1-1988, 10.1.1.
struct Field {
  std::size_t at = 0, size = 0;
};
constexpr Field name_field{0, 100}, mode_field{100, 8}, user_field{108, 8}, group_field{116, 8}, size_field{124, 12},
    time_field{136, 12}, sum_field{148, 8}, type_field{156, 1}, magic_field{257, 8}, prefix_field{345, 155};

constexpr auto ustar_magic = "ustar\00000"sv;
constexpr char regular_file = '0';
constexpr char old_regular_file = '\0';  // of tar before POSIX

std::string_view text_of(Bytes header, Field field) {
  return {reinterpret_cast<const char*>(header.data()) + field.at, field.size};
}
std::string_view string_in(Bytes header, Field field) { return c_string(header.subspan(field.at, field.size)); }

void put(TarHeader& header, Field field, std::string_view text) {
  std::ranges::copy(std::as_bytes(std::span(text)), header.begin() + static_cast<std::ptrdiff_t>(field.at));
}
void put_octal(TarHeader& header, Field field, std::uint64_t number) {
  put(header, field, fmt::format("{:0{}o}", number, field.size - 1));
}

// Octal digits, which a space or a NUL ends.
std::optional<std::uint64_t> octal_in(Bytes header, Field field) {
  std::uint64_t number = 0;
  std::size_t digits = 0;
  for (const char c : text_of(header, field)) {
    if (c == ' ' || c == '\0') break;
    if (c < '0' || c > '7') return std::nullopt;
    number = number * 8 + static_cast<std::uint64_t>(c - '0');
    ++digits;
  }
  return digits != 0 ? std::optional(number) : std::nullopt;
}

// The sum of all bytes, with spaces in place of the sum.
std::uint64_t sum_of(Bytes header) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const bool in_sum = i >= sum_field.at && i < sum_field.at + sum_field.size;
    sum += in_sum ? ' ' : static_cast<std::uint64_t>(header[i]);
  }
  return sum;
}

std::string_view word_for_type(char type) {
  switch (type) {
    case '1':
    case '2':
      return "a link";
    case '3':
    case '4':
      return "a device";
    case '5':
      return "a folder";
    case '6':
      return "a pipe";
    default:
      return "something else than a file";
  }
}

// A long name is split at a slash.
struct SplitName {
  std::string_view prefix, name;
};
std::optional<SplitName> split(std::string_view name) {
  if (name.size() <= name_field.size) return SplitName{{}, name};
  const std::size_t earliest = name.size() - name_field.size - 1;
  const std::size_t slash = name.find('/', earliest);
  if (slash == std::string_view::npos || slash > prefix_field.size || slash + 1 == name.size()) return std::nullopt;
  return SplitName{name.substr(0, slash), name.substr(slash + 1)};
}

}  // namespace

std::optional<TarHeader> encode_tar_header(const TarMember& member) {
  const auto names = split(member.name);
  if (!names || member.size > largest_tar_member) return std::nullopt;
  TarHeader header{};
  put(header, name_field, names->name);
  put_octal(header, mode_field, 0644);
  put_octal(header, user_field, 0);
  put_octal(header, group_field, 0);
  put_octal(header, size_field, member.size);
  put_octal(header, time_field, static_cast<std::uint64_t>(std::max<std::int64_t>(member.modified_seconds, 0)));
  put(header, type_field, std::string_view(&regular_file, 1));
  put(header, magic_field, ustar_magic);
  put(header, prefix_field, names->prefix);
  put(header, sum_field, fmt::format("{:06o}\0 "sv, sum_of(header)));
  return header;
}

ReadTarHeader parse_tar_header(Bytes header) {
  if (header.size() < tar_block) return {.member = {}, .why = "the archive is cut off"};
  header = header.first(tar_block);
  const auto sum = octal_in(header, sum_field);
  if (!sum || *sum != sum_of(header)) return {.member = {}, .why = "a header of the archive is damaged"};
  if (text_of(header, magic_field) != ustar_magic)
    return {.member = {}, .why = "the archive is not of the form ustar (tar --format=ustar)"};
  std::string name(string_in(header, prefix_field));
  if (!name.empty()) name += '/';
  name += string_in(header, name_field);
  const char type = text_of(header, type_field).front();
  if (type != regular_file && type != old_regular_file)
    return {.member = {}, .why = fmt::format("'{}' in it is {}", name, word_for_type(type))};
  const auto size = octal_in(header, size_field), time = octal_in(header, time_field);
  if (!size || *size > largest_tar_member || !time)
    return {.member = {}, .why = fmt::format("the size of '{}' in it is damaged", name)};
  return {.member = TarMember{.name = std::move(name),
                              .size = *size,
                              .modified_seconds = static_cast<std::int64_t>(*time & largest_tar_member)},
          .why = {}};
}

bool begins_with_tar_member(Bytes first, std::string_view name) {
  return first.size() >= tar_block && text_of(first, magic_field).starts_with("ustar") &&
         string_in(first, name_field) == name;
}

}  // namespace perfsift::reader
