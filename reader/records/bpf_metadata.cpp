#include "reader/records/bpf_metadata.h"

#include "reader/lists.h"

namespace perfsift::reader {

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

}  // namespace perfsift::reader
