// The types of variables: which member lies at an offset.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "symbolize/dwarf/data_entry.h"

namespace perfsift::symbolize::dwarf {

// A structure, class or union; an array; or a type without parts, such as a number or a pointer.
struct DataType {
  struct Member {
    std::uint64_t start = 0, end = 0;  // in the structure; of a bit field: the bytes with its bits
    std::string_view name;             // empty: a base class, or a structure or union without a name
    EntryPlace type;
  };
  struct Dimension {
    std::uint64_t first = 0;  // the index of the first element
    std::uint64_t count = 0;  // 0: unknown
  };

  std::uint64_t size = 0;  // 0: unknown
  std::vector<Member> members;
  bool has_all_members = true;  // false: bytes outside of `members` may be members, too
  std::vector<Dimension> dimensions;
  EntryPlace element;
  std::uint64_t stride = 0;

  bool is_array() const { return !dimensions.empty(); }
};

// Not thread-safe. Results live as long as the object, texts as long as the files.
class DataTypes {
 public:
  // `entries` must live longer.
  explicit DataTypes(DataEntries& entries) : entries_(entries) {}

  std::uint64_t size_of(const EntryPlace& type) { return size_of(type, 0); }
  // The way from a variable of the type to the data at an offset: "[3].book.bid". Where several members have the byte,
  // as in a union, it is ".{bytes|number}". A byte between members is ".[padding]".
  std::string path(const EntryPlace& type, std::uint64_t offset);

 private:
  class PathWriter;

  const DataType& find(const EntryPlace& place);
  DataType read(const EntryPlace& place);
  void read_members(const DataEntry& entry, DataType& type);
  void add_member(const DataEntry& entry, DataType& type);
  void read_dimensions(const DataEntry& entry, DataType& type);
  std::optional<DataEntry> without_names(EntryPlace place);
  std::uint64_t size_of(const EntryPlace& place, unsigned depth);
  bool is_array(const EntryPlace& place);
  std::uint64_t size_of_array(const DataEntry& entry, unsigned depth);

  DataEntries& entries_;
  std::map<EntryPlace, DataType> types_;
};

}  // namespace perfsift::symbolize::dwarf
