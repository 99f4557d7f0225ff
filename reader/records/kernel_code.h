// Records about code that the kernel gained, lost or changed while perf recorded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reader/format/record.h"

namespace perfsift::reader {

// PERF_RECORD_KSYMBOL: the kernel registered or unregistered code with a name (BPF programs, trampolines, …).
struct Ksymbol {
  // enum perf_record_ksymbol_type
  enum class Kind : std::uint16_t { unknown, bpf, out_of_line };

  std::uint64_t address = 0;
  std::uint32_t length = 0;
  Kind kind = Kind::unknown;  // newer kernels may have more kinds
  bool unregistered = false;
  std::string_view name;  // in the record
};

std::optional<Ksymbol> decode_ksymbol(const Record& record);

// PERF_RECORD_BPF_EVENT: a BPF program was loaded or unloaded. Its name is in the BPF_PROG_INFO feature.
struct BpfEvent {
  // enum perf_bpf_event_type
  enum class Kind : std::uint16_t { unknown, program_load, program_unload };

  Kind kind = Kind::unknown;
  std::uint16_t flags = 0;
  std::uint32_t id = 0;
  std::array<std::byte, 8> tag{};
};

std::optional<BpfEvent> decode_bpf_event(const Record& record);

// PERF_RECORD_BPF_METADATA: a BPF program's variables named bpf_metadata_*, which describe the program.
struct BpfMetadata {
  std::string_view program;                                            // all texts are in the record
  std::vector<std::pair<std::string_view, std::string_view>> entries;  // name, value
};

std::optional<BpfMetadata> decode_bpf_metadata(const Record& record);

// PERF_RECORD_TEXT_POKE: the kernel changed its own code.
struct TextPoke {
  std::uint64_t address = 0;
  Bytes before;  // in the record; empty: new code
  Bytes after;   // in the record; empty: the code was removed
};

std::optional<TextPoke> decode_text_poke(const Record& record);

}  // namespace perfsift::reader
