#include "record/bpf/payload_layout.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace perfsift::record {

namespace {

constexpr int deepest = 16;
constexpr std::uint32_t most_elements = 32;  // of arrays whose elements become fields
constexpr std::size_t most_steps = 16384;    // members and elements, of all structs together
constexpr std::size_t most_name_bytes = 80;
constexpr std::size_t most_enumerators = 256;            // of one field
constexpr std::size_t most_enumerator_bytes = 64 << 10;  // of all fields
constexpr std::size_t bytes_around_enumerator = 32;      // in a description of a tracepoint
constexpr unsigned bits_in_byte = 8, most_bits = 64;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) && name.size() <= most_name_bytes &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
}

// A name of BTF as an identifier: other characters become _.
std::string as_identifier(std::string_view name) {
  std::string result(name.substr(0, most_name_bytes));
  for (char& c : result) {
    if (!is_letter(c) && !is_digit(c)) c = '_';
  }
  return result;
}

// Walks over a type and its members. Sizes, depth and steps are bounded, because the types may be anybody's.
class LayoutWalk {
 public:
  LayoutWalk(const Btf& types, PayloadLayout& layout) : types_(types), layout_(layout) {}

  void add(std::uint32_t type, const std::string& name, std::uint64_t offset, int depth) {
    if (is_full()) return say_too_many();
    ++steps_;
    const auto found = types_.resolved(type);
    const auto size = types_.size_of(type, layout_.size);
    if (!found || !size || offset > layout_.size || *size > layout_.size - offset) {
      return leave_out(name, "it has no size, or lies outside the payload");
    }
    if (*size == 0) return leave_out(name, "its length is not known");
    add_sized(
        types_.type(*found), name,
        Place{.offset = static_cast<std::size_t>(offset), .size = static_cast<std::size_t>(*size), .depth = depth});
  }

 private:
  struct Place {
    std::size_t offset = 0, size = 0;
    int depth = 0;
  };

  bool is_full() const { return steps_ > most_steps || layout_.fields.size() >= most_payload_fields; }

  void add_sized(const BtfType& type, const std::string& name, const Place& place) {
    switch (type.kind) {
      case BtfKind::structure:
      case BtfKind::union_:
        return add_members(type, name, place);
      case BtfKind::array:
        return add_array(type, name, place);
      case BtfKind::integer:
      case BtfKind::pointer:
      case BtfKind::enumeration:
      case BtfKind::enumeration64:
      case BtfKind::floating:
        return add_number(type, name, place);
      default:
        return add_bytes(name, place);
    }
  }

  void add_members(const BtfType& type, const std::string& name, const Place& place) {
    if (place.depth >= deepest) return add_bytes(name, place);
    steps_ += type.count;  // also those that are left out take time
    for (const BtfMember& member : types_.members(type)) {
      if (is_full()) return say_too_many();
      const std::string full = member_name(name, member.name);
      const std::uint64_t bit = place.offset * std::uint64_t{bits_in_byte} + member.bit_offset;
      if (const auto integer = bit_field(member)) {
        add_bit_field(*integer, full, bit, member);
      } else {
        add(member.type, full, bit / bits_in_byte, place.depth + 1);
      }
    }
  }

  // Old compilers put the size of a bit field into an integer type of its own.
  std::optional<BtfType> bit_field(const BtfMember& member) const {
    const auto found = types_.resolved(member.type);
    if (!found) return std::nullopt;
    const BtfType& type = types_.type(*found);
    const BtfInteger integer = types_.integer(type);
    const bool is_odd_integer =
        type.kind == BtfKind::integer &&
        (integer.bits != type.size_or_type * std::uint64_t{bits_in_byte} || integer.bit_offset != 0);
    const bool can_be =
        type.kind == BtfKind::integer || type.kind == BtfKind::enumeration || type.kind == BtfKind::enumeration64;
    const bool is_aligned = member.bit_offset % bits_in_byte == 0;
    return can_be && (member.bit_size != 0 || is_odd_integer || !is_aligned) ? std::optional(type) : std::nullopt;
  }

  void add_bit_field(const BtfType& type, const std::string& name, std::uint64_t bit, const BtfMember& member) {
    const BtfInteger integer = types_.integer(type);
    const unsigned size = member.bit_size != 0 ? member.bit_size : integer.bits;
    const std::uint64_t from = bit + (member.bit_size != 0 ? 0 : integer.bit_offset);
    const std::uint64_t end = from + size;
    if (size == 0 || size > most_bits || end > layout_.size * std::uint64_t{bits_in_byte})
      return leave_out(name, "its bits lie outside the payload");
    PayloadField field{.name = own_name(name)};
    field.offset = static_cast<std::size_t>(from / bits_in_byte);
    field.size = static_cast<std::size_t>((end + bits_in_byte - 1) / bits_in_byte) - field.offset;
    field.bit_offset = static_cast<unsigned>(from % bits_in_byte);
    field.bit_size = size;
    field.is_signed = integer.is_signed;
    add_names(type, field);
    layout_.fields.push_back(std::move(field));
  }

  void add_number(const BtfType& type, const std::string& name, const Place& place) {
    const bool is_number = place.size == 1 || place.size == 2 || place.size == 4 || place.size == 8;
    if (!is_number) return add_bytes(name, place);
    PayloadField field{.name = own_name(name), .offset = place.offset, .size = place.size};
    field.is_signed = types_.integer(type).is_signed;
    if (type.kind == BtfKind::pointer) field.form = PayloadForm::address;
    if (types_.integer(type).is_bool) field.form = PayloadForm::truth;
    add_names(type, field);
    layout_.fields.push_back(std::move(field));
  }

  // Elements of arrays in arrays are those of one array, unless they are texts.
  void add_array(const BtfType& type, const std::string& name, const Place& place) {
    const BtfArray array = types_.array(type);
    const auto element = types_.resolved(array.element);
    const auto element_size = types_.size_of(array.element, place.size);
    if (!element || !element_size || *element_size == 0) return add_bytes(name, place);
    const BtfType& inner = types_.type(*element);
    if (inner.kind == BtfKind::integer && *element_size == 1 && is_text(array.element))
      return add_whole(name, place, PayloadForm::text, 1, false);
    if (const auto number = innermost_number(*element))
      return add_whole(name, place, PayloadForm::numbers, number->size_or_type, types_.integer(*number).is_signed);
    if (array.count > most_elements || place.depth >= deepest) return add_bytes(name, place);
    for (std::uint32_t i = 0; i < array.count; ++i)
      add(array.element, fmt::format("{}_{}", name, i), place.offset + i * *element_size, place.depth + 1);
  }

  // Whether a type of one byte is char, and not unsigned char or a name such as u8: clang marks only bool and signed.
  bool is_text(std::uint32_t type) const {
    constexpr std::string_view text_type = "char";
    const auto found = types_.resolved(type);
    return found && (types_.name(types_.type(*found)) == text_type || types_.integer(types_.type(*found)).is_char);
  }

  // The type of the numbers in an array of arrays of numbers; nothing for other arrays, and for arrays of texts.
  std::optional<BtfType> innermost_number(std::uint32_t id) const {
    for (int depth = 0; depth < deepest; ++depth) {
      const auto found = types_.resolved(id);
      if (!found) return std::nullopt;
      const BtfType& type = types_.type(*found);
      if (type.kind != BtfKind::array)
        return is_plain_number(type) && (depth == 0 || !is_text(id)) ? std::optional(type) : std::nullopt;
      id = types_.array(type).element;
    }
    return std::nullopt;
  }

  bool is_plain_number(const BtfType& type) const {
    const std::uint32_t size = type.size_or_type;
    return type.kind == BtfKind::integer && (size == 1 || size == 2 || size == 4 || size == 8);
  }

  void add_bytes(const std::string& name, const Place& place) { add_whole(name, place, PayloadForm::bytes, 1, false); }

  void add_whole(const std::string& name, const Place& place, PayloadForm form, std::size_t element, bool is_signed) {
    PayloadField field{.name = own_name(name), .form = form, .offset = place.offset, .size = place.size};
    field.element_size = element;
    field.is_signed = is_signed;
    layout_.fields.push_back(std::move(field));
  }

  void add_names(const BtfType& type, PayloadField& field) {
    for (const BtfEnumerator& one : types_.enumerators(type)) {
      field.is_signed |= one.value < 0;
      enumerator_bytes_ += 2 * (one.name.size() + bytes_around_enumerator);
      const bool fits = field.names.size() < most_enumerators && enumerator_bytes_ <= most_enumerator_bytes;
      if (fits && is_identifier(one.name)) field.names.emplace_back(one.value, one.name);
    }
  }

  // Members without a name have those of their struct.
  static std::string member_name(const std::string& outer, std::string_view member) {
    if (member.empty()) return outer;
    return outer.empty() ? as_identifier(member) : fmt::format("{}_{}", outer, as_identifier(member));
  }

  // A name that no other field has. `common_` begins the names of the fields that all tracepoints have.
  std::string own_name(const std::string& wanted) {
    std::string name = wanted.substr(0, most_name_bytes);
    if (name.empty()) name = "value";
    if (is_digit(name.front()) || name.starts_with("common_")) name.insert(0, "_");
    std::string unique = name;
    for (int number = 2; !names_.insert(unique).second; ++number) unique = fmt::format("{}_{}", name, number);
    return unique;
  }

  void leave_out(const std::string& name, const char* why) {
    constexpr std::size_t most_sentences = 16;
    if (layout_.left_out.size() < most_sentences)
      layout_.left_out.push_back(fmt::format("{} is not shown: {}", name.empty() ? "value" : name, why));
  }

  void say_too_many() {
    if (!std::exchange(is_cut_, true))
      layout_.left_out.push_back(fmt::format("only the first {} fields are shown", layout_.fields.size()));
  }

  const Btf& types_;
  PayloadLayout& layout_;
  std::set<std::string, std::less<>> names_;
  std::size_t steps_ = 0, enumerator_bytes_ = 0;
  bool is_cut_ = false;
};

}  // namespace

std::optional<PayloadLayout> payload_layout(const Btf& types, std::uint32_t type) {
  const auto size = types.size_of(type, most_payload_bytes);
  if (!size || *size == 0) return std::nullopt;
  PayloadLayout layout{.type = std::string(types.name(types.type(type))), .size = static_cast<std::size_t>(*size)};
  LayoutWalk(types, layout).add(type, "", 0, 0);
  return layout;
}

std::vector<PayloadType> payload_types(const std::vector<Btf>& types) {
  std::vector<PayloadType> all;
  for (const Btf& some : types) {
    for (std::uint32_t id = 1; id < some.size(); ++id) {
      const BtfType& type = some.type(id);
      const bool can_be = type.kind == BtfKind::structure || type.kind == BtfKind::union_ ||
                          type.kind == BtfKind::integer || type.kind == BtfKind::enumeration ||
                          type.kind == BtfKind::enumeration64 || type.kind == BtfKind::alias;
      const std::string_view name = some.name(type);
      if (!can_be || name.empty()) continue;
      const auto size = some.size_of(id, most_payload_bytes);
      if (size && *size != 0)
        all.push_back({.types = &some, .id = id, .name = std::string(name), .size = static_cast<std::size_t>(*size)});
    }
  }
  const auto key = [](const PayloadType& one) { return std::tuple(std::string_view(one.name), one.size); };
  std::ranges::stable_sort(all, {}, key);
  const auto same = [&](const PayloadType& a, const PayloadType& b) { return key(a) == key(b); };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace perfsift::record
