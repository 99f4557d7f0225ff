#include "record/attr_configuration.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/error.h"
#include "base/page_size.h"
#include "record/traces.h"

namespace perfsift::record {

namespace {

namespace flag = reader::attr_flag;
namespace sample_bit = reader::sample_bit;
namespace read_format = reader::read_format;
using reader::EventAttr;

constexpr std::uint64_t default_frequency = 4000;  // DEFAULT_FREQ of perf record

// __evsel__config_callchain() asks for these bits to read a call stack from LBR. The flags and cycles of branches are
// no part of a call stack.
namespace branch = reader::branch_sample;
constexpr std::uint64_t call_stack_branches =
    branch::user | branch::call_stack | branch::no_flags | branch::no_cycles | branch::hw_index;

bool is_leader(const SessionPlan& plan, std::size_t index) { return plan.events[index].leader == index; }

// The members of {a,b}:S do not sample: each sample of the leader has their counts.
bool is_counted_by_leader(const SessionPlan& plan, std::size_t index) {
  return plan.events[index].sampled_by_leader && !is_leader(plan, index);
}

// perf record -t records these threads only.
bool inherits(const SessionPlan& plan, const EventRequest& request) {
  // Before Linux 6.12 no event whose samples have counts is inherited, and later the counts are those of one thread.
  if (request.sampled_by_leader || plan.target.per_thread || !plan.target.threads.empty()) return false;
  return request.terms.inherit.value_or(plan.target.inherit);
}

// Whether the records beside samples need an event of their own, as record__config_tracking_events() in
// tools/perf/builtin-record.c decides. perf lets the first event track where threads are recorded that run already, and
// so loses the records from the moment at which /proc was read up to the moment at which the event is enabled.
bool needs_dummy(const SessionPlan& plan) {
  if (!enabled_on_exec(plan) || plan.events.empty() || records_traces(plan)) return true;
  const EventRequest& first = plan.events.front();
  const bool is_fit = first.cpus.empty() && !is_overwritten(plan, first) && first.terms.time.value_or(true) &&
                      inherits(plan, first) == plan.target.inherit;
  return !is_fit;
}

void set_rate(EventAttr& attr, bool sampled_by_frequency, std::uint64_t rate) {
  attr.set(flag::freq, sampled_by_frequency);
  attr.sample_period = rate;
}

// Terms of the event come first, then options, then what the event itself says. Each tracepoint and each access to a
// breakpoint is a sample unless somebody says otherwise.
void configure_rate(EventAttr& attr, const EventRequest& request, const SampleContent& content) {
  const bool counts_each = attr.type == reader::event_type::tracepoint || attr.type == reader::event_type::breakpoint;
  if (request.terms.period) {
    set_rate(attr, false, *request.terms.period);
  } else if (request.terms.frequency) {
    set_rate(attr, true, *request.terms.frequency);
  } else if (content.period) {
    set_rate(attr, false, *content.period);
  } else if (content.frequency) {
    set_rate(attr, true, *content.frequency);
  } else if (attr.sample_period == 0) {
    set_rate(attr, !counts_each, counts_each ? 1 : default_frequency);
  }
}

// record_opts__config_freq() in tools/perf/util/record.c.
void limit_frequency(EventAttr& attr, const std::string& name, std::optional<std::uint64_t> max_sample_rate,
                     bool strict, std::vector<std::string>& left_out) {
  if (!attr.freq() || !max_sample_rate || attr.sample_period <= *max_sample_rate) return;
  if (strict)
    throw UsageError(fmt::format("{}: {} samples a second are more than kernel.perf_event_max_sample_rate allows: {}",
                                 name, attr.sample_period, *max_sample_rate));
  left_out.push_back(
      fmt::format("{}: {} samples a second instead of {}: kernel.perf_event_max_sample_rate allows no more", name,
                  *max_sample_rate, attr.sample_period));
  attr.sample_period = *max_sample_rate;
}

CallGraph call_graph_of(const EventRequest& request, const SampleContent& content) {
  if (!request.terms.call_graph) return content.call_graph;
  return call_graph_named(*request.terms.call_graph).value_or(CallGraph::none);
}

void copy_user_stack(EventAttr& attr, std::uint32_t size) {
  attr.sample_type |= sample_bit::regs_user | sample_bit::stack_user;
  attr.sample_regs_user |= unwind_registers();
  attr.sample_stack_user = size;
  attr.set(flag::exclude_callchain_user);
}

// perf also asks for data addresses and mappings of data with dwarf (record_opts__parse_callchain()); unwinding by CFI
// does not read them.
void configure_callchain(EventAttr& attr, const EventRequest& request, const SampleContent& content) {
  const CallGraph kind = call_graph_of(request, content);
  if (kind == CallGraph::none) return;
  attr.sample_type |= sample_bit::callchain;
  attr.sample_max_stack = request.terms.max_stack ? *request.terms.max_stack : content.max_stack.value_or(0);
  attr.set(flag::exclude_callchain_kernel, !content.kernel_callchains);
  attr.set(flag::exclude_callchain_user, !content.user_callchains);
  if (kind == CallGraph::dwarf) copy_user_stack(attr, request.terms.stack_size.value_or(content.stack_size));
  if (kind == CallGraph::branch_stack && !attr.exclude_user()) {
    attr.sample_type |= sample_bit::branch_stack;
    attr.branch_sample_type = call_stack_branches;
  }
}

void configure_registers(EventAttr& attr, const SampleContent& content) {
  if (content.user_registers) {
    attr.sample_type |= sample_bit::regs_user;
    attr.sample_regs_user |= *content.user_registers;
  }
  if (content.interrupt_registers) {
    attr.sample_type |= sample_bit::regs_intr;
    attr.sample_regs_intr |= *content.interrupt_registers;
  }
}

void configure_optional_fields(EventAttr& attr, const SampleContent& content) {
  const auto ask = [&](bool wanted, std::uint64_t bits) { attr.sample_type |= wanted ? bits : 0; };
  ask(content.addresses, sample_bit::addr | sample_bit::data_src);
  ask(content.physical_addresses, sample_bit::phys_addr);
  ask(content.data_page_size, sample_bit::data_page_size);
  ask(content.code_page_size, sample_bit::code_page_size);
  ask(content.weight, sample_bit::weight_struct);
  ask(content.transactions, sample_bit::transaction);
  ask(content.cgroup, sample_bit::cgroup);
  ask(content.cpu, sample_bit::cpu);
  ask(attr.freq() || content.always_period, sample_bit::period);
  const bool has_raw = attr.type == reader::event_type::tracepoint || attr.is_bpf_output();
  ask((has_raw && content.raw) || content.always_raw, sample_bit::raw | sample_bit::cpu | sample_bit::period);
  if (content.branch_filter) {
    attr.sample_type |= sample_bit::branch_stack;
    attr.branch_sample_type |= *content.branch_filter == 0 ? branch::any : *content.branch_filter;
  }
}

void configure_sample(EventAttr& attr, const EventRequest& request, const SessionPlan& plan) {
  attr.sample_type |= sample_bit::ip | sample_bit::tid;
  if (request.terms.time.value_or(true)) attr.sample_type |= sample_bit::time;
  if (plan.target.on_cpus()) attr.sample_type |= sample_bit::cpu;
  configure_rate(attr, request, plan.content);
  configure_optional_fields(attr, plan.content);
  configure_registers(attr, plan.content);
  configure_callchain(attr, request, plan.content);
  if (plan.content.no_samples) attr.sample_period = 0;
}

// The kernel writes a READ record when an inherited thread ends: sync_child_event() in kernel/events/core.c.
void configure_counts(EventAttr& attr, const SampleContent& content) {
  attr.set(flag::inherit_stat, content.thread_counts);
  if (content.thread_counts || content.running_time)
    attr.read_format |= read_format::total_time_enabled | read_format::total_time_running;
}

// A trace has neither stacks, registers nor branches. Its rings belong to CPUs, so other records also need their CPU.
void configure_traced(EventAttr& attr, const EventRequest& request, const SessionPlan& plan,
                      std::vector<std::string>& left_out) {
  attr.sample_type |= sample_bit::ip | sample_bit::tid | sample_bit::time | sample_bit::cpu;
  configure_trace(attr, request, plan.content, left_out);
  SampleContent content;
  content.addresses = plan.content.addresses;
  content.weight = plan.content.weight;
  content.physical_addresses = plan.content.physical_addresses;
  configure_optional_fields(attr, content);
}

// All events of a session have these, the dummy event included: the kernel lets events with different clocks not
// write into one ring. Times of a trace are those of a counter of the hardware, which the kernel converts to its
// default clock only (TIME_CONV).
void configure_common(EventAttr& attr, const SessionPlan& plan) {
  attr.read_format |= read_format::id | read_format::lost;
  attr.set(flag::sample_id_all);
  attr.set(flag::use_clockid, !records_traces(plan));
  attr.clock_id = attr.use_clockid() ? plan.clock_id : 0;
  attr.set(flag::watermark);
  const double share = std::clamp(plan.rings.watermark, 0.0, 1.0);
  const auto bytes = static_cast<double>(ordinary_ring_bytes(plan.rings));  // an overwritten ring wakes nobody
  attr.wakeup_events = static_cast<std::uint32_t>(std::max(1.0, share * bytes));
}

void track_side_band(EventAttr& attr, const SessionPlan& plan) {
  for (const unsigned bit : {flag::mmap, flag::mmap2, flag::comm, flag::comm_exec, flag::task}) attr.set(bit);
  attr.set(flag::mmap_data, plan.content.addresses);
  attr.set(flag::build_id, plan.side_band.build_ids);
  attr.set(flag::ksymbol, plan.side_band.kernel_code);
  attr.set(flag::bpf_event, plan.side_band.kernel_code);
  // A kernel without CONFIG_PID_IN_CONTEXTIDR does not put threads into the trace, so switches give them:
  // arm_spe_recording_options() in tools/perf/arch/arm64/util/arm-spe.c.
  attr.set(flag::context_switch, plan.side_band.switches || records_traces(plan));
  attr.set(flag::namespaces, plan.side_band.namespaces);
  attr.set(flag::cgroup, plan.side_band.cgroups);
}

// evlist__add_dummy(), which excludes the kernel so that the event needs no privileges. No sample is ever written, so
// only the fields are asked for that stand at the end of other records (perf_event__output_id_sample()).
SessionEvent dummy_event(const SessionPlan& plan, std::size_t index) {
  SessionEvent event{.attr = {}, .name = "dummy:u", .leader = index, .request = std::nullopt, .tracks = true};
  event.attr.type = reader::event_type::software;
  event.attr.config = reader::software_event::dummy;
  event.attr.sample_period = 1;
  event.attr.sample_type = sample_bit::ip | sample_bit::tid | sample_bit::time;
  if (plan.target.on_cpus() || records_traces(plan)) event.attr.sample_type |= sample_bit::cpu;
  event.attr.set(flag::exclude_kernel);
  event.attr.set(flag::exclude_hv);
  event.attr.set(flag::inherit, inherits(plan, EventRequest{}));
  return event;
}

// perf_read_group() gives all counts of a group; a sample of the leader has them in the same form.
// evsel__config_leader_sampling() makes the samples of all members alike.
void configure_leader_sampling(const SessionPlan& plan, std::vector<SessionEvent>& events) {
  for (SessionEvent& event : events) {
    if (!plan.events[*event.request].sampled_by_leader) continue;
    event.attr.sample_type |= sample_bit::read;
    event.attr.read_format |= read_format::group;
    if (!is_counted_by_leader(plan, *event.request)) continue;
    event.attr.sample_type = events[event.leader].attr.sample_type;
    set_rate(event.attr, false, 0);
  }
}

SessionEvent configured_event(const SessionPlan& plan, std::size_t index, std::vector<std::string>& left_out) {
  const EventRequest& request = plan.events[index];
  SessionEvent event{
      .attr = request.attr, .name = request.name, .leader = request.leader, .request = index, .tracks = false};
  event.traces = request.trace.has_value();
  if (event.traces) {
    configure_traced(event.attr, request, plan, left_out);
  } else {
    configure_sample(event.attr, request, plan);
  }
  event.attr.set(flag::inherit, inherits(plan, request));
  configure_counts(event.attr, plan.content);
  event.attr.set(flag::disabled, is_leader(plan, index));
  event.attr.set(flag::enable_on_exec, is_leader(plan, index) && enabled_on_exec(plan));
  event.attr.set(flag::write_backward, is_overwritten(plan, request));
  event.attr.set(flag::aux_output, request.terms.aux_output.value_or(false));
  if (request.terms.aux_sample_size) {
    event.attr.sample_type |= sample_bit::aux;
    event.attr.aux_sample_size = *request.terms.aux_sample_size;
  }
  if (request.most_precise) event.attr.set_precise_ip(3);
  return event;
}

void say_what_is_not_inherited(const SessionPlan& plan, std::vector<std::string>& left_out) {
  if (plan.target.on_cpus() || !plan.target.inherit) return;
  const bool any = std::ranges::any_of(plan.events, [](const EventRequest& event) { return event.sampled_by_leader; });
  if (any) left_out.emplace_back("threads and processes that are started later: groups with :S are not inherited");
}

}  // namespace

std::vector<SessionEvent> configured_events(const SessionPlan& plan, std::optional<std::uint64_t> max_sample_rate,
                                            std::vector<std::string>& left_out) {
  std::vector<SessionEvent> events;
  for (std::size_t index = 0; index < plan.events.size(); ++index)
    events.push_back(configured_event(plan, index, left_out));
  configure_leader_sampling(plan, events);
  for (SessionEvent& event : events) {
    limit_frequency(event.attr, event.name, max_sample_rate, plan.content.strict_frequency, left_out);
  }
  say_what_is_not_inherited(plan, left_out);

  if (needs_dummy(plan)) events.push_back(dummy_event(plan, events.size()));
  SessionEvent& tracking = needs_dummy(plan) ? events.back() : events.front();
  tracking.tracks = true;
  track_side_band(tracking.attr, plan);
  for (SessionEvent& event : events) {
    configure_common(event.attr, plan);
    // An id distinguishes the records of several events. IDENTIFIER puts the id where all samples
    // have it.
    if (events.size() > 1 || plan.content.identifier) event.attr.sample_type |= sample_bit::identifier;
  }
  return events;
}

bool enabled_on_exec(const SessionPlan& plan) {
  const Target& target = plan.target;
  const bool records_command = !target.command.empty() && !target.on_cpus() && !target.names_threads();
  return records_command && !plan.start_disabled && !plan.delay;
}

bool is_overwritten(const SessionPlan& plan, const EventRequest& request) {
  return request.terms.overwrite.value_or(plan.rings.overwritten);
}

std::size_t ring_bytes(const RingPlan& plan) {
  const std::size_t page = page_size();
  constexpr std::size_t largest = std::size_t{1} << 30;
  return std::bit_ceil(std::clamp(plan.bytes, page, largest));
}

std::size_t ordinary_ring_bytes(const RingPlan& plan) {
  if (!plan.overwritten) return ring_bytes(plan);
  RingPlan beside = plan;
  beside.bytes = std::min(plan.bytes, plan.beside_bytes);
  return ring_bytes(beside);
}

std::uint64_t unwind_registers() {
#if defined(__x86_64__)
  return 0xff0fff;  // AX … SS, R8 … R15: the kernel refuses DS, ES, FS and GS
#elif defined(__aarch64__)
  return 0x1ffffffff;  // X0 … X29, LR, SP, PC
#else
  return 0;
#endif
}

}  // namespace perfsift::record
