// The numbers of the perf.data format: the kernel's (include/uapi/linux/perf_event.h), and perf's for its own records
// and features (tools/perf/util/event.h, tools/lib/perf/include/perf/event.h, util/header.h).
//
// The numbers are written here instead of included, because a recording may be newer than the headers of this machine.
#pragma once

#include <cstdint>

namespace perfsift::reader {

// perf_event_header.type. 1..63 belong to the kernel, 64 and above to perf.
enum class RecordType : std::uint32_t {
  mmap = 1,
  lost = 2,
  comm = 3,
  exit = 4,
  throttle = 5,
  unthrottle = 6,
  fork = 7,
  read = 8,
  sample = 9,
  mmap2 = 10,
  aux = 11,
  itrace_start = 12,
  lost_samples = 13,
  switch_ = 14,
  switch_cpu_wide = 15,
  namespaces = 16,
  ksymbol = 17,
  bpf_event = 18,
  cgroup = 19,
  text_poke = 20,
  aux_output_hw_id = 21,
  callchain_deferred = 22,
  header_attr = 64,
  header_event_type = 65,
  header_tracing_data = 66,
  header_build_id = 67,
  finished_round = 68,
  id_index = 69,
  auxtrace_info = 70,
  auxtrace = 71,
  auxtrace_error = 72,
  thread_map = 73,
  cpu_map = 74,
  stat_config = 75,
  stat = 76,
  stat_round = 77,
  event_update = 78,
  time_conv = 79,
  header_feature = 80,
  compressed = 81,
  finished_init = 82,
  compressed2 = 83,
  bpf_metadata = 84,
  schedstat_cpu = 85,
  schedstat_domain = 86,
};
inline constexpr std::uint32_t first_user_record = 64;
inline bool is_known(RecordType type) {
  const auto number = static_cast<std::uint32_t>(type);
  return (number >= 1 && number <= 22) || (number >= first_user_record && number <= 86);
}

// perf_event_header.misc
namespace misc {
inline constexpr std::uint16_t cpumode_mask = 7;
inline constexpr std::uint16_t proc_map_parse_timeout = 1 << 12;
inline constexpr std::uint16_t mmap_data = 1 << 13;   // MMAP, MMAP2
inline constexpr std::uint16_t comm_exec = 1 << 13;   // COMM
inline constexpr std::uint16_t fork_exec = 1 << 13;   // FORK: synthesised by perf; mappings are not copied
inline constexpr std::uint16_t switch_out = 1 << 13;  // SWITCH, SWITCH_CPU_WIDE
inline constexpr std::uint16_t exact_ip = 1 << 14;    // SAMPLE
inline constexpr std::uint16_t switch_out_preempt = 1 << 14;
inline constexpr std::uint16_t mmap_build_id = 1 << 14;     // MMAP2: a build id instead of maj/min/ino/gen
inline constexpr std::uint16_t build_id_size = 1 << 15;     // HEADER_BUILD_ID: byte 20 is the length
inline constexpr std::uint16_t lost_samples_bpf = 1 << 15;  // LOST_SAMPLES: dropped by a BPF filter
}  // namespace misc

enum class CpuMode : std::uint8_t { unknown, kernel, user, hypervisor, guest_kernel, guest_user };
constexpr bool is_guest(CpuMode mode) { return mode == CpuMode::guest_kernel || mode == CpuMode::guest_user; }

// machine__kernel_ip() of 64-bit machines: the upper half of the address space belongs to the kernel.
constexpr bool is_kernel_address(std::uint64_t address) { return address >= std::uint64_t{1} << 63; }
// The CPU mode of a data or branch address, which may differ from the mode of its sample: machine__addr_cpumode() in
// tools/perf/util/machine.c.
constexpr CpuMode mode_by_address(CpuMode mode, std::uint64_t address) {
  if (mode != CpuMode::kernel && mode != CpuMode::user) return mode;
  return is_kernel_address(address) ? CpuMode::kernel : CpuMode::user;
}

// perf_event_attr.sample_type
namespace sample_bit {
inline constexpr std::uint64_t ip = 1u << 0;
inline constexpr std::uint64_t tid = 1u << 1;
inline constexpr std::uint64_t time = 1u << 2;
inline constexpr std::uint64_t addr = 1u << 3;
inline constexpr std::uint64_t read = 1u << 4;
inline constexpr std::uint64_t callchain = 1u << 5;
inline constexpr std::uint64_t id = 1u << 6;
inline constexpr std::uint64_t cpu = 1u << 7;
inline constexpr std::uint64_t period = 1u << 8;
inline constexpr std::uint64_t stream_id = 1u << 9;
inline constexpr std::uint64_t raw = 1u << 10;
inline constexpr std::uint64_t branch_stack = 1u << 11;
inline constexpr std::uint64_t regs_user = 1u << 12;
inline constexpr std::uint64_t stack_user = 1u << 13;
inline constexpr std::uint64_t weight = 1u << 14;
inline constexpr std::uint64_t data_src = 1u << 15;
inline constexpr std::uint64_t identifier = 1u << 16;
inline constexpr std::uint64_t transaction = 1u << 17;
inline constexpr std::uint64_t regs_intr = 1u << 18;
inline constexpr std::uint64_t phys_addr = 1u << 19;
inline constexpr std::uint64_t aux = 1u << 20;
inline constexpr std::uint64_t cgroup = 1u << 21;
inline constexpr std::uint64_t data_page_size = 1u << 22;
inline constexpr std::uint64_t code_page_size = 1u << 23;
inline constexpr std::uint64_t weight_struct = 1u << 24;
}  // namespace sample_bit

// perf_event_attr: the positions of the bits of the flags word, whose bit 0 is `disabled`.
namespace attr_flag {
inline constexpr unsigned disabled = 0;
inline constexpr unsigned inherit = 1;
inline constexpr unsigned pinned = 2;
inline constexpr unsigned exclusive = 3;
inline constexpr unsigned exclude_user = 4;
inline constexpr unsigned exclude_kernel = 5;
inline constexpr unsigned exclude_hv = 6;
inline constexpr unsigned exclude_idle = 7;
inline constexpr unsigned mmap = 8;
inline constexpr unsigned comm = 9;
inline constexpr unsigned freq = 10;
inline constexpr unsigned inherit_stat = 11;
inline constexpr unsigned enable_on_exec = 12;
inline constexpr unsigned task = 13;
inline constexpr unsigned watermark = 14;
inline constexpr unsigned precise_ip = 15;  // of two bits
inline constexpr unsigned mmap_data = 17;
inline constexpr unsigned sample_id_all = 18;
inline constexpr unsigned exclude_host = 19;
inline constexpr unsigned exclude_guest = 20;
inline constexpr unsigned exclude_callchain_kernel = 21;
inline constexpr unsigned exclude_callchain_user = 22;
inline constexpr unsigned mmap2 = 23;
inline constexpr unsigned comm_exec = 24;
inline constexpr unsigned use_clockid = 25;
inline constexpr unsigned context_switch = 26;
inline constexpr unsigned write_backward = 27;
inline constexpr unsigned namespaces = 28;
inline constexpr unsigned ksymbol = 29;
inline constexpr unsigned bpf_event = 30;
inline constexpr unsigned aux_output = 31;
inline constexpr unsigned cgroup = 32;
inline constexpr unsigned text_poke = 33;
inline constexpr unsigned build_id = 34;
inline constexpr unsigned inherit_thread = 35;
inline constexpr unsigned remove_on_exec = 36;
inline constexpr unsigned sigtrap = 37;
inline constexpr unsigned defer_callchain = 38;
inline constexpr unsigned defer_output = 39;
}  // namespace attr_flag

// perf_event_attr.read_format
namespace read_format {
inline constexpr std::uint64_t total_time_enabled = 1u << 0;
inline constexpr std::uint64_t total_time_running = 1u << 1;
inline constexpr std::uint64_t id = 1u << 2;
inline constexpr std::uint64_t group = 1u << 3;
inline constexpr std::uint64_t lost = 1u << 4;
}  // namespace read_format

// perf_event_attr.branch_sample_type (the bits that matter for reading and for call stacks)
namespace branch_sample {
inline constexpr std::uint64_t user = 1u << 0;
inline constexpr std::uint64_t any = 1u << 3;
inline constexpr std::uint64_t call_stack = 1u << 11;
inline constexpr std::uint64_t no_flags = 1u << 14;
inline constexpr std::uint64_t no_cycles = 1u << 15;
inline constexpr std::uint64_t hw_index = 1u << 17;
inline constexpr std::uint64_t counters = 1u << 19;
}  // namespace branch_sample

// Markers between the parts of a callchain: enum perf_callchain_context. Values from `max` up are never addresses.
namespace callchain_context {
inline constexpr std::uint64_t hypervisor = static_cast<std::uint64_t>(-32);
inline constexpr std::uint64_t kernel = static_cast<std::uint64_t>(-128);
inline constexpr std::uint64_t user = static_cast<std::uint64_t>(-512);
inline constexpr std::uint64_t user_deferred = static_cast<std::uint64_t>(-640);
inline constexpr std::uint64_t guest = static_cast<std::uint64_t>(-2048);
inline constexpr std::uint64_t guest_kernel = static_cast<std::uint64_t>(-2176);
inline constexpr std::uint64_t guest_user = static_cast<std::uint64_t>(-2560);
inline constexpr std::uint64_t max = static_cast<std::uint64_t>(-4095);
}  // namespace callchain_context

// perf_event_attr.type
namespace event_type {
inline constexpr std::uint32_t hardware = 0;
inline constexpr std::uint32_t software = 1;
inline constexpr std::uint32_t tracepoint = 2;
inline constexpr std::uint32_t hw_cache = 3;
inline constexpr std::uint32_t raw = 4;
inline constexpr std::uint32_t breakpoint = 5;
}  // namespace event_type

// perf_event_attr.config of software events: enum perf_sw_ids (those that matter for reading)
namespace software_event {
inline constexpr std::uint64_t dummy = 9;
inline constexpr std::uint64_t bpf_output = 10;
}  // namespace software_event

// Bits of the feature bitmap, and feat_id of HEADER_FEATURE records: the enum in tools/perf/util/header.h.
enum class Feature : std::uint32_t {
  tracing_data = 1,
  build_id,
  hostname,
  os_release,
  version,
  arch,
  nr_cpus,
  cpu_description,
  cpu_id,
  total_memory,
  command_line,
  event_description,
  cpu_topology,
  numa_topology,
  branch_stack,
  pmu_mappings,
  group_description,
  auxtrace,
  stat,
  cache,
  sample_time,
  memory_topology,
  clock_id,
  dir_format,
  bpf_prog_info,
  bpf_btf,
  compressed,
  cpu_pmu_caps,
  clock_data,
  hybrid_topology,
  pmu_caps,
  cpu_domain_info,
  e_machine,
  cln_size,
};
inline constexpr std::uint32_t last_known_feature = 34;

}  // namespace perfsift::reader
