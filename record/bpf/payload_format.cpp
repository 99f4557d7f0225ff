#include "record/bpf/payload_format.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "reader/tracepoint/field_content.h"
#include "reader/writer/features/tracing_data.h"

namespace perfsift::record {

namespace {

using filter::Number;

constexpr std::size_t size_of_common = 8, size_of_number = 8;
constexpr unsigned bits_of_byte = 8;

bool is_bit_field(const PayloadField& field) { return field.bit_size != 0; }

// Bits count from the lowest on little-endian machines, from the highest on others.
std::uint64_t bits_in(const PayloadField& field, Bytes bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < field.bit_size; ++i) {
    const unsigned at = field.bit_offset + i;
    const auto byte = std::to_integer<unsigned>(bytes[at / bits_of_byte]);
    if constexpr (std::endian::native == std::endian::little) {
      value |= std::uint64_t{byte >> at % bits_of_byte & 1} << i;
    } else {
      value = value << 1 | (byte >> (bits_of_byte - 1 - at % bits_of_byte) & 1);
    }
  }
  const bool is_negative = field.is_signed && (value >> (field.bit_size - 1) & 1) != 0;
  return is_negative && field.bit_size < 64 ? value | ~std::uint64_t{0} << field.bit_size : value;
}

Number number_of(std::uint64_t bits, bool is_signed) {
  return is_signed ? Number::of_signed(static_cast<std::int64_t>(bits)) : Number::of(bits);
}

std::vector<Number> numbers_in(const PayloadField& field, Bytes bytes) {
  std::vector<Number> numbers;
  for (std::size_t at = 0; at + field.element_size <= bytes.size(); at += field.element_size) {
    const auto bits = reader::field_number(bytes.subspan(at, field.element_size), field.is_signed, ByteOrder::native);
    numbers.push_back(number_of(bits.value_or(0), field.is_signed));
  }
  return numbers;
}

// A name in a description: letters, digits and _.
std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += is_plain ? c : '_';
  }
  return name.empty() ? "payload" : name;
}

std::string number_type(std::size_t size, bool is_signed) {
  return fmt::format("{}{}", is_signed ? 's' : 'u', size * bits_of_byte);
}

// "u32 args[6]"
std::string declaration(const PayloadField& field) {
  switch (field.form) {
    case PayloadForm::text:
      return fmt::format("char {}[{}]", field.name, field.size);
    case PayloadForm::numbers:
      return fmt::format("{} {}[{}]", number_type(field.element_size, field.is_signed), field.name,
                         field.size / field.element_size);
    case PayloadForm::bytes:
      return fmt::format("u8 {}[{}]", field.name, field.size);
    case PayloadForm::address:
      return fmt::format("void * {}", field.name);
    default:
      return fmt::format("{} {}", number_type(is_bit_field(field) ? size_of_number : field.size, field.is_signed),
                         field.name);
  }
}

const char* conversion(const PayloadField& field) {
  if (field.form == PayloadForm::address) return "0x%llx";
  const bool is_text = field.form != PayloadForm::number && field.form != PayloadForm::truth;
  if (is_text || !field.names.empty()) return "%s";
  const bool is_long = is_bit_field(field) || field.size == size_of_number;
  if (is_long) return field.is_signed ? "%lld" : "%llu";
  return field.is_signed ? "%d" : "%u";
}

// libtraceevent, by which perf prints, takes small signed numbers for unsigned ones, so that the condition is true only
// there.
std::string number_argument(const PayloadField& field, const std::string& place) {
  const bool is_small = !is_bit_field(field) && field.size < sizeof(std::int32_t);
  if (!field.is_signed || !is_small) return place;
  const std::uint32_t sign = std::uint32_t{1} << (field.size * bits_of_byte - 1);
  return fmt::format("{} > {} ? {} - {} : {}", place, sign - 1, place, 2 * sign, place);
}

// A negative value stands there twice: libtraceevent compares it as an unsigned one of the size of the field.
std::string enumerator(const PayloadField& field, std::int64_t value, const std::string& name) {
  std::string text = fmt::format(", {{ {}, \"{}\" }}", value, name);
  if (value >= 0 || is_bit_field(field) || field.size >= sizeof value) return text;
  const std::uint64_t mask = (std::uint64_t{1} << field.size * bits_of_byte) - 1;
  return text + fmt::format(", {{ {}, \"{}\" }}", static_cast<std::uint64_t>(value) & mask, name);
}

std::string argument(const PayloadField& field) {
  const std::string place = fmt::format("REC->{}", field.name);
  if (field.form == PayloadForm::numbers)
    return fmt::format("__print_array({}, {}, {})", place, field.size / field.element_size, field.element_size);
  if (field.form == PayloadForm::bytes) return fmt::format("__print_hex({}, {})", place, field.size);
  if (field.names.empty()) return number_argument(field, place);
  std::string text = fmt::format("__print_symbolic({}", place);
  for (const auto& [value, name] : field.names) text += enumerator(field, value, name);
  return text + ")";
}

// The text of the file `format` in tracefs. `places`: of the fields in the raw data.
std::string described(const std::string& name, const PayloadLayout& layout, const std::vector<std::size_t>& places) {
  std::string fields, print, arguments;
  for (std::size_t i = 0; i < layout.fields.size(); ++i) {
    const PayloadField& field = layout.fields[i];
    fields += fmt::format("\tfield:{};\toffset:{};\tsize:{};\tsigned:{};\n", declaration(field), places[i],
                          is_bit_field(field) ? size_of_number : field.size, field.is_signed ? 1 : 0);
    print += fmt::format("{}{}={}", print.empty() ? "" : " ", field.name, conversion(field));
    arguments += fmt::format(", {}", argument(field));
  }
  return reader::made_format(name, PayloadFormat::tracepoint_id, fields, print, arguments);
}

std::size_t payload_begins(const PayloadLayout& layout) {
  return size_of_common + size_of_number * static_cast<std::size_t>(std::ranges::count_if(layout.fields, is_bit_field));
}

std::vector<std::size_t> places_of(const PayloadLayout& layout) {
  std::vector<std::size_t> places;
  std::size_t word = size_of_common;
  const std::size_t payload = payload_begins(layout);
  for (const PayloadField& field : layout.fields)
    places.push_back(is_bit_field(field) ? std::exchange(word, word + size_of_number) : payload + field.offset);
  return places;
}

}  // namespace

PayloadValue payload_value(const PayloadField& field, Bytes payload) {
  if (field.offset > payload.size() || field.size > payload.size() - field.offset) return {};
  const Bytes bytes = payload.subspan(field.offset, field.size);
  if (is_bit_field(field)) return number_of(bits_in(field, bytes), field.is_signed);
  if (field.form == PayloadForm::text) return c_string(bytes);
  if (field.form == PayloadForm::numbers) return numbers_in(field, bytes);
  const auto number =
      field.form == PayloadForm::bytes ? std::nullopt : reader::field_number(bytes, field.is_signed, ByteOrder::native);
  return number ? PayloadValue(number_of(*number, field.is_signed)) : PayloadValue(bytes);
}

const std::string* name_of_value(const PayloadField& field, Number value) {
  const auto found = std::ranges::find_if(
      field.names, [&](const auto& one) { return static_cast<std::uint64_t>(one.first) == value.bits; });
  return found != field.names.end() ? &found->second : nullptr;
}

PayloadFormat::PayloadFormat(PayloadLayout layout, std::string_view name)
    : layout_(std::move(layout)),
      event_name_(fmt::format("{}:{}", system, as_name(name))),
      payload_at_(payload_begins(layout_)),
      description_({.system = system, .text = described(as_name(name), layout_, places_of(layout_))}),
      formats_(reader::TracepointFormats::describe({description_})) {
  if (formats_.find(std::int32_t{tracepoint_id}) == nullptr)
    throw Error(fmt::format("the fields of {} cannot be described", layout_.type));
}

void PayloadFormat::append_raw(Bytes payload, std::int32_t tid, std::vector<std::byte>& raw) const {
  const Bytes known = payload.first(std::min(payload.size(), layout_.size));
  const std::size_t begin = raw.size();
  raw.resize(begin + payload_at_);
  std::memcpy(raw.data() + begin, &tracepoint_id, sizeof tracepoint_id);
  std::memcpy(raw.data() + begin + sizeof(std::uint32_t), &tid, sizeof tid);
  std::size_t word = begin + size_of_common;
  for (const PayloadField& field : layout_.fields) {
    if (!is_bit_field(field)) continue;
    const PayloadValue value = payload_value(field, known);
    const Number* const number = std::get_if<Number>(&value);
    const std::uint64_t bits = number != nullptr ? number->bits : 0;
    std::memcpy(raw.data() + word, &bits, sizeof bits);
    word += size_of_number;
  }
  raw.insert(raw.end(), known.begin(), known.end());
}

Bytes PayloadFormat::payload_in(Bytes raw) const {
  const Bytes payload = raw.subspan(std::min(payload_at_, raw.size()));
  return payload.first(std::min(payload.size(), layout_.size));
}

}  // namespace perfsift::record
