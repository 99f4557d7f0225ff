// Builds recordings of scheduler events by hand.
//
// ```cpp
// SchedRecording in;
// in.switch_at(100, 7, S, 8).waking_at(150, 8, 7).switch_at(160, 8, S, 7);
// const std::string path = in.write(directory);
// ```
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"

namespace perfsift::test {

inline constexpr std::uint64_t S = 1, D = 2, X = 0x10, preempted = 0x100;  // prev_state

// A system-wide recording, on CPU 0 by default. Every thread is a process of its own.
class SchedRecording {
 public:
  enum class Without : bool { nothing, tracepoints };

  // `switches`: the number of switches that each recorded switch represents, as with perf record -c.
  explicit SchedRecording(Without without = Without::nothing, std::uint64_t switches = 1) {
    namespace bit = reader::sample_bit;
    const std::uint64_t type = bit::identifier | bit::ip | bit::tid | bit::time | bit::cpu | bit::callchain;
    if (without == Without::nothing) {
      event(reader::event_type::tracepoint, switch_id, type | bit::raw | bit::cgroup, switch_id, switches);
      event(reader::event_type::tracepoint, waking_id, type | bit::raw, waking_id);
    }
    event(reader::event_type::software, 0, type, clock_id);
    const auto data = tracing_data();
    in_.feature(reader::Feature::tracing_data, in_.bytes().bytes(data));
  }

  SchedRecording& switch_at(std::uint64_t time, std::uint32_t previous, std::uint64_t state, std::uint32_t next,
                            const std::vector<std::uint64_t>& stack = {0x1000}, std::uint32_t cpu = 0) {
    auto payload = sample(switch_id, previous, time, stack, cpu);
    payload.u32(28).u16(switch_id).u16(0).u32(previous).u32(previous).u32(0).u64(state).u32(next);
    payload.u64(cgroup_);
    in_.record(reader::RecordType::sample, payload, user);
    return *this;
  }
  // The thread `who` wakes the thread `whom`.
  SchedRecording& waking_at(std::uint64_t time, std::uint32_t who, std::uint32_t whom,
                            std::initializer_list<std::uint64_t> stack = {0x2000}) {
    auto payload = sample(waking_id, who, time, stack, 0);
    payload.u32(12).u16(waking_id).u16(0).u32(who).u32(whom);
    in_.record(reader::RecordType::sample, payload, user);
    return *this;
  }
  SchedRecording& cpu_clock_at(std::uint64_t time, std::uint32_t tid, std::initializer_list<std::uint64_t> stack,
                               std::uint32_t cpu = 0) {
    in_.record(reader::RecordType::sample, sample(clock_id, tid, time, stack, cpu), user);
    return *this;
  }
  // Maps the kernel's code, so that kernel addresses have names.
  SchedRecording& kernel_at(std::uint64_t time, std::uint64_t start) {
    auto payload = in_.bytes();
    payload.u32(~0u).u32(0).u64(start).u64(0x10000).u64(start).padded("[kernel.kallsyms]_text");
    return record_at(time, ~0u, reader::RecordType::mmap, payload, kernel);
  }
  SchedRecording& comm_at(std::uint64_t time, std::uint32_t tid, std::string_view name) {
    return record_at(time, tid, reader::RecordType::comm, in_.bytes().u32(tid).u32(tid).padded(name));
  }
  SchedRecording& fork_at(std::uint64_t time, std::uint32_t child, std::uint32_t parent) {
    return record_at(time, parent, reader::RecordType::fork,
                     in_.bytes().u32(child).u32(parent).u32(child).u32(parent).u64(time));
  }
  // Sets the cgroup of all following switches, as with perf record --all-cgroups.
  SchedRecording& in_cgroup(std::uint64_t time, std::uint64_t id, std::string_view path) {
    cgroup_ = id;
    return record_at(time, 0, reader::RecordType::cgroup, in_.bytes().u64(id).padded(path));
  }
  SchedRecording& lost_at(std::uint64_t time, std::uint64_t count) {
    return record_at(time, 0, reader::RecordType::lost, in_.bytes().u64(1).u64(count));
  }
  SchedRecording& switch_record_at(std::uint64_t time, std::uint32_t tid, bool out, bool was_preempted = false) {
    const std::uint16_t misc = static_cast<std::uint16_t>((out ? reader::misc::switch_out : 0) |
                                                          (was_preempted ? reader::misc::switch_out_preempt : 0));
    return record_at(time, tid, reader::RecordType::switch_, in_.bytes(), misc);
  }

  std::vector<std::byte> bytes() const { return in_.file(); }
  std::string write(const TemporaryDirectory& directory) const { return directory.write("perf.data", Bytes(bytes())); }

 private:
  static constexpr std::uint32_t switch_id = 300, waking_id = 301, clock_id = 302;
  static constexpr std::uint16_t kernel = 1, user = 2;

  void event(std::uint32_t type, std::uint64_t config, std::uint64_t sample_type, std::uint64_t id,
             std::uint64_t period = 1) {
    in_.event(
        {.type = type, .config = config, .sample_period = period, .sample_type = sample_type, .flags = sample_id_all},
        {id});
  }

  BytesBuilder sample(std::uint64_t id, std::uint32_t tid, std::uint64_t time, std::vector<std::uint64_t> stack,
                      std::uint32_t cpu) const {
    auto payload = in_.bytes();
    const std::uint64_t ip = stack.empty() ? 0 : stack.front();
    payload.u64(id).u64(ip).u32(tid).u32(tid).u64(time).u32(cpu).u32(0).u64(stack.size() + 1);
    payload.u64(reader::callchain_context::user);
    for (const std::uint64_t address : stack) payload.u64(address);
    return payload;
  }

  SchedRecording& record_at(std::uint64_t time, std::uint32_t tid, reader::RecordType type, BytesBuilder payload,
                            std::uint16_t misc = 0) {
    payload.u32(tid).u32(tid).u64(time).u32(0).u32(0).u64(clock_id);
    in_.record(type, payload, misc);
    return *this;
  }

  static std::vector<std::byte> tracing_data() {
    const std::string common =
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
    const std::string formats[] = {"name: sched_switch\nID: 300\nformat:\n" + common +
                                       "\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
                                       "\tfield:long prev_state;\toffset:16;\tsize:8;\tsigned:1;\n"
                                       "\tfield:pid_t next_pid;\toffset:24;\tsize:4;\tsigned:1;\n\n"
                                       "print fmt: \"%d\", REC->prev_pid\n",
                                   "name: sched_waking\nID: 301\nformat:\n" + common +
                                       "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\n"
                                       "print fmt: \"%d\", REC->pid\n"};
    const std::string page = "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n";
    BytesBuilder out;
    out.text("\x17\x08\x44tracing0.6").u8(0).u8(std::endian::native == std::endian::big ? 1 : 0).u8(8).u32(4096);
    out.text("header_page").u8(0).u64(page.size()).text(page).text("header_event").u8(0).u64(0);
    out.u32(0).u32(1).text("sched").u8(0).u32(2);
    for (const std::string& format : formats) out.u64(format.size()).text(format);
    return out.u32(0).u32(0).u64(6).text("7 demo").take();
  }

  RecordingBuilder in_;
  std::uint64_t cgroup_ = 0;
};

}  // namespace perfsift::test
