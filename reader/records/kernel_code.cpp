#include "reader/records/kernel_code.h"

#include <algorithm>

#include "reader/format/counted_list.h"

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

std::optional<BpfEvent> decode_bpf_event(const Record& record) {
  auto in = record.reader();
  BpfEvent event{
      .kind = static_cast<BpfEvent::Kind>(in.u16()),
      .flags = in.u16(),
      .id = in.u32(),
  };
  std::ranges::copy(in.bytes(event.tag.size()), event.tag.begin());
  return in.ok() ? std::optional(event) : std::nullopt;
}

std::optional<BpfMetadata> decode_bpf_metadata(const Record& record) {
  // BPF_PROG_NAME_LEN (which is KSYM_NAME_LEN), BPF_METADATA_KEY_LEN and BPF_METADATA_VALUE_LEN in perf's event.h.
  constexpr std::size_t program_size = 512, key_size = 64, value_size = 256;
  auto in = record.reader();
  BpfMetadata metadata{.program = c_string(in.bytes(program_size))};
  metadata.entries = read_list(in, in.u64(), [](ByteReader& entry) {
    const auto key = c_string(entry.bytes(key_size));
    return std::pair(key, c_string(entry.bytes(value_size)));
  });
  return in.ok() ? std::optional(std::move(metadata)) : std::nullopt;
}

std::optional<TextPoke> decode_text_poke(const Record& record) {
  auto in = record.reader();
  TextPoke poke{.address = in.u64()};
  const std::uint16_t before = in.u16(), after = in.u16();
  poke.before = in.bytes(before);
  poke.after = in.bytes(after);
  return in.ok() ? std::optional(poke) : std::nullopt;
}

}  // namespace perfsift::reader
