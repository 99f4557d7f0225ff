#include "reader/records/text_poke.h"

namespace perfsift::reader {

std::optional<TextPoke> decode_text_poke(const Record& record) {
  auto in = record.reader();
  TextPoke poke{.address = in.u64()};
  const std::uint16_t before = in.u16(), after = in.u16();
  poke.before = in.bytes(before);
  poke.after = in.bytes(after);
  return in.ok() ? std::optional(poke) : std::nullopt;
}

}  // namespace perfsift::reader
