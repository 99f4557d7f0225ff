#include "record/bpf/btf.h"

#include <algorithm>
#include <utility>

namespace perfsift::record {

namespace {

constexpr std::uint16_t magic = 0xeb9f;
constexpr std::size_t bytes_of_word = 4;
// Names and qualifiers in front of a type, and arrays of arrays. Compilers make less than ten.
constexpr int most_references = 64;

// The words that follow the header of a type: btf_type_size() in tools/lib/bpf/btf.c. Nothing: unknown.
std::optional<std::uint64_t> words_behind(BtfKind kind, std::uint32_t count) {
  switch (kind) {
    case BtfKind::integer:
    case BtfKind::variable:
    case BtfKind::declaration_tag:
      return 1;
    case BtfKind::array:
      return 3;
    case BtfKind::enumeration:
    case BtfKind::prototype:
      return 2 * std::uint64_t{count};
    case BtfKind::structure:
    case BtfKind::union_:
    case BtfKind::section:
    case BtfKind::enumeration64:
      return 3 * std::uint64_t{count};
    case BtfKind::none:
      return std::nullopt;
    default:
      return kind <= BtfKind::enumeration64 ? std::optional<std::uint64_t>(0) : std::nullopt;
  }
}

bool is_qualifier(BtfKind kind) {
  return kind == BtfKind::alias || kind == BtfKind::volatile_ || kind == BtfKind::const_ ||
         kind == BtfKind::restrict_ || kind == BtfKind::type_tag;
}

}  // namespace

// struct btf_header: magic, version, flags, hdr_len, and where the types and the names lie behind the header.
std::optional<Btf> Btf::parse(std::vector<std::byte> bytes) {
  Btf btf;
  btf.bytes_ = std::move(bytes);
  ByteReader in(btf.bytes_);
  if (in.u16() != magic) return std::nullopt;
  in.skip(2);
  const std::uint32_t header = in.u32();
  const std::uint32_t types_at = in.u32(), types_size = in.u32(), names_at = in.u32(), names_size = in.u32();
  if (!in.ok()) return std::nullopt;
  const auto section = [&](std::uint32_t at, std::uint32_t size) -> std::optional<Bytes> {
    ByteReader all(btf.bytes_);
    all.skip(std::uint64_t{header} + at);
    const Bytes part = all.bytes(size);
    return all.ok() ? std::optional(part) : std::nullopt;
  };
  const auto types = section(types_at, types_size), names = section(names_at, names_size);
  if (!types || !names) return std::nullopt;
  btf.names_ = *names;
  if (!btf.read_types(*types)) return std::nullopt;
  return btf;
}

// struct btf_type. The bits of `info`: count 0-15, kind 24-28, flag 31.
bool Btf::read_types(Bytes section) {
  types_.emplace_back();
  ByteReader in(section);
  while (in.remaining() != 0) {
    BtfType type{.name = in.u32()};
    const std::uint32_t info = in.u32();
    type.size_or_type = in.u32();
    type.count = info & 0xffff;
    type.kind = static_cast<BtfKind>(info >> 24 & 0x1f);
    type.flag = info >> 31 != 0;
    const auto words = words_behind(type.kind, type.count);
    if (!words) return false;
    type.rest = in.bytes(*words * bytes_of_word);
    if (!in.ok()) return false;
    types_.push_back(type);
  }
  return true;
}

const BtfType& Btf::type(std::uint32_t id) const {
  static const BtfType nothing;
  return id < types_.size() ? types_[id] : nothing;
}

std::string_view Btf::text(std::uint32_t offset) const {
  return offset < names_.size() ? c_string(names_.subspan(offset)) : std::string_view();
}

std::optional<std::uint32_t> Btf::resolved(std::uint32_t id) const {
  for (int step = 0; step < most_references; ++step) {
    const BtfType& here = type(id);
    if (!is_qualifier(here.kind)) return here.kind == BtfKind::none ? std::nullopt : std::optional(id);
    id = here.size_or_type;
  }
  return std::nullopt;
}

std::vector<BtfMember> Btf::members(const BtfType& type) const {
  if (type.kind != BtfKind::structure && type.kind != BtfKind::union_) return {};
  std::vector<BtfMember> members;
  members.reserve(type.count);
  ByteReader in(type.rest);
  for (std::uint32_t i = 0; i < type.count; ++i) {
    BtfMember member{.name = text(in.u32()), .type = in.u32()};
    const std::uint32_t place = in.u32();
    member.bit_offset = type.flag ? place & 0xffffff : place;
    member.bit_size = type.flag ? place >> 24 : 0;
    members.push_back(member);
  }
  return members;
}

std::vector<BtfEnumerator> Btf::enumerators(const BtfType& type) const {
  const bool is_long = type.kind == BtfKind::enumeration64;
  if (!is_long && type.kind != BtfKind::enumeration) return {};
  std::vector<BtfEnumerator> all;
  all.reserve(type.count);
  ByteReader in(type.rest);
  for (std::uint32_t i = 0; i < type.count; ++i) {
    BtfEnumerator one{.name = text(in.u32())};
    const std::uint32_t low = in.u32();
    if (is_long) {
      one.value = static_cast<std::int64_t>(std::uint64_t{in.u32()} << 32 | low);
    } else {
      one.value = static_cast<std::int32_t>(low);  // compilers before BTF's flag do not say which are unsigned
    }
    all.push_back(one);
  }
  return all;
}

BtfArray Btf::array(const BtfType& type) const {
  if (type.kind != BtfKind::array) return {};
  ByteReader in(type.rest);
  const std::uint32_t element = in.u32();
  in.skip(bytes_of_word);  // the type of the index
  return {.element = element, .count = in.u32()};
}

// The word: bits 0-7, the offset 16-23, the encoding 24-27 (1: signed, 2: char, 4: bool).
BtfInteger Btf::integer(const BtfType& type) const {
  if (type.kind != BtfKind::integer) return {};
  const std::uint32_t word = ByteReader(type.rest).u32();
  return {.is_signed = (word >> 24 & 1) != 0,
          .is_char = (word >> 24 & 2) != 0,
          .is_bool = (word >> 24 & 4) != 0,
          .bits = word & 0xff,
          .bit_offset = word >> 16 & 0xff};
}

std::optional<std::uint64_t> Btf::size_of(std::uint32_t id, std::uint64_t most) const {
  std::uint64_t times = 1;
  for (int step = 0; step < most_references; ++step) {
    const auto found = resolved(id);
    if (!found) return std::nullopt;
    const BtfType& here = type(*found);
    if (here.kind == BtfKind::array) {
      const BtfArray some = array(here);
      if (some.count > most / std::max<std::uint64_t>(times, 1)) return std::nullopt;
      times *= some.count;
      id = some.element;
      continue;
    }
    const bool has_size = here.kind == BtfKind::integer || here.kind == BtfKind::structure ||
                          here.kind == BtfKind::union_ || here.kind == BtfKind::enumeration ||
                          here.kind == BtfKind::enumeration64 || here.kind == BtfKind::floating;
    if (!has_size && here.kind != BtfKind::pointer) return std::nullopt;
    const std::uint64_t size = here.kind == BtfKind::pointer ? sizeof(std::uint64_t) : here.size_or_type;
    if (size != 0 && times > most / size) return std::nullopt;
    return times * size;
  }
  return std::nullopt;
}

}  // namespace perfsift::record
