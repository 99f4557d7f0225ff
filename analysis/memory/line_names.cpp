#include "analysis/memory/line_names.h"

namespace perfsift::analysis {

void LineNames::describe(CacheLine& line) {
  for (LineOffset& offset : line.offsets) describe(offset);
}

void LineNames::describe(LineOffset& offset) {
  const LineUse& data = offset.data;
  DataPlace place{.location = {.address = data.offset, .offset = data.offset, .binary = data.binary}};
  if (place.location.mapped()) place.location.symbol = names_.symbols(place.location).find(data.offset);
  const SourceTexts source = places_.source_texts(place);
  offset.symbol = places_.symbol_and_offset(place, data.offset);
  offset.member = std::string(texts_.text(data.variable)) + source.path;
  offset.declaration = source.declaration;
}

}  // namespace perfsift::analysis
