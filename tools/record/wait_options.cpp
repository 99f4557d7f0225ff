#include "tools/record/wait_options.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/error.h"
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
      "with --in-kernel: the time between two readings of the sums");
  add("stacks", options::po::value(&stacks_)->value_name("both|user|kernel|none"),
      "with --in-kernel: the stacks by which waits are summed (both)");
  add("table-rows", options::whole_number(rows_, {.least = least_rows, .most = most_rows}),
      "with --in-kernel: room for so many sums between two readings (65536)");
}

void WaitOptions::complete() {
  if (!over_text_.empty()) over = options::duration_option("--over", over_text_, microsecond);
  if (!every_text_.empty())
    every_ =
        std::chrono::nanoseconds(static_cast<std::int64_t>(options::duration_option("--every", every_text_, second)));
  if (in_kernel && over == 0) throw UsageError("--over 0: each wait would be kept by itself: leave --in-kernel away");
  if (every_ && every_->count() < static_cast<std::int64_t>(second) / 10)
    throw UsageError("--every: sums are read at most ten times a second");
  if (!in_kernel && (over || every_ || rows_ || stacks_ != both_stacks))
    throw UsageError("--over, --every, --stacks and --table-rows are about BPF programs: they need --in-kernel");
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

void WaitOptions::every_second() {
  if (!every_) every_ = std::chrono::seconds(1);
}

record::WaitPlan WaitOptions::apply(record::SessionPlan& plan) const {
  record::Target& target = plan.target;
  if (!target.cpus.empty() || target.user) throw UsageError("--in-kernel measures no single CPUs (-C) and users (-u)");
  if (target.per_thread) throw UsageError("--in-kernel and --per-thread exclude each other");
  record::WaitPlan waits;
  waits.over = over.value_or(0);
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
  plan.events = record::parse_events("dummy", {});
  plan.content = {};
  plan.content.period = 1;
  plan.content.identifier = true;  // beside the samples that are made here
  return waits;
}

std::unique_ptr<record::WaitRecorder> WaitOptions::open(const record::WaitPlan& plan) const {
  return std::make_unique<record::WaitRecorder>(plan, every_);
}

}  // namespace perfsift::tools
