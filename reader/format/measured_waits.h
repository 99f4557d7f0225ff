// The samples of waits that BPF programs have measured: perfsift record --preset offcpu --in-kernel.
//
// They are samples of tracepoints that no kernel has, so that all readers know the fields by name: the recording
// describes them in TRACING_DATA. Every field has 8 bytes, behind the 8 bytes of the common fields.
//
//   perfsift:wait        One interval, or the sum of many intervals of one thread on one stack. The callchain is the
//                        one on which the thread left its CPU. The time of a sum is that of its reading.
//   perfsift:wait_waker  Before the `wait` of one interval, with the same time: the thread that ended it, and its
//   stack. perfsift:wait_table  When measuring begins, and after the sums of each reading: what is not in them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace perfsift::reader {

inline constexpr std::string_view measured_waits_system = "perfsift";

struct MeasuredField {
  std::string_view name;
  bool is_signed = false;
};

struct MeasuredTracepoint {
  std::string_view name;
  std::uint16_t id = 0;  // near the highest that common_type can hold
  std::span<const MeasuredField> fields;
};

inline constexpr std::size_t measured_common_bytes = 8;

// The numbers of fields.
namespace measured_wait {
enum Field : std::uint8_t {
  count,
  blocked,  // this and the next are sums in nanoseconds
  run_queue,
  longest,            // of blocked and run-queue time of one interval
  longest_run_queue,  // its run-queue time
  ran,                // on the CPU before the intervals
  unknown,            // before the intervals: a switch was not traced, so the thread ran or waited
  last,               // the end of the last interval
  thread_start,
  state,  // the bits of offcpu::TaskState
  flags,
  cpu_left,  // this and the following are known for one interval only; -1: not known
  cpu_entered,
  priority,
  cgroup,
  field_count,
};
enum Flag : std::uint8_t { woken = 1, began_before = 2, goes_on = 4, no_wait = 8, single = 16 };
}  // namespace measured_wait

namespace measured_waker {
enum Field : std::uint8_t { tid, field_count };
}

namespace measured_table {
enum Field : std::uint8_t {
  begin,     // of measuring
  switches,  // this and the following: since the table before
  wakeups,
  left_out,        // intervals for which the table had no room
  left_out_time,   // their nanoseconds
  without_thread,  // times that a thread had no place, so that its next interval is not known
  without_stack,   // stacks for which there was no place
  not_sent,        // intervals over the threshold that are in sums only
  unseen,          // switches off a CPU that must have been, and were not traced
  filtered,        // intervals that filters left out in the kernel
  recorder_time,   // nanoseconds of CPU time of the recorder
  program_runs,    // of the BPF programs; 0, as the next: the kernel does not count
  program_time,    // their nanoseconds
  attach_time,     // nanoseconds that it took to attach them
  field_count,
};
}

inline constexpr std::array<MeasuredField, measured_wait::field_count> measured_wait_fields{{{"count"},
                                                                                             {"blocked"},
                                                                                             {"run_queue"},
                                                                                             {"longest"},
                                                                                             {"longest_run_queue"},
                                                                                             {"ran"},
                                                                                             {"unknown"},
                                                                                             {"last"},
                                                                                             {"thread_start"},
                                                                                             {"state"},
                                                                                             {"flags"},
                                                                                             {"cpu_left", true},
                                                                                             {"cpu_entered", true},
                                                                                             {"priority", true},
                                                                                             {"cgroup"}}};
inline constexpr std::array<MeasuredField, measured_waker::field_count> measured_waker_fields{{{"woken_tid"}}};
inline constexpr std::array<MeasuredField, measured_table::field_count> measured_table_fields{{{"begin"},
                                                                                               {"switches"},
                                                                                               {"wakeups"},
                                                                                               {"left_out"},
                                                                                               {"left_out_time"},
                                                                                               {"without_thread"},
                                                                                               {"without_stack"},
                                                                                               {"not_sent"},
                                                                                               {"unseen"},
                                                                                               {"filtered"},
                                                                                               {"recorder_time"},
                                                                                               {"program_runs"},
                                                                                               {"program_time"},
                                                                                               {"attach_time"}}};

inline constexpr MeasuredTracepoint measured_wait_tracepoint{"wait", 0xfffe, measured_wait_fields};
inline constexpr MeasuredTracepoint measured_waker_tracepoint{"wait_waker", 0xfffd, measured_waker_fields};
inline constexpr MeasuredTracepoint measured_table_tracepoint{"wait_table", 0xfffc, measured_table_fields};
inline constexpr std::array<const MeasuredTracepoint*, 3> measured_tracepoints{
    &measured_wait_tracepoint, &measured_waker_tracepoint, &measured_table_tracepoint};

}  // namespace perfsift::reader
