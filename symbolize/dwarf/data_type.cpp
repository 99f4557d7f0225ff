#include "symbolize/dwarf/data_type.h"

#include <algorithm>
#include <limits>

#include <dwarf.h>
#include <fmt/format.h>

namespace perfsift::symbolize::dwarf {

namespace {

// Sound types are nested far less deeply. A cycle would have no end.
constexpr unsigned deepest = 64;
constexpr std::size_t most_members = 4096, most_dimensions = 16;
constexpr std::uint64_t bits_of_byte = 8;

bool is_other_name(std::uint16_t tag) {
  return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
         tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type || tag == DW_TAG_packed_type ||
         tag == DW_TAG_immutable_type || tag == DW_TAG_shared_type;
}

bool is_structure(std::uint16_t tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool is_fortran(std::uint64_t language) {
  return language == DW_LANG_Fortran77 || language == DW_LANG_Fortran90 || language == DW_LANG_Fortran95 ||
         language == DW_LANG_Fortran03 || language == DW_LANG_Fortran08;
}

// The index of the first element where the type does not give it.
std::uint64_t usual_lower_bound(std::uint64_t language) {
  const bool counts_from_one = is_fortran(language) || language == DW_LANG_Ada83 || language == DW_LANG_Ada95 ||
                               language == DW_LANG_Cobol74 || language == DW_LANG_Cobol85 ||
                               language == DW_LANG_Modula2 || language == DW_LANG_Pascal83 || language == DW_LANG_PLI ||
                               language == DW_LANG_Julia;
  return counts_from_one ? 1 : 0;
}

// 0 where it does not fit, as for unknown sizes.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b ? 0 : a * b;
}

// The first bit of a bit field, from the start of its structure. DWARF 2 and 3 count from the most significant bit of
// the unit of memory that holds the field.
std::uint64_t first_bit(const DataEntry& entry, std::uint64_t unit_size) {
  const std::uint64_t start = entry.member_location.value_or(0) * bits_of_byte;
  if (entry.data_bit_offset) return start + *entry.data_bit_offset;
  if (!entry.bit_offset) return start;
  const bool is_little =
      (std::endian::native == std::endian::little) == (entry.unit->file->sections().order == ByteOrder::native);
  return is_little ? start + unit_size * bits_of_byte - *entry.bit_offset - *entry.bit_size : start + *entry.bit_offset;
}

}  // namespace

// The entry of a type behind its typedefs and qualifiers.
std::optional<DataEntry> DataTypes::without_names(EntryPlace place) {
  for (unsigned step = 0; step < deepest; ++step) {
    const auto entry = entries_.read(place);
    if (!entry || !is_other_name(entry->tag)) return entry;
    place = entry->type;
  }
  return std::nullopt;
}

std::uint64_t DataTypes::size_of(const EntryPlace& place, unsigned depth) {
  if (depth >= deepest) return 0;
  const auto entry = without_names(place);
  if (!entry) return 0;
  if (entry->byte_size) return *entry->byte_size;
  if (entry->bit_size) return *entry->bit_size / bits_of_byte + (*entry->bit_size % bits_of_byte != 0 ? 1 : 0);
  switch (entry->tag) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      return entry->unit->header.sizes.address_size;
    case DW_TAG_enumeration_type:
      return size_of(entry->type, depth + 1);
    case DW_TAG_array_type:
      return size_of_array(*entry, depth);
    default:
      return 0;
  }
}

bool DataTypes::is_array(const EntryPlace& place) {
  const auto entry = without_names(place);
  return entry && entry->tag == DW_TAG_array_type;
}

std::uint64_t DataTypes::size_of_array(const DataEntry& entry, unsigned depth) {
  DataType array;
  read_dimensions(entry, array);
  std::uint64_t size = entry.byte_stride ? *entry.byte_stride : size_of(entry.type, depth + 1);
  for (const DataType::Dimension& dimension : array.dimensions) size = product(size, dimension.count);
  return size;
}

const DataType& DataTypes::find(const EntryPlace& place) {
  const auto [known, is_new] = types_.try_emplace(place);
  if (is_new) known->second = read(place);
  return known->second;
}

DataType DataTypes::read(const EntryPlace& place) {
  DataType type;
  const auto entry = without_names(place);
  if (!entry) return type;
  type.size = size_of(place, 0);
  if (is_structure(entry->tag)) {
    read_members(*entry, type);
  } else if (entry->tag == DW_TAG_array_type && !entry->has_bit_stride) {
    read_dimensions(*entry, type);
    type.element = entry->type;
    type.stride = entry->byte_stride.value_or(size_of(entry->type, 1));
  }
  return type;
}

void DataTypes::read_members(const DataEntry& entry, DataType& type) {
  entries_.visit_children(entry, [&](const DataEntry& child) {
    if (child.tag == DW_TAG_member || child.tag == DW_TAG_inheritance)
      add_member(child, type);
    else if (child.tag == DW_TAG_variant_part)  // only the data show which of the variants is there
      type.has_all_members = false;
  });
  std::ranges::stable_sort(type.members, {}, &DataType::Member::start);
}

void DataTypes::add_member(const DataEntry& entry, DataType& type) {
  if (entry.declaration) return;  // a static member of a class is a variable of its own
  if (entry.moves || type.members.size() == most_members) {
    type.has_all_members = false;
    return;
  }
  DataType::Member member{.start = entry.member_location.value_or(0), .name = entry.name, .type = entry.type};
  const std::uint64_t size = entry.byte_size ? *entry.byte_size : size_of(entry.type, 1);
  member.end = size > ~member.start ? ~std::uint64_t{0} : member.start + size;
  if (entry.bit_size && *entry.bit_size != 0) {
    const std::uint64_t first = first_bit(entry, size);
    member.start = first / bits_of_byte;
    member.end = (first + *entry.bit_size - 1) / bits_of_byte + 1;
  }
  // An array whose length is unknown ends a structure.
  if (size == 0) type.has_all_members = false;
  if (size == 0 && is_array(entry.type)) member.end = ~std::uint64_t{0};
  if (member.start < member.end) type.members.push_back(member);
}

void DataTypes::read_dimensions(const DataEntry& entry, DataType& type) {
  const auto root = entries_.root(entry);
  const std::uint64_t language = root ? root->language : 0;
  entries_.visit_children(entry, [&](const DataEntry& child) {
    if (child.tag != DW_TAG_subrange_type && child.tag != DW_TAG_enumeration_type) return;
    if (type.dimensions.size() == most_dimensions) return;
    DataType::Dimension dimension{.first = child.lower_bound.value_or(usual_lower_bound(language))};
    if (child.count)
      dimension.count = *child.count;
    else if (child.upper_bound)
      dimension.count = *child.upper_bound - dimension.first + 1;
    type.dimensions.push_back(dimension);
  });
  // The first index of a Fortran array is the one that changes from element to element.
  if (is_fortran(language)) std::ranges::reverse(type.dimensions);
}

// Writes one path, whose length is bounded.
class DataTypes::PathWriter {
 public:
  explicit PathWriter(DataTypes& types) : types_(types) {}

  std::string write(EntryPlace place, std::uint64_t offset, unsigned depth) {
    std::string path;
    for (; depth < deepest; ++depth) {
      const DataType& type = types_.find(place);
      if (type.is_array()) {
        if (!write_indices(type, offset, path)) return path;
        place = type.element;
        continue;
      }
      const std::vector<const DataType::Member*> members = members_at(type, offset);
      if (members.empty()) {
        const bool is_padding = !type.members.empty() && type.has_all_members && offset < type.size;
        return is_padding ? path + ".[padding]" : path;
      }
      if (members.size() > 1) return path + alternatives(members, offset, depth + 1);
      if (!members.front()->name.empty()) path.append(".").append(members.front()->name.substr(0, longest));
      if (path.size() > longest) return path + "…";
      offset -= members.front()->start;
      place = members.front()->type;
    }
    return path;
  }

 private:
  static constexpr std::size_t most_alternatives = 4, most_in_all = 16, longest = 1024;

  // False if the element is not known. `offset` is then in the element.
  static bool write_indices(const DataType& type, std::uint64_t& offset, std::string& path) {
    if (type.stride == 0) return false;
    std::uint64_t index = offset / type.stride;
    offset %= type.stride;
    std::vector<std::uint64_t> indices(type.dimensions.size());
    for (std::size_t i = indices.size(); i-- > 0;) {
      const DataType::Dimension& dimension = type.dimensions[i];
      const bool bounded = dimension.count != 0 && i != 0;
      indices[i] = dimension.first + (bounded ? index % dimension.count : index);
      index = bounded ? index / dimension.count : 0;
    }
    for (const std::uint64_t each : indices) path += fmt::format("[{}]", static_cast<std::int64_t>(each));
    return true;
  }

  static std::vector<const DataType::Member*> members_at(const DataType& type, std::uint64_t offset) {
    std::vector<const DataType::Member*> members;
    for (const DataType::Member& member : type.members) {
      if (member.start > offset) break;
      if (offset < member.end) members.push_back(&member);
    }
    return members;
  }

  // The members of a union, or bit fields in one byte.
  std::string alternatives(const std::vector<const DataType::Member*>& members, std::uint64_t offset, unsigned depth) {
    std::vector<std::string> texts;
    bool all = true;
    for (const DataType::Member* member : members) {
      if (texts.size() == most_alternatives || ++written_ > most_in_all) {
        all = false;
        break;
      }
      std::string text(member->name.substr(0, longest));
      text += write(member->type, offset - member->start, depth);
      if (text.starts_with('.')) text.erase(0, 1);
      if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
    }
    if (texts.empty()) return {};
    if (texts.size() > 1) std::erase_if(texts, [](const std::string& text) { return text.ends_with("[padding]"); });
    if (texts.size() == 1 && all) return "." + texts.front();
    std::string joined;
    for (const std::string& text : texts) joined += (joined.empty() ? ".{" : "|") + text;
    return joined + (all ? "}" : "|…}");
  }

  DataTypes& types_;
  std::size_t written_ = 0;  // alternatives of the whole path
};

std::string DataTypes::path(const EntryPlace& type, std::uint64_t offset) {
  return PathWriter(*this).write(type, offset, 0);
}

}  // namespace perfsift::symbolize::dwarf
