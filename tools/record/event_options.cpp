#include "tools/record/event_options.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "options/number_option.h"
#include "options/optional_word.h"
#include "record/events/event_parser.h"
#include "record/machine/limits.h"
#include "record/machine/number_text.h"
#include "record/preset.h"
#include "tools/record/register_names.h"

namespace perfsift::tools {
namespace {

namespace po = options::po;
using record::SessionPlan;

constexpr const char* all_registers = "all";
constexpr std::uint64_t usual_most = 100'000;  // of a kernel whose settings nobody changed

// Groups of one argument are numbered from its first event on.
void append(std::vector<record::EventRequest> more, const std::string& filter, SessionPlan& plan) {
  const std::size_t first = plan.events.size();
  for (record::EventRequest& event : more) {
    event.leader += first;
    if (!filter.empty()) event.filter = filter;
    plan.events.push_back(std::move(event));
  }
}

void check_filter(const std::vector<record::EventRequest>& events, const std::string& filter) {
  const auto is_tracepoint = [](const auto& event) { return event.attr.type == reader::event_type::tracepoint; };
  if (!filter.empty() && !std::ranges::all_of(events, is_tracepoint))
    throw UsageError(fmt::format("--filter '{}': only tracepoints have filters; name one by -e before it", filter));
}

struct NamedClock {
  std::string_view name;
  clockid_t id;
};
// clockid_map[] in tools/perf/util/clockid.c.
constexpr std::array clocks{
    NamedClock{"monotonic", CLOCK_MONOTONIC},
    NamedClock{"monotonic_raw", CLOCK_MONOTONIC_RAW},
    NamedClock{"mono", CLOCK_MONOTONIC},
    NamedClock{"raw", CLOCK_MONOTONIC_RAW},
    NamedClock{"realtime", CLOCK_REALTIME},
    NamedClock{"real", CLOCK_REALTIME},
    NamedClock{"boottime", CLOCK_BOOTTIME},
    NamedClock{"boot", CLOCK_BOOTTIME},
    NamedClock{"tai", CLOCK_TAI},
};

clockid_t clock_named(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  if (name.starts_with("clock_")) name.erase(0, 6);
  const auto found = std::ranges::find(clocks, name, &NamedClock::name);
  if (found != clocks.end()) return found->id;
  throw UsageError(fmt::format("--clockid {}: there are monotonic, monotonic_raw, realtime, boottime and tai", name));
}

struct BranchName {
  std::string_view name;
  unsigned bit;
};
// branch_modes[] in tools/perf/util/parse-branch-options.c; enum perf_branch_sample_type.
constexpr std::array branch_names{
    BranchName{"u", 0},          BranchName{"k", 1},         BranchName{"hv", 2},        BranchName{"any", 3},
    BranchName{"any_call", 4},   BranchName{"any_ret", 5},   BranchName{"ind_call", 6},  BranchName{"abort_tx", 7},
    BranchName{"in_tx", 8},      BranchName{"no_tx", 9},     BranchName{"cond", 10},     BranchName{"stack", 11},
    BranchName{"ind_jmp", 12},   BranchName{"call", 13},     BranchName{"no_flags", 14}, BranchName{"no_cycles", 15},
    BranchName{"save_type", 16}, BranchName{"hw_index", 17}, BranchName{"priv", 18},     BranchName{"counter", 19},
};
constexpr std::uint64_t privilege_bits = 7;  // u, k, hv

// parse_branch_str(): without u, k or hv the modes of the event decide; modes alone mean any branch.
std::uint64_t branch_filter_in(std::string_view text) {
  std::uint64_t filter = 0;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const auto found = std::ranges::find(branch_names, word, &BranchName::name);
    if (found == branch_names.end()) throw UsageError(fmt::format("--branch-filter {}: no such branches", word));
    filter |= std::uint64_t{1} << found->bit;
  }
  return (filter & ~privilege_bits) == 0 ? filter | reader::branch_sample::any : filter;
}

}  // namespace

void EventOptions::add_to(po::options_description& options, Filters filters) {
  auto add = options.add_options();
  add("event,e", po::value(&names_)->value_name("EVENTS"),
      "events as for perf record: cycles:P, sched:sched_switch, {a,b}:S, mem:0xADDRESS:w, …");
  if (filters == Filters::of_kernel)
    add("filter", po::value(&filters_)->value_name("FILTER"), "the kernel's filter of the tracepoint named before");
  add("preset", po::value(&preset_)->value_name("PRESET"),
      "the best events of this machine for cpu, offcpu, mem, c2c, locks or faults");
  add("freq,F", po::value(&frequency_)->value_name("HZ|max"), "samples a second (4000)");
  add("count,c", options::whole_number(period_, {.least = 1}), "the number of events from sample to sample");
}

void EventOptions::take(const std::string& option, const std::string& value) {
  if (option == "event") named_.push_back({.events = value, .filter = ""});
  if (option != "filter") return;
  if (named_.empty()) throw UsageError("--filter '" + value + "': name a tracepoint by -e before it");
  std::string& filter = named_.back().filter;
  filter = filter.empty() ? value : fmt::format("({}) && ({})", filter, value);
}

void EventOptions::apply(SessionPlan& plan, std::vector<std::string>& notes) const {
  if (period_ && !frequency_.empty()) throw UsageError("--count and --freq exclude each other");
  const record::EventSources sources;
  for (const Named& named : named_) {
    auto events = record::parse_events(named.events, sources);
    check_filter(events, named.filter);
    append(std::move(events), named.filter, plan);
  }
  if (!preset_.empty() || named_.empty()) {
    const record::PresetChoice choice =
        record::choose_preset(preset_.empty() ? preferred_ : record::preset_named(preset_), sources);
    if (!preset_.empty()) notes.push_back(fmt::format("--preset {}: {}", preset_, choice.reason));
    append(record::parse_events(choice.events, sources), "", plan);
    if (!preset_.empty() || preferred_ != record::Preset::cpu) choice.add_to(plan);
  }
  apply_rate(plan.content);
}

// A rate of the user comes before that of a preset. Without both, the session knows what is usual for each event.
void EventOptions::apply_rate(record::SampleContent& content) const {
  if (period_) {
    content.period = period_;
  } else if (!frequency_.empty()) {
    content.period.reset();
    content.frequency =
        frequency_ == "max" ? record::max_sample_rate("/proc").value_or(usual_most) : record::read_number(frequency_);
    if (!content.frequency || *content.frequency == 0)
      throw UsageError("--freq " + frequency_ + ": a number of samples a second, or max, is needed");
  }
}

void ContentOptions::add_stacks_to(po::options_description& options) {
  auto add = options.add_options();
  add(",g", po::bool_switch(&callers_), "record callchains by frame pointers");
  add("call-graph", po::value(&call_graph_)->value_name("fp|dwarf[,BYTES]|lbr"),
      "record callchains; dwarf copies BYTES of each stack (8192)");
}

void ContentOptions::add_to(po::options_description& options) {
  add_stacks_to(options);
  auto add = options.add_options();
  add("max-stack", options::whole_number(max_stack_, {.least = 1}), "the most frames of a callchain");
  add("data,d", po::bool_switch(&content_.addresses), "record data addresses, and mappings of data");
  add("phys-data", po::bool_switch(&content_.physical_addresses), "record physical addresses of data");
  add("data-page-size", po::bool_switch(&content_.data_page_size), "record page sizes of data");
  add("code-page-size", po::bool_switch(&content_.code_page_size), "record page sizes of code");
  add("weight,W", po::bool_switch(&content_.weight), "record weights: latencies of memory accesses");
  add("transaction", po::bool_switch(&content_.transactions), "record flags of transactions");
  add("intr-regs,I", options::optional_word(interrupt_registers_, all_registers)->value_name("REGISTERS|?"),
      "record registers at the interrupt, all or those that are named; ? lists them");
  add("user-regs", options::optional_word(user_registers_, all_registers)->value_name("REGISTERS|?"),
      "record registers of user code");
  add("period,P", po::bool_switch(&content_.always_period), "record periods, also if they are fixed");
  add("raw-samples,R", po::bool_switch(&content_.always_raw), "record raw data of all events");
  add("sample-identifier", po::bool_switch(&content_.identifier), "record the identifier of each sample's counter");
  add("timestamp,T", po::bool_switch(), "record times, which is what happens anyway");
  add("stat,s", po::bool_switch(&content_.thread_counts), "record the counts of each thread that ends");
  add("running-time", po::bool_switch(&content_.running_time), "record the times for which events counted");
  add("no-samples,n", po::bool_switch(&content_.no_samples), "record no samples, only what is beside them");
  add("kernel-callchains", po::bool_switch(&kernel_callchains_), "record callchains of the kernel only");
  add("user-callchains", po::bool_switch(&user_callchains_), "record callchains of user code only");
  add("strict-freq", po::bool_switch(&content_.strict_frequency), "fail if the kernel does not allow the frequency");
  add("sample-cpu", po::bool_switch(&content_.cpu), "record the CPU of each sample");
  add("branch-any,b", po::bool_switch(&any_branch_), "record the branches before each sample");
  add("branch-filter,j", po::value(&branches_)->value_name("BRANCHES"), "record branches of some kinds: any_call,u");
  add("switch-events", po::bool_switch(&side_band_.switches), "record context switches");
  add("namespaces", po::bool_switch(&side_band_.namespaces), "record namespaces");
  add("all-cgroups", po::bool_switch(&side_band_.cgroups), "record control groups, and the group of each sample");
  add("no-bpf-event", po::bool_switch()->notifier([this](bool off) { side_band_.kernel_code = !off; }),
      "do not record programs of BPF");
  add("no-buildid-mmap", po::bool_switch(&no_build_ids_), "record mappings without build ids");
  add("buildid-mmap", po::bool_switch(), "record mappings with build ids, which is what happens anyway");
  add("all-kernel", po::bool_switch(&all_kernel_), "sample the kernel only");
  add("all-user", po::bool_switch(&all_user_), "sample user code only");
  add("clockid,k", po::value(&clock_)->value_name("CLOCK"), "the clock of times (monotonic)");
}

void read_call_graph(const std::string& text, record::SampleContent& content) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string_view mode = std::string_view(text).substr(0, comma);
  const std::string_view size = std::string_view(text).substr(std::min(comma + 1, text.size()));
  const auto named = record::call_graph_named(mode);
  if (!named) throw UsageError("--call-graph " + text + ": there are fp, dwarf and lbr");
  content.call_graph = *named;
  if (comma == text.size()) return;
  constexpr std::uint64_t most = 65528;  // the size of a record is a number of 16 bits; a multiple of 8
  const auto bytes = record::read_number(size);
  if (mode != "dwarf" || !bytes || *bytes == 0 || *bytes > most)
    throw UsageError("--call-graph " + text + ": dwarf takes a number of bytes from 8 to 65528");
  content.stack_size = static_cast<std::uint32_t>((*bytes + 7) & ~std::uint64_t{7});
}

void ContentOptions::apply_call_graph(record::SampleContent& content) const {
  if (kernel_callchains_ && user_callchains_)
    throw UsageError("--kernel-callchains and --user-callchains exclude each other");
  content.user_callchains = !kernel_callchains_;
  content.kernel_callchains = !user_callchains_;
  if (callers_) content.call_graph = record::CallGraph::frame_pointers;
  if (!call_graph_.empty()) read_call_graph(call_graph_, content);
}

void ContentOptions::apply_registers(record::SampleContent& content) const {
  const auto mask = [](const std::string& names, std::string_view option) {
    return register_mask(names == all_registers ? std::string_view() : names, option);
  };
  if (!user_registers_.empty()) content.user_registers = mask(user_registers_, "--user-regs");
  if (!interrupt_registers_.empty()) content.interrupt_registers = mask(interrupt_registers_, "--intr-regs");
}

// Adds what the user wants to what a preset wants.
void ContentOptions::apply(SessionPlan& plan) const {
  if (all_kernel_ && all_user_) throw UsageError("--all-kernel and --all-user exclude each other");
  using Content = record::SampleContent;
  for (bool Content::*const field :
       {&Content::addresses, &Content::physical_addresses, &Content::data_page_size, &Content::code_page_size,
        &Content::weight, &Content::transactions, &Content::cpu, &Content::always_period, &Content::always_raw,
        &Content::identifier, &Content::thread_counts, &Content::running_time, &Content::no_samples,
        &Content::strict_frequency})
    plan.content.*field |= content_.*field;
  apply_call_graph(plan.content);
  apply_registers(plan.content);
  plan.content.max_stack = max_stack_;
  plan.content.cgroup = side_band_.cgroups;
  if (any_branch_) plan.content.branch_filter = reader::branch_sample::any;
  if (!branches_.empty()) plan.content.branch_filter = branch_filter_in(branches_);
  plan.side_band.switches |= side_band_.switches;
  plan.side_band.namespaces = side_band_.namespaces;
  plan.side_band.cgroups = side_band_.cgroups;
  plan.side_band.kernel_code = side_band_.kernel_code;
  plan.side_band.build_ids = !no_build_ids_;
  if (!clock_.empty()) plan.clock_id = clock_named(clock_);
  for (record::EventRequest& event : plan.events) {
    if (all_kernel_) event.attr.set(reader::attr_flag::exclude_user);
    if (all_user_) {
      event.attr.set(reader::attr_flag::exclude_kernel);
      event.attr.set(reader::attr_flag::exclude_hv);
    }
  }
}

}  // namespace perfsift::tools
