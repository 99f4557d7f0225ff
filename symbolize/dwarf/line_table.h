// The line table of a unit: from addresses to places in the source. DWARF 2 to 5.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "symbolize/dwarf/cover.h"
#include "symbolize/dwarf/range_list.h"
#include "symbolize/dwarf/unit.h"

namespace perfsift::symbolize::dwarf {

// A stretch of addresses, from the row's to the next row's, and its place in the source.
struct LineRow {
  std::uint32_t offset = 0;  // from the start of its sequence
  std::uint32_t file = 0;
  std::uint32_t line = 0;  // 0: the compiler says that it belongs to no line
  std::uint32_t column = 0;
};

// Rows of one piece of code, by rising addresses.
struct LineSequence {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t first_row = 0;
  std::uint32_t row_count = 0;
};

// Flat. Immutable.
class LineTable {
 public:
  // The position of a file's path in the text of all paths.
  struct Path {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };

  LineTable() = default;
  // The table of a unit's DW_AT_stmt_list; empty if there is none, or if it cannot be read.
  LineTable(const Unit& unit, const CodeSections& code);

  // nullptr if no row covers the address.
  const LineRow* find(std::uint64_t address) const;
  // The path of a file; empty if there is no such file.
  std::string_view path(std::uint32_t file) const;

  // Whether the table is valid. For a table from a file that other users may write.
  bool is_sound() const;

  template <typename Self, typename Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.rows_);
    visit(self.sequences_);
    Cover::visit_arrays(self.cover_, visit);
    visit(self.files_);
    visit(self.paths_);
  }

 private:
  FlatArray<LineRow> rows_;
  FlatArray<LineSequence> sequences_;
  Cover cover_;  // of sequences
  FlatArray<Path> files_;
  FlatArray<char> paths_;
};

}  // namespace perfsift::symbolize::dwarf
