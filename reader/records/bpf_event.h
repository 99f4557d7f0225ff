// PERF_RECORD_BPF_EVENT: a BPF program was loaded or unloaded. Its name is in the BPF_PROG_INFO feature.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "reader/record.h"

namespace perfsift::reader {

struct BpfEvent {
  // enum perf_bpf_event_type
  enum class Kind : std::uint16_t { unknown, program_load, program_unload };

  Kind kind = Kind::unknown;
  std::uint16_t flags = 0;
  std::uint32_t id = 0;
  std::array<std::byte, 8> tag{};
};

std::optional<BpfEvent> decode_bpf_event(const Record& record);

}  // namespace perfsift::reader
