// PERF_RECORD_KSYMBOL: kernel code with a name came or went (BPF programs, trampolines, …).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reader/record.h"

namespace perfsift::reader {

struct Ksymbol {
  // enum perf_record_ksymbol_type
  enum class Kind : std::uint16_t { unknown, bpf, out_of_line };

  std::uint64_t address = 0;
  std::uint32_t length = 0;
  Kind kind = Kind::unknown;  // newer kernels may have more
  bool unregistered = false;  // it went
  std::string_view name;      // in the record
};

std::optional<Ksymbol> decode_ksymbol(const Record& record);

}  // namespace perfsift::reader
