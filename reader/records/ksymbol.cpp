#include "reader/records/ksymbol.h"

namespace perfsift::reader {

std::optional<Ksymbol> decode_ksymbol(const Record& record) {
  constexpr std::uint16_t unregister = 1;  // PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER
  auto in = record.reader();
  const Ksymbol symbol{
      .address = in.u64(),
      .length = in.u32(),
      .kind = static_cast<Ksymbol::Kind>(in.u16()),
      .unregistered = (in.u16() & unregister) != 0,
      .name = in.cstring(),
  };
  return in.ok() ? std::optional(symbol) : std::nullopt;
}

}  // namespace perfsift::reader
