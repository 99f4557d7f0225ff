#include "symbolize/dwarf/abbreviations.h"

#include <algorithm>

#include <dwarf.h>

namespace perfsift::symbolize::dwarf {

AbbreviationTable::AbbreviationTable(Bytes section, ByteOrder order, std::uint64_t offset, const UnitSizes& sizes,
                                     Budget& budget, std::size_t limit)
    : sizes_(sizes) {
  DwarfReader in(section, order, offset);
  std::uint64_t paid = in.position();
  while (abbreviations_.size() < limit && read_one(in)) {
    if (!budget.pay(in.position() - paid)) break;
    paid = in.position();
  }
  if (!std::ranges::is_sorted(abbreviations_, {}, &Abbreviation::code))
    std::ranges::stable_sort(abbreviations_, {}, &Abbreviation::code);
}

// False at the end of the table.
bool AbbreviationTable::read_one(DwarfReader& in) {
  Abbreviation abbreviation{.code = in.uleb128()};
  if (abbreviation.code == 0) return false;
  abbreviation.tag = static_cast<std::uint16_t>(in.uleb128());
  abbreviation.has_children = in.u8() != DW_CHILDREN_no;
  abbreviation.first_attribute = static_cast<std::uint32_t>(attributes_.size());
  abbreviation.first_step = static_cast<std::uint32_t>(steps_.size());
  steps_.emplace_back();
  while (in.ok()) {
    const std::uint64_t name = in.uleb128();
    const std::uint64_t form = in.uleb128();
    if (name == 0 && form == 0) break;
    const std::int64_t implicit = form == DW_FORM_implicit_const ? in.sleb128() : 0;
    const auto known = [](std::uint64_t number) { return static_cast<std::uint16_t>(number <= 0xffff ? number : 0); };
    attributes_.push_back({known(name), known(form), implicit});
    add_step(form);
    if (name == DW_AT_low_pc || name == DW_AT_ranges) abbreviation.has_ranges = true;
  }
  abbreviation.attribute_count = static_cast<std::uint32_t>(attributes_.size()) - abbreviation.first_attribute;
  abbreviation.step_count = static_cast<std::uint32_t>(steps_.size()) - abbreviation.first_step;
  if (in.ok()) abbreviations_.push_back(abbreviation);
  return in.ok();
}

void AbbreviationTable::add_step(std::uint64_t form) {
  const FormShape shape = shape_of(form);
  const unsigned size = sizes_.size(shape);
  if (size != 0 || shape.layout == Layout::fixed)
    steps_.back().fixed += size;
  else if (steps_.back().variable == Layout::fixed)
    steps_.back().variable = shape.layout;
  if (steps_.back().variable != Layout::fixed) steps_.emplace_back();
}

const Abbreviation* AbbreviationTable::find_unordered(std::uint64_t code) const {
  const auto found = std::ranges::lower_bound(abbreviations_, code, {}, &Abbreviation::code);
  return found != abbreviations_.end() && found->code == code ? &*found : nullptr;
}

}  // namespace perfsift::symbolize::dwarf
