// The tables of a compilation unit, in which its addresses are looked up.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "symbolize/dwarf/line_table.h"
#include "symbolize/dwarf/scope_table.h"
#include "symbolize/dwarf/source_frame.h"

namespace perfsift::symbolize::dwarf {

struct SourceName {
  std::string_view text;  // empty: unknown
  bool mangled = false;
};

// The names of a unit's functions, by the numbers in its scopes. Thread-safe.
class FunctionNames {
 public:
  virtual ~FunctionNames() = default;
  virtual SourceName name(std::uint32_t number) const = 0;
  virtual std::uint32_t count() const = 0;
};

// Immutable, safe to share between threads.
struct UnitTables {
  FlatArray<Scope> scopes;  // each after its parent
  Cover innermost;          // of an address: index into scopes
  LineTable lines;
  std::unique_ptr<const FunctionNames> names;

  // See DebugInfo::append_frames().
  void append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) const;

  // Visits all tables but the names.
  template <typename Self, typename Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.scopes);
    Cover::visit_arrays(self.innermost, visit);
    LineTable::visit_arrays(self.lines, visit);
  }
  // Whether the tables are valid. For tables from a file that other users may write.
  bool is_sound() const;

 private:
  void append_chain(std::uint32_t innermost, SourcePlace place, std::vector<SourceFrame>& frames) const;
};

}  // namespace perfsift::symbolize::dwarf
