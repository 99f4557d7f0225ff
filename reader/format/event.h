// An event: perf_event_attr and what perf knows about it. (perf calls an event an evsel.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "reader/format/abi.h"
#include "reader/ibs/ibs_unit.h"

namespace perfsift::reader {

// struct perf_event_attr (include/uapi/linux/perf_event.h), in this machine's byte order. Fields unknown to the writer
// are 0.
struct EventAttr {
  std::uint32_t type = 0;
  std::uint32_t size = 0;  // of the struct as the writer knew it, 64..144 and more
  std::uint64_t config = 0;
  std::uint64_t sample_period = 0;  // or the frequency, when freq is set
  std::uint64_t sample_type = 0;
  std::uint64_t read_format = 0;
  std::uint64_t flags = 0;  // the bitfield word; bit 0 is `disabled`
  std::uint32_t wakeup_events = 0;
  std::uint32_t bp_type = 0;
  std::uint64_t config1 = 0;  // bp_addr, kprobe_func, uprobe_path
  std::uint64_t config2 = 0;  // bp_len, kprobe_addr, probe_offset
  std::uint64_t branch_sample_type = 0;
  std::uint64_t sample_regs_user = 0;
  std::uint32_t sample_stack_user = 0;
  std::int32_t clock_id = 0;
  std::uint64_t sample_regs_intr = 0;
  std::uint32_t aux_watermark = 0;
  std::uint16_t sample_max_stack = 0;
  std::uint32_t aux_sample_size = 0;
  std::uint32_t aux_action = 0;
  std::uint64_t sig_data = 0;
  std::uint64_t config3 = 0;
  std::uint64_t config4 = 0;

  // PERF_COUNT_SW_BPF_OUTPUT: the data of BPF programs.
  bool is_bpf_output() const { return type == event_type::software && config == software_event::bpf_output; }
  // PERF_COUNT_SW_DUMMY: an event without samples, for the other records.
  bool is_dummy() const { return type == event_type::software && config == software_event::dummy; }
  bool has(std::uint64_t sample_bit) const { return (sample_type & sample_bit) != 0; }
  bool flag(unsigned bit) const { return ((flags >> bit) & 1) != 0; }
  void set(unsigned bit, bool on = true) {
    flags = (flags & ~(std::uint64_t{1} << bit)) | static_cast<std::uint64_t>(on) << bit;
  }
  void set_precise_ip(unsigned level) {
    flags = (flags & ~(std::uint64_t{3} << attr_flag::precise_ip)) | static_cast<std::uint64_t>(level & 3)
                                                                         << attr_flag::precise_ip;
  }
  bool disabled() const { return flag(attr_flag::disabled); }
  bool inherit() const { return flag(attr_flag::inherit); }
  bool pinned() const { return flag(attr_flag::pinned); }
  bool exclusive() const { return flag(attr_flag::exclusive); }
  bool exclude_user() const { return flag(attr_flag::exclude_user); }
  bool exclude_kernel() const { return flag(attr_flag::exclude_kernel); }
  bool exclude_hv() const { return flag(attr_flag::exclude_hv); }
  bool exclude_idle() const { return flag(attr_flag::exclude_idle); }
  bool mmap() const { return flag(attr_flag::mmap); }
  bool comm() const { return flag(attr_flag::comm); }
  bool freq() const { return flag(attr_flag::freq); }
  bool inherit_stat() const { return flag(attr_flag::inherit_stat); }
  bool enable_on_exec() const { return flag(attr_flag::enable_on_exec); }
  bool task() const { return flag(attr_flag::task); }
  bool watermark() const { return flag(attr_flag::watermark); }
  unsigned precise_ip() const { return (flags >> attr_flag::precise_ip) & 3; }
  bool mmap_data() const { return flag(attr_flag::mmap_data); }
  bool sample_id_all() const { return flag(attr_flag::sample_id_all); }
  bool exclude_host() const { return flag(attr_flag::exclude_host); }
  bool exclude_guest() const { return flag(attr_flag::exclude_guest); }
  bool exclude_callchain_kernel() const { return flag(attr_flag::exclude_callchain_kernel); }
  bool exclude_callchain_user() const { return flag(attr_flag::exclude_callchain_user); }
  bool mmap2() const { return flag(attr_flag::mmap2); }
  bool comm_exec() const { return flag(attr_flag::comm_exec); }
  bool use_clockid() const { return flag(attr_flag::use_clockid); }
  bool context_switch() const { return flag(attr_flag::context_switch); }
  bool write_backward() const { return flag(attr_flag::write_backward); }
  bool namespaces() const { return flag(attr_flag::namespaces); }
  bool ksymbol() const { return flag(attr_flag::ksymbol); }
  bool bpf_event() const { return flag(attr_flag::bpf_event); }
  bool aux_output() const { return flag(attr_flag::aux_output); }
  bool cgroup() const { return flag(attr_flag::cgroup); }
  bool text_poke() const { return flag(attr_flag::text_poke); }
  bool build_id() const { return flag(attr_flag::build_id); }
  bool inherit_thread() const { return flag(attr_flag::inherit_thread); }
  bool remove_on_exec() const { return flag(attr_flag::remove_on_exec); }
  bool sigtrap() const { return flag(attr_flag::sigtrap); }
  bool defer_callchain() const { return flag(attr_flag::defer_callchain); }
  bool defer_output() const { return flag(attr_flag::defer_output); }

  bool operator==(const EventAttr&) const = default;
};

// Decodes an attr of at most `bytes.size()` bytes. Fields that the `size` field does not cover stay 0, and a newer tail
// is ignored. A size of 0 means 64 (PERF_ATTR_SIZE_VER0). On a foreign byte order the bits of the flags word also
// change places (perf's swap_bitfield()). Nothing when the bytes are too few.
std::optional<EventAttr> decode_event_attr(Bytes bytes, ByteOrder order);

inline constexpr std::size_t known_attr_size = 144;  // up to config4

// The struct as decode_event_attr() reads it and perf_event_open() takes it: the first `size` bytes, zeros behind those
// that are known here. The struct's own size field is `size`, not attr.size. `size`: at least 64, a multiple of 8.
std::vector<std::byte> encode_event_attr(const EventAttr& attr, std::size_t size, ByteOrder order);

// Branch Trace Store: every branch is a sample from `ip` to `addr`. is_bts_event() in tools/perf/util/event.c tests a
// bit where it means a number, so perf treats other events with a period of 1 the same.
bool is_branch_trace(const EventAttr& attr);
// Whether a recorded `addr` of the event's samples is known to be an address of code or data of the process: only for
// page faults and branch traces (sample_addr_correlates_sym() in the same file).
bool addr_has_symbol(const EventAttr& attr);

struct Event {
  std::uint32_t index = 0;  // in Recording::events()
  EventAttr attr;
  std::vector<std::uint64_t> ids;
  std::string name;             // "cycles:u", "sched:sched_switch": the name that perf shows
  std::string unit;             // from EVENT_UPDATE
  double scale = 1.0;           // from EVENT_UPDATE
  std::uint32_t leader = 0;     // index of the group's leader (GROUP_DESC, or its own index)
  std::string group_name;       // from GROUP_DESC
  IbsUnit ibs = IbsUnit::none;  // whose event this is; raw data of the samples has the registers of the unit
  IbsProcessor ibs_processor;
  // Fields that samples do not have (bits of sample_type), but that follow from their raw data.
  std::uint64_t derived_fields = 0;
  // Whether the samples have one of these fields, recorded or derived. The layout of a sample depends on attr.has().
  bool knows(std::uint64_t fields) const { return ((attr.sample_type | derived_fields) & fields) != 0; }
  // The event that perf record --off-cpu adds for the time that threads were off their CPUs.
  static constexpr std::string_view off_cpu_name = "offcpu-time";
  // Whether the raw data of a sample contains another sample, as perf writes them since 6.16: evsel__is_offcpu_event().
  bool wraps_off_cpu() const { return attr.has(sample_bit::raw) && attr.is_bpf_output() && name == off_cpu_name; }
  bool has_callchain() const { return attr.has(sample_bit::callchain) || wraps_off_cpu(); }
  std::int32_t tracepoint_id() const {
    return attr.type == event_type::tracepoint ? static_cast<std::int32_t>(attr.config) : -1;
  }
};

// The perf version whose names of events without a recorded name are used.
enum class EventNaming : std::uint8_t {
  newest,    // 7.x: H and G only where host or guest is excluded
  perf_6_1,  // H and G where host and guest differ from perf 6.1's own default: "cycles:HG"
};

// The name that perf makes up for an event without a recorded name: evsel__name() in tools/perf/util/evsel.c.
std::string synthesised_event_name(const EventAttr& attr, EventNaming naming = EventNaming::newest);

}  // namespace perfsift::reader
