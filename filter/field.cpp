#include "filter/field.h"

#include <algorithm>
#include <vector>

#include "filter/data_source.h"
#include "filter/kernel_context.h"
#include "filter/source_text.h"
#include "filter/wait_kind.h"

namespace perfsift::filter {
namespace {

using enum FieldType;

constexpr std::uint64_t bit_of(std::uint64_t number) { return std::uint64_t{1} << (number & 63); }

constexpr Word cpu_modes[] = {{"unknown", bit_of(0)},    {"kernel", bit_of(1)},       {"user", bit_of(2)},
                              {"hypervisor", bit_of(3)}, {"guest_kernel", bit_of(4)}, {"guest_user", bit_of(5)}};

// The word that a flag is compared with in perf's record-time filters: mem_lock == locked.
constexpr Word first_bit[] = {{"true", 1}};
constexpr Word second_bit[] = {{"true", 2}};
constexpr Word is_locked[] = {{"locked", 1}};
constexpr Word is_remote[] = {{"remote", 1}};
constexpr Word exact_ip[] = {{"true", 1 << 14}};  // PERF_RECORD_MISC_EXACT_IP

// PERF_DLFILTER_FLAG_*, which perf's decoders of traces set.
constexpr Word branch_words[] = {{"true", 1 << 0}, {"true", 1 << 1}, {"true", 1 << 2},  {"true", 1 << 3},
                                 {"true", 1 << 4}, {"true", 1 << 5}, {"true", 1 << 6},  {"true", 1 << 7},
                                 {"true", 1 << 8}, {"true", 1 << 9}, {"true", 1 << 10}, {"true", 1 << 11},
                                 {"true", 1 << 12}};

constexpr Field plain(std::string_view name, std::string_view perf_name, FieldType type, Fact fact,
                      std::string_view help) {
  return {name, perf_name, type, Cost::record, fact, help, {}, nullptr, {}, {}};
}
constexpr Field recorded(std::string_view name, std::string_view perf_name, std::string_view sort_key, FieldType type,
                         Fact fact, NumberForm form, std::string_view help, std::string_view not_in_perf) {
  return {name, perf_name, type, Cost::record, fact, help, {}, nullptr, {}, not_in_perf, sort_key, form};
}
constexpr Field dear(std::string_view name, FieldType type, Cost cost, Fact fact, std::string_view help,
                     std::string_view not_in_perf = {}) {
  return {name, {}, type, cost, fact, help, {}, nullptr, {}, not_in_perf};
}
constexpr Field decoded(std::string_view name, std::string_view perf_name, FieldType type, Fact fact,
                        std::span<const Word> meanings, Decode decode, std::string_view help) {
  return {name, perf_name, type, Cost::record, fact, help, meanings, decode, {}, {}};
}
constexpr Field of_frame(std::string_view name, FieldType type, Fact fact, int frame, std::string_view help) {
  return {name, {}, type, Cost::stack, fact, help, {}, nullptr, frame, {}};
}
Field of_words(std::string_view name, Cost cost, Fact fact, std::span<const Word> meanings, std::string_view help) {
  return {name, {}, words, cost, fact, help, meanings, nullptr, {}, {}};
}
constexpr Field branch(std::string_view name, unsigned number, std::string_view help) {
  return decoded(name, {}, flag, Fact::branch_flags, std::span(branch_words).subspan(number, 1), nullptr, help);
}

const std::vector<Field>& sample_table() {
  static const std::vector<Field> all = {
#define PERFSIFT_ROW(name, perf_name, sort_key, type, form, help, not_in_perf) \
  recorded(#name, perf_name, sort_key, type, Fact::name, NumberForm::form, help, not_in_perf),
      PERFSIFT_RECORDED_NUMBERS(PERFSIFT_ROW)
#undef PERFSIFT_ROW

          plain("event", {}, event, Fact::event, "the event: \"cycles:u\", \"sched:sched_switch\""),
      dear("comm", name, Cost::thread, Fact::comm, "the thread's name at the time"),
      recorded("ip", "ip", "addr", address, Fact::ip, NumberForm::hexadecimal,
               "the address of the instruction, as recorded", {}),
      dear("sym", name, Cost::symbol, Fact::sym, "the function, without parameters"),
      dear("symoff", count, Cost::symbol, Fact::symoff, "bytes from the start of the function"),
      dear("dso", path, Cost::symbol, Fact::dso, "the binary: \"/usr/bin/ls\", \"[kernel.kallsyms]\""),
      dear("srcfile", path, Cost::line, Fact::srcfile, "the source file"),
      dear("srcline", id, Cost::line, Fact::srcline, "the line in the source file"),
      dear("addr_sym", name, Cost::symbol, Fact::addr_sym, "the symbol at addr"),
      dear("addr_dso", path, Cost::symbol, Fact::addr_dso, "the binary at addr"),
      recorded("socket", {}, "socket", id, Fact::socket, NumberForm::decimal, "the socket of the CPU",
               "a dlfilter does not know the topology of the machine; cpu is known there"),
      dear("cgroup", path, Cost::thread, Fact::cgroup, "the path of the cgroup",
           "a dlfilter knows the number of a cgroup, but not its path; cgroup_id is known there"),
      decoded("cpumode", {}, words, Fact::cpumode, cpu_modes, bit_of, "kernel, user, hypervisor, guest_kernel, …"),
      decoded("exact_ip", {}, flag, Fact::misc, exact_ip, nullptr, "the ip is that of the event, without skid"),
      plain("machine_pid", {}, id, Fact::machine_pid, "the process of the guest machine"),
      plain("vcpu", {}, id, Fact::vcpu, "the virtual CPU"),

      decoded("mem.op", "mem_op", words, Fact::data_src, memory_operation_words(), memory_operation, "load, store, …"),
      decoded("mem.lvl", "mem_lvl", words, Fact::data_src, memory_level_words(), memory_level,
              "which level of memory was asked: l1, l2, l3, lfb, ram, …"),
      decoded("mem.hit", {}, flag, Fact::data_src, first_bit, memory_outcome, "the level had it"),
      decoded("mem.miss", {}, flag, Fact::data_src, second_bit, memory_outcome, "the level did not have it"),
      decoded("mem.snoop", "mem_snoop", words, Fact::data_src, memory_snoop_words(), memory_snoop,
              "none, hit, miss, hitm, …"),
      decoded("mem.remote", "mem_remote", flag, Fact::data_src, is_remote, memory_remote, "of another node"),
      decoded("mem.lock", "mem_lock", flag, Fact::data_src, is_locked, memory_locked, "the access was atomic"),
      decoded("mem.dtlb", "mem_dtlb", words, Fact::data_src, memory_tlb_words(), memory_tlb,
              "hit, miss, l1, l2, walk, fault"),
      decoded("mem.blk", "mem_blk", words, Fact::data_src, memory_blocked_words(), memory_blocked,
              "what the access waited for: data, addr"),
      decoded("mem.hops", "mem_hops", id, Fact::data_src, {}, memory_hops, "how far away: 1 core, 2 node, 3 socket, 4"),
      decoded("mem.region", {}, id, Fact::data_src, {}, memory_region, "the number of the region of memory"),
      dear("mem.node", id, Cost::record, Fact::data_node, "the NUMA node of the data's page",
           "a dlfilter does not know which memory belongs to which node; phys_addr is known there"),

      branch("branch", 0, "a branch of a decoded trace"),
      branch("call", 1, "a call"),
      branch("return", 2, "a return"),
      branch("conditional", 3, "a conditional branch"),
      branch("syscall_return", 4, "a return from a system call"),
      branch("async", 5, "not made by an instruction"),
      branch("interrupt", 6, "an interrupt"),
      branch("tx_abort", 7, "the abort of a transaction"),
      branch("trace_begin", 8, "the trace begins"),
      branch("trace_end", 9, "the trace ends"),
      branch("in_tx", 10, "in a transaction"),
      branch("vm_entry", 11, "entry to a guest"),
      branch("vm_exit", 12, "exit from a guest"),
      plain("ipc", {}, ratio, Fact::ipc, "instructions by cycles, of a decoded trace"),

      of_frame("leaf", name, Fact::sym, 0, "the innermost function of the stack"),
      of_frame("leaf.dso", path, Fact::dso, 0, "its binary"),
      of_frame("caller", name, Fact::sym, 1, "the function that called it"),
      of_frame("caller.dso", path, Fact::dso, 1, "its binary"),
      of_frame("root", name, Fact::sym, -1, "the outermost function of the stack"),
      of_frame("root.dso", path, Fact::dso, -1, "its binary"),
      dear("depth", id, Cost::stack, Fact::depth, "how many frames the stack has"),
      of_words("context", Cost::stack, Fact::context, context_words(),
               "what the kernel was doing, by its functions in the stack"),
  };
  return all;
}

std::vector<Field> make_interval_table() {
  std::vector<Field> all = {
      dear("comm", name, Cost::thread, Fact::comm, "the thread's name"),
      plain("pid", {}, id, Fact::pid, "its process"),
      plain("tid", {}, id, Fact::tid, "the thread"),
      plain("cpu", {}, id, Fact::cpu, "the CPU it left"),
      plain("cpu_entered", {}, id, Fact::cpu_entered, "the CPU it came back to"),
      plain("time", {}, time, Fact::time, "when it left, on the recording's clock"),
      plain("start", {}, time, Fact::time, "the same"),
      plain("end", {}, time, Fact::end, "when it came back"),
      plain("offcpu", {}, count, Fact::off_cpu, "nanoseconds it was off its CPU"),
      plain("blocked", {}, count, Fact::blocked, "of these, until it was woken"),
      plain("runqueue", {}, count, Fact::run_queue, "of these, ready to run; where that is known"),
      plain("unknown", {}, count, Fact::unknown, "of these, it may have run, as records were lost"),
      decoded("whole", {}, flag, Fact::whole, first_bit, nullptr, "both ends were seen, and everything between them"),
      plain("state", {}, name, Fact::state, "the state it left in, a letter: \"S\", \"D\", \"R\", …"),
      of_words("wait", Cost::stack, Fact::wait, wait_words(), "how it waited: lock, futex, io, sleep, poll, …"),
      dear("waker_comm", name, Cost::thread, Fact::waker_comm, "the name of the thread that woke it"),
      plain("waker_tid", {}, id, Fact::waker_tid, "that thread"),
      plain("waker_cpu", {}, id, Fact::waker_cpu, "the CPU it was woken on"),
      dear("next_comm", name, Cost::thread, Fact::next_comm, "the name of the thread that ran instead"),
      plain("next_tid", {}, id, Fact::next_tid, "that thread"),
      dear("cgroup", path, Cost::thread, Fact::cgroup, "the path of its cgroup when it left"),
      plain("cgroup_id", {}, id, Fact::cgroup_id, "the number of that cgroup"),
  };
  // The stack at the switch has the same fields as the stack of a sample.
  for (const Field& field : sample_table()) {
    if (is_of_code(field.fact) || field.fact == Fact::depth || field.fact == Fact::context) all.push_back(field);
  }
  return all;
}

const std::vector<Field>& table(Subject subject) {
  static const std::vector<Field> of_intervals = make_interval_table();
  return subject == Subject::sample ? sample_table() : of_intervals;
}

}  // namespace

std::span<const Field> fields(Subject subject) { return table(subject); }

const Field* find_field(std::string_view name, Subject subject) {
  const auto is_meant = [&](const Field& field) {
    return field.name == name || (!field.perf_name.empty() && field.perf_name == name);
  };
  const auto found = std::ranges::find_if(table(subject), is_meant);
  return found == table(subject).end() ? nullptr : &*found;
}

const Field& sort_field(Fact fact) {
  return *std::ranges::find_if(sample_table(),
                               [&](const Field& field) { return field.fact == fact && !field.sort_key.empty(); });
}

std::optional<std::string_view> nearest_field(std::string_view name, Subject subject) {
  std::vector<std::string_view> names;
  for (const Field& field : table(subject)) names.push_back(field.name);
  const std::string_view found = nearest(name, names);
  return found.empty() ? std::nullopt : std::optional(found);
}

std::string_view name_of(FieldType type) {
  switch (type) {
    case id:
      return "number";
    case count:
      return "count";
    case address:
      return "address";
    case time:
      return "time";
    case ratio:
      return "ratio";
    case name:
      return "name";
    case path:
      return "path";
    case event:
      return "event";
    case words:
      return "words";
    case flag:
      return "flag";
  }
  return {};
}

std::string_view name_of(Cost cost) {
  switch (cost) {
    case Cost::record:
      return "record";
    case Cost::thread:
      return "thread";
    case Cost::tracepoint:
      return "tracepoint";
    case Cost::symbol:
      return "symbol";
    case Cost::line:
      return "line";
    case Cost::stack:
      return "stack";
  }
  return {};
}

}  // namespace perfsift::filter
