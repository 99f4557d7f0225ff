// The fields of Perfetto's trace that are written, by message: protos/perfetto/trace in github.com/google/perfetto.
#pragma once

#include <cstdint>

namespace perfsift::output::perfetto {

struct Trace {
  enum Field : std::uint32_t { packet = 1 };
};

struct TracePacket {
  enum Field : std::uint32_t {
    ftrace_events = 1,
    clock_snapshot = 6,
    timestamp = 8,
    track_event = 11,
    trusted_packet_sequence_id = 10,
    interned_data = 12,
    sequence_flags = 13,
    trace_packet_defaults = 59,
    track_descriptor = 60,
    perf_sample = 66,
  };
  // Bits of sequence_flags.
  enum Flag : std::uint32_t { state_cleared = 1, needs_state = 2 };
};

struct ClockSnapshot {
  enum Field : std::uint32_t { clocks = 1, clock_id = 1, timestamp = 2 };  // the last two: of a clock
  enum Clock : std::uint32_t { realtime = 1, boottime = 6 };
};

struct TracePacketDefaults {
  enum Field : std::uint32_t { perf_sample_defaults = 12 };
};

struct PerfSampleDefaults {
  enum Field : std::uint32_t { timebase = 1 };
};

struct Timebase {
  enum Field : std::uint32_t { period = 1, name = 10 };
};

struct InternedData {
  enum Field : std::uint32_t {
    function_names = 5,
    frames = 6,
    callstacks = 7,
    build_ids = 16,
    mapping_paths = 17,
    source_paths = 18,
    mappings = 19,
  };
};

struct InternedString {
  enum Field : std::uint32_t { iid = 1, str = 2 };
};

struct Mapping {
  enum Field : std::uint32_t { iid = 1, build_id = 2, path_string_ids = 7 };
};

struct Frame {
  enum Field : std::uint32_t {
    iid = 1,
    function_name_id = 2,
    mapping_id = 3,
    rel_pc = 4,
    source_path_iid = 5,
    line_number = 6,
    kind = 7,
  };
  enum Kind : std::uint32_t { native = 1, of_kernel = 2, jit = 4 };
};

struct Callstack {
  enum Field : std::uint32_t { iid = 1, frame_ids = 2 };
};

struct PerfSample {
  enum Field : std::uint32_t { cpu = 1, pid = 2, tid = 3, callstack_iid = 4, cpu_mode = 5, timebase_count = 6 };
};

struct TrackDescriptor {
  enum Field : std::uint32_t { uuid = 1, name = 2, process = 3, thread = 4 };
};

struct TrackEvent {
  enum Field : std::uint32_t { type = 9, track_uuid = 11, name = 23 };
  enum Type : std::uint32_t { slice_begin = 1, slice_end = 2 };
};

struct ProcessDescriptor {
  enum Field : std::uint32_t { pid = 1, process_name = 6 };
};

struct ThreadDescriptor {
  enum Field : std::uint32_t { pid = 1, tid = 2, thread_name = 5 };
};

}  // namespace perfsift::output::perfetto
