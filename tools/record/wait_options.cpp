#include "tools/record/wait_options.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/time_of_day.h"
#include "options/interval_filter_options.h"
#include "options/number_option.h"
#include "record/events/event_parser.h"

namespace perfsift::tools {
namespace {

constexpr std::size_t least_rows = 64, most_rows = std::size_t{1} << 22;
constexpr std::array<std::string_view, 4> stack_choices{"both", "user", "kernel", "none"};
constexpr std::uint64_t microsecond = 1'000, second = 1'000'000'000;

// The id of a cgroup is the number of its folder: cgroup_id() in include/linux/cgroup.h.
std::uint64_t cgroup_id(const std::string& path) {
  struct stat status {};
  const std::string folder = "/sys/fs/cgroup/" + path;
  if (stat(folder.c_str(), &status) == 0) return status.st_ino;
  throw UsageError(fmt::format("--cgroup {}: {}: {}", path, folder, std::strerror(errno)));
}

}  // namespace

void WaitOptions::add_to(options::po::options_description& options) {
  auto add = options.add_options();
  add("in-kernel", options::po::bool_switch(&in_kernel), "sum waits by BPF programs instead of recording every switch");
  add("over", options::po::value(&over_text_)->value_name("TIME"),
      "with --in-kernel: keep each wait of at least this length by itself");
  add("every", options::po::value(&every_text_)->value_name("TIME"),
      "with --in-kernel: the time between two reports; of record: between two readings of the sums");
  add("attach-at", options::po::value(&begins_at_text_)->value_name("HH:MM[:SS]"),
      "with --in-kernel: attach the BPF programs and begin at this time of the day");
  add("bpf-stats", options::po::bool_switch(&counts_programs_),
      "with --in-kernel: have the kernel count the run time of the BPF programs, which costs each switch some time");
  add("stacks", options::po::value(&stacks_)->value_name("both|user|kernel|none"),
      "with --in-kernel: the stacks by which waits are summed (both)");
  add("table-rows", options::whole_number(rows_, {.least = least_rows, .most = most_rows}),
      "with --in-kernel: room for so many sums between two readings (65536)");
}

void WaitOptions::complete() {
  if (!over_text_.empty()) over = options::duration_option("--over", over_text_, microsecond);
  if (!every_text_.empty())
    every =
        std::chrono::nanoseconds(static_cast<std::int64_t>(options::duration_option("--every", every_text_, second)));
  if (!begins_at_text_.empty() && !(begins_at = next_time_of_day(begins_at_text_, std::chrono::system_clock::now())))
    throw UsageError(fmt::format("--attach-at {}: not a time of the day such as 03:30 or 23:59:30", begins_at_text_));
  if (in_kernel && over == 0) throw UsageError("--over 0: each wait would be kept by itself: leave --in-kernel away");
  if (every && every->count() < static_cast<std::int64_t>(second) / 10)
    throw UsageError("--every: sums are read at most ten times a second");
  if (!in_kernel && (over || every || rows_ || begins_at || counts_programs_ || stacks_ != both_stacks))
    throw UsageError(
        "--over, --every, --stacks, --table-rows, --attach-at and --bpf-stats are about BPF programs: they need "
        "--in-kernel");
  if (std::ranges::find(stack_choices, stacks_) == stack_choices.end())
    throw UsageError(fmt::format("--stacks {}: there are both, user, kernel and none", stacks_));
  if (!in_kernel) return;
  if (const std::string why = record::WaitPrograms::why_missing(); !why.empty()) throw Error(why);
}

void WaitOptions::over_as(std::optional<std::uint64_t> nanoseconds) {
  if (!over) over = nanoseconds;
  if (nanoseconds && *nanoseconds < *over)
    throw UsageError("--spikes-over lists waits that are kept by themselves: it must not be less than --over");
}

std::uint32_t WaitOptions::copied_stack(const record::SampleContent& content) const {
  if (!over) throw UsageError("--call-graph dwarf copies the stacks of waits that are kept by themselves: --over TIME");
  if (content.stack_size <= record::WaitPlan::most_copied) return content.stack_size;
  throw UsageError(
      fmt::format("--call-graph dwarf: --in-kernel copies at most {} bytes", record::WaitPlan::most_copied));
}

record::WaitPlan WaitOptions::apply(record::SessionPlan& plan) const {
  record::Target& target = plan.target;
  if (!target.cpus.empty() || target.user) throw UsageError("--in-kernel measures no single CPUs (-C) and users (-u)");
  if (target.per_thread) throw UsageError("--in-kernel and --per-thread exclude each other");
  record::WaitPlan waits;
  waits.over = over.value_or(0);
  waits.count_programs = counts_programs_;
  if (rows_) waits.rows = *rows_;
  waits.user_stacks = stacks_ == both_stacks || stacks_ == "user";
  waits.kernel_stacks = stacks_ == both_stacks || stacks_ == "kernel";
  waits.pids.assign(target.processes.begin(), target.processes.end());
  waits.tids.assign(target.threads.begin(), target.threads.end());
  waits.some_processes = !target.system_wide && !target.command.empty();
  waits.inherit = target.inherit;
  for (const std::string& cgroup : target.cgroups) waits.cgroups.push_back(cgroup_id(cgroup));
  // Names are needed also of the threads that wake those that are measured.
  if (!target.cgroups.empty() || !target.command.empty()) target.system_wide = true;
  target.cgroups.clear();
  if (plan.content.call_graph == record::CallGraph::dwarf) waits.copied_stack = copied_stack(plan.content);
  if (waits.copied_stack != 0) waits.event_bytes *= 4;
  plan.events = record::parse_events("dummy", {});
  plan.content = {};
  plan.content.period = 1;
  plan.content.identifier = true;  // beside the samples that are made here
  return waits;
}

std::unique_ptr<record::WaitRecorder> WaitOptions::open(const record::WaitPlan& plan) const {
  return std::make_unique<record::WaitRecorder>(plan, record::WaitPrograms::load(plan), every);
}

}  // namespace perfsift::tools
