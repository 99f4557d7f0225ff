#include "reader/writer/records/kernel_code.h"

#include <limits>

namespace perfsift::reader {

std::vector<std::byte> encode_ksymbol(const Ksymbol& symbol, const Encoding& encoding) {
  constexpr std::uint16_t unregister = 1;  // PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER
  ByteWriter out = encoding.payload();
  out.u64(symbol.address).u32(symbol.length).u16(static_cast<std::uint16_t>(symbol.kind));
  put_name(out.u16(symbol.unregistered ? unregister : std::uint16_t{0}), symbol.name);
  return encoded_record(RecordType::ksymbol, 0, out, encoding);
}

std::vector<std::byte> encode_bpf_event(const BpfEvent& event, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  out.u16(static_cast<std::uint16_t>(event.kind)).u16(event.flags).u32(event.id).bytes(event.tag);
  return encoded_record(RecordType::bpf_event, 0, out, encoding);
}

// The pieces of code have no padding between them; their end is padded: perf_event_text_poke() in the kernel.
std::vector<std::byte> encode_text_poke(const TextPoke& poke, const Encoding& encoding) {
  constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
  if (poke.before.size() > most || poke.after.size() > most) return {};
  ByteWriter out = encoding.payload();
  out.u64(poke.address).u16(static_cast<std::uint16_t>(poke.before.size()));
  out.u16(static_cast<std::uint16_t>(poke.after.size())).bytes(poke.before).bytes(poke.after).align();
  return encoded_record(RecordType::text_poke, 0, out, encoding);
}

}  // namespace perfsift::reader
