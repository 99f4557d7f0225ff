// .debug_abbrev: the shapes of the entries of a unit.
//
// An entry in .debug_info is the code of an abbreviation and the bare values. Most entries are passed over, so
// each abbreviation is compiled once into the steps past such an entry: a run of values of fixed size becomes one jump.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "symbolize/dwarf/budget.h"
#include "symbolize/dwarf/forms.h"

namespace perfsift::symbolize::dwarf {

struct Attribute {
  std::uint16_t name = 0;  // DW_AT_…
  std::uint16_t form = 0;  // DW_FORM_…
  std::int64_t implicit = 0;
};

// A jump over so many bytes, then a skip of one value of variable size (Layout::fixed: no such value).
struct SkipStep {
  std::uint32_t fixed = 0;
  Layout variable = Layout::fixed;
};

struct Abbreviation {
  std::uint64_t code = 0;
  std::uint16_t tag = 0;  // DW_TAG_…
  bool has_children = false;
  bool has_ranges = false;  // DW_AT_low_pc or DW_AT_ranges is among the attributes
  std::uint32_t first_attribute = 0;
  std::uint32_t attribute_count = 0;
  std::uint32_t first_step = 0;
  std::uint32_t step_count = 0;
};

// Immutable.
class AbbreviationTable {
 public:
  static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

  // Reads the table at an offset of the section, or its first `limit` abbreviations.
  AbbreviationTable(Bytes section, ByteOrder order, std::uint64_t offset, const UnitSizes& sizes, Budget& budget,
                    std::size_t limit = all);

  // nullptr if no abbreviation has the code.
  const Abbreviation* find(std::uint64_t code) const {
    // Compilers number abbreviations 1, 2, 3, …
    if (code - 1 < abbreviations_.size() && abbreviations_[code - 1].code == code) return &abbreviations_[code - 1];
    return find_unordered(code);
  }
  std::span<const Attribute> attributes(const Abbreviation& abbreviation) const {
    return std::span(attributes_).subspan(abbreviation.first_attribute, abbreviation.attribute_count);
  }
  // Moves `in` past an entry. `in` stands behind the code of the entry.
  void skip(DwarfReader& in, const Abbreviation& abbreviation) const {
    const SkipStep* step = steps_.data() + abbreviation.first_step;
    for (std::uint32_t i = 0; i < abbreviation.step_count; ++i, ++step) {
      in.skip(step->fixed);
      if (step->variable != Layout::fixed) skip_variable(in, step->variable, sizes_);
    }
  }
  const UnitSizes& sizes() const { return sizes_; }

 private:
  bool read_one(DwarfReader& in);
  void add_step(std::uint64_t form);
  const Abbreviation* find_unordered(std::uint64_t code) const;

  UnitSizes sizes_;
  std::vector<Abbreviation> abbreviations_;  // sorted by code
  std::vector<Attribute> attributes_;
  std::vector<SkipStep> steps_;
};

}  // namespace perfsift::symbolize::dwarf
