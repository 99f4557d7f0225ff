// The fields of pprof's profile.proto (github.com/google/pprof/proto/profile.proto), by message.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "reader/format/abi.h"

namespace perfsift::analysis::pprof {

struct Profile {
  enum Field : std::uint32_t {
    sample_type = 1,
    sample = 2,
    mapping = 3,
    location = 4,
    function = 5,
    string_table = 6,
    drop_frames = 7,
    keep_frames = 8,
    time_nanos = 9,
    duration_nanos = 10,
    period_type = 11,
    period = 12,
    comment = 13,
    default_sample_type = 14,
    doc_url = 15,
  };
};

struct ValueType {
  enum Field : std::uint32_t { type = 1, unit = 2 };
};

struct Sample {
  enum Field : std::uint32_t { location_id = 1, value = 2, label = 3 };
};

struct Label {
  enum Field : std::uint32_t { key = 1, str = 2, num = 3, num_unit = 4 };
};

struct Mapping {
  enum Field : std::uint32_t {
    id = 1,
    memory_start = 2,
    memory_limit = 3,
    file_offset = 4,
    filename = 5,
    build_id = 6,
    has_functions = 7,
    has_filenames = 8,
    has_line_numbers = 9,
    has_inline_frames = 10,
  };
};

struct Location {
  enum Field : std::uint32_t { id = 1, mapping_id = 2, address = 3, line = 4, is_folded = 5 };
};

struct Line {
  enum Field : std::uint32_t { function_id = 1, line = 2 };
};

struct Function {
  enum Field : std::uint32_t { id = 1, name = 2, system_name = 3, filename = 4, start_line = 5 };
};

// The names that perf_to_profile gives to labels and sample types; perfsift writes and reads the same.
namespace label {
inline constexpr const char *pid = "pid", *tid = "tid", *comm = "comm", *thread_comm = "thread_comm", *cpu = "cpu",
                            *cgroup = "cgroup", *execution_mode = "execution_mode", *timestamp = "timestamp_ns";
// Numeric labels that only perfsift writes: the run of a stored profile, and the part of its time.
inline constexpr const char *run = "run", *block = "block";
}  // namespace label
// The texts of the label execution_mode.
inline constexpr std::array<std::pair<reader::CpuMode, std::string_view>, 5> execution_modes{
    {{reader::CpuMode::kernel, "Host Kernel"},
     {reader::CpuMode::user, "Host User"},
     {reader::CpuMode::guest_kernel, "Guest Kernel"},
     {reader::CpuMode::guest_user, "Guest User"},
     {reader::CpuMode::hypervisor, "Hypervisor"}}};
inline constexpr const char *sample_suffix = "_sample", *event_suffix = "_event", *count_unit = "count";
inline constexpr const char* lost_mapping = "[lost]";
// The last comment of a stored profile, before the digits of a CRC-32.
inline constexpr std::string_view digest_comment = "perfsift-digest=";
inline constexpr std::size_t digest_digits = 8;

}  // namespace perfsift::analysis::pprof
