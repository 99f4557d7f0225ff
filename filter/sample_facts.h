// The facts that an expression can ask about a sample.
//
// perf's struct perf_dlfilter_sample and our reader's Sample each implement SampleFacts, so that one expression means
// the same in both places; an interval in which a thread was off its CPU does, too, with facts of its own. An
// expression asks only for facts that its answer depends on, and for the expensive ones last.
//
// To implement it:
//  - number() and text() return nothing if the recording does not have the fact: if attr.sample_type lacks its bit (or
//  the value is perf's default for that: pid -1, time ~0, …), where a symbol has no name, and so on. A value
//    that was recorded is handed out even when it is 0. An expression then treats every comparison with it as false.
//  - They also return nothing for a fact that an implementation cannot know at all. Filter::uses() says, before the
//  first
//    sample, whether an expression needs the fact.
//  - The answers about one sample may be computed on demand and kept until the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "filter/number.h"
#include "filter/recorded_numbers.h"

namespace perfsift::filter {

enum class Fact : std::uint8_t {
// --- number(), from the sample itself ---
#define PERFSIFT_ROW(name, ...) name,
  PERFSIFT_RECORDED_NUMBERS(PERFSIFT_ROW)
#undef PERFSIFT_ROW

  // --- number(), from the sample and what is known around it ---
  data_node,     // the NUMA node of the page at phys_addr
  socket,        // of the sample's CPU, by the feature CPU_TOPOLOGY
  branch_flags,  // PERF_DLFILTER_FLAG_* as a whole; nothing unless a trace was decoded
  insn_count,    // instructions of a decoded trace; nothing without one, or when 0
  cycle_count,   // cycles of a decoded trace; nothing without one, or when 0
  machine_pid,   // guests: nothing when 0
  vcpu,          // guests: nothing when -1

  // --- text(), from the sample and what is known around it ---
  event,   // as perf shows it: "cycles:u", "sched:sched_switch"
  comm,    // of the thread at the sample's moment, as perf prints it: ":1234" where it was never named
  cgroup,  // the path of its cgroup

  // --- number(), of an interval (Subject::interval), which has pid, tid, cpu, time and comm, too ---
  end,          // the time it ended
  off_cpu,      // nanoseconds, as the next three, which are all of it
  blocked,      // until the wakeup
  run_queue,    // from there on; nothing where the two are not known separately
  unknown,      // records were lost in it
  cpu_entered,  // `cpu` is the one it left
  waker_tid,    // nothing without a wakeup
  waker_cpu,
  next_tid,  // who got the CPU that was left
  wait,      // a set of WaitKind, see wait_kind.h; nothing where neither the state nor the stack shows it
  whole,     // 1: both ends were seen, and everything between them; else 0
  // --- text(), of an interval ---
  state,  // a letter: "S"
  waker_comm,
  next_comm,

  // --- of code: also asked of frames, see SampleFacts::frame() ---
  ip,       // number(): PERF_SAMPLE_IP, of a frame its address; as recorded
  cpumode,  // number(): misc & 7: 0 unknown, 1 kernel, 2 user, 3 hypervisor, 4 guest kernel, 5 guest user; of a frame:
            // by the context markers of the callchain
  sym,      // text(): the function, demangled without its parameters; inlined calls do not count
  symoff,   // number(): bytes from the start of `sym`
  dso,      // text(): the binary as perf prints it: "/usr/bin/ls", "[kernel.kallsyms]", "[ext4]"
  srcfile,  // text(): the source file as the compiler called it
  srcline,  // number(): the line there

  // --- of data: what `addr` points to ---
  addr_sym,  // text()
  addr_dso,  // text()

  // --- never asked of number() or text(): computed from the others ---
  depth,    // stack_depth()
  context,  // by `cpumode` and `sym` of the frames: see kernel_context.h
  ipc,      // insn_count by cycle_count
};
inline constexpr std::size_t fact_count = static_cast<std::size_t>(Fact::ipc) + 1;

// Whether the sample itself has it: a row of PERFSIFT_RECORDED_NUMBERS.
constexpr bool is_recorded(Fact fact) { return fact < Fact::data_node; }
// Whether frames have it, too: it then means the frame's inside of `stack has (…)`.
constexpr bool is_of_code(Fact fact) { return fact >= Fact::ip && fact <= Fact::srcline; }

// A name as the result of text(): nothing if it is empty.
constexpr std::optional<std::string_view> if_any(std::string_view name) {
  return name.empty() ? std::nullopt : std::optional(name);
}

// The facts of a sample, or of a frame of its stack.
class Facts {
 public:
  virtual ~Facts() = default;

  virtual std::optional<Number> number(Fact fact) = 0;
  // Valid until the next sample. Texts are remembered by their address: for as long as a FilterState is used, the same
  // pointer and length must mean the same text.
  virtual std::optional<std::string_view> text(Fact fact) = 0;
};

// A field of a tracepoint: nothing when the sample's event has none of that name, a number, or text (of arrays and
// dynamic fields, too). The text is valid until the next sample.
using TracepointValue = std::variant<std::monostate, Number, std::string_view>;

class SampleFacts : public Facts {
 public:
  // `field`: index into Filter::tracepoint_fields(), which says its name and perhaps its event.
  virtual TracepointValue tracepoint(std::size_t field) = 0;

  // Frames, without context markers, leaf first. Without a callchain there is one: the sample's ip, if recorded.
  virtual std::size_t stack_depth() = 0;
  // The facts of code above (ip to srcline), and nothing else. `index` < stack_depth(). Valid until the next
  // call. A caller's frame is known by the byte before its return address, which lies in the call.
  virtual Facts& frame(std::size_t index) = 0;
  // A small number, the same for samples with equal stacks (equal in all facts of code, frame by frame). Nothing
  // if it is unknown: then each stack must be looked at.
  virtual std::optional<std::uint32_t> stack_number() { return std::nullopt; }
  // A number for each frame, leaf first: frames with equal numbers are equal in all facts of code. Empty if they are
  // unknown. Valid until the next sample.
  virtual std::span<const std::uint32_t> frame_numbers() { return {}; }
  // The stack of the thread that woke this one. Only intervals have it.
  virtual std::size_t waker_depth() { return 0; }
  virtual Facts& waker_frame(std::size_t index) { return frame(index); }
  // Whether the recorded part of the stack ends before the stack does; false if unknown.
  virtual bool stack_truncated() = 0;
};

}  // namespace perfsift::filter
