#include "record/keep/keep_plan.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/error.h"
#include "filter/filter.h"
#include "filter/predicates.h"
#include "record/keep/condition.h"
#include "record/keep/kernel_filter.h"
#include "record/keep/live.h"
#include "record/keep/number_list.h"
#include "record/keep/possible_values.h"
#include "record/keep/tracepoint_fields.h"

namespace perfsift::record {
namespace {

using filter::Fact;
namespace type = reader::event_type;
namespace flag = reader::attr_flag;

// More threads than that would cost more file descriptors than a recording of all threads.
constexpr std::size_t most_threads = 64;

struct OpenEvent {
  KeptEvent event;
  Condition condition;
  std::size_t group = 0;  // the leader's index in the request
};

std::string whole_expression(const std::vector<filter::FilterText>& texts) {
  if (texts.size() == 1) return texts.front().text;
  std::string whole;
  for (const filter::FilterText& text : texts) whole += (whole.empty() ? "(" : " && (") + text.text + ")";
  return whole;
}

// A sample of such a group has the counts of all members, which readers make samples of.
bool is_sampled_by_leader(const std::vector<EventRequest>& events, std::size_t group) {
  return std::ranges::any_of(
      events, [&](const EventRequest& event) { return event.leader == group && event.sampled_by_leader; });
}

class Planner {
 public:
  Planner(const KeepRequest& request, const reader::TracepointFormats& formats)
      : request_(request), formats_(formats), filter_(filter::Filter::parse(request.expressions)) {
    plan_.target = request.target;
  }

  KeepPlan plan() {
    check();
    reduce();
    find_cpus();
    leave_out();
    if (open_.empty()) throw UsageError("--keep " + expression() + ": no sample of any event can be kept");
    narrow_cpus();
    narrow_threads();
    narrow_cgroup();
    for (OpenEvent& open : open_) finish(open);
    renumber_groups();
    for (OpenEvent& open : open_) plan_.events.push_back(std::move(open.event));
    return std::move(plan_);
  }

 private:
  std::string expression() const { return "'" + whole_expression(request_.expressions) + "'"; }

  void check() const {
    filter_.check(RecordedTracepoints(request_.events, formats_));
    check_live(filter_, whole_expression(request_.expressions));
  }

  // The condition of each event.
  void reduce() {
    for (std::size_t i = 0; i < request_.events.size(); ++i) {
      const EventRequest& request = request_.events[i];
      const KnownEvent known{.name = request.name,
                             .is_tracepoint = request.attr.type == type::tracepoint,
                             .format = format_of(request.attr, formats_)};
      OpenEvent open{.event = {.request = request, .asked = i}, .condition = {}, .group = request.leader};
      if (!is_sampled_by_leader(request_.events, open.group)) open.condition = condition_of(filter_, known);
      open_.push_back(std::move(open));
    }
  }

  // --- CPUs ---

  const std::vector<unsigned>& all_cpus() const {
    return request_.target.cpus.empty() ? request_.online_cpus : request_.target.cpus;
  }
  std::vector<unsigned> cpus_of(const OpenEvent& open) const {
    const std::vector<unsigned>& served = open.event.request.cpus;
    const auto wanted = ValueSet::of(all_cpus()).among(served.empty() ? all_cpus() : served);
    return possible_values(open.condition, Fact::cpu).values.among(wanted);
  }
  // The members of a group are opened on the same CPUs.
  void find_cpus() {
    for (const OpenEvent& open : open_) {
      ValueSet& cpus = cpus_of_group_[open.group];
      cpus = cpus.in_any(ValueSet::of(cpus_of(open)));
    }
  }
  std::vector<unsigned> cpus_of_group(const OpenEvent& open) const {
    return cpus_of_group_.at(open.group).among(all_cpus());
  }

  // A group is left out as a whole: its members are counted together.
  void leave_out() {
    const auto is_kept = [this](std::size_t group) {
      return std::ranges::any_of(open_, [&](const OpenEvent& open) {
        return open.group == group && !open.condition.is_no() && !cpus_of_group(open).empty();
      });
    };
    std::vector<OpenEvent> kept;
    for (const OpenEvent& open : open_) {
      if (is_kept(open.group)) {
        kept.push_back(open);
      } else {
        say(KeptBy::not_opening, open.event.request.name, {});
      }
    }
    open_ = std::move(kept);
  }

  void narrow_cpus() {
    ValueSet any;
    for (const OpenEvent& open : open_) any = any.in_any(ValueSet::of(cpus_of_group(open)));
    const std::vector<unsigned> all = any.among(all_cpus());
    if (all.size() < all_cpus().size()) {
      plan_.target.cpus = all;
      say(KeptBy::cpus, {}, number_list(all));
    }
    for (OpenEvent& open : open_) {
      const std::vector<unsigned> own = cpus_of_group(open);
      if (own.size() == all.size()) continue;
      open.event.request.cpus = own;
      const bool is_by_expression = !possible_values(open.condition, Fact::cpu).values.others().empty();
      if (is_by_expression) say(KeptBy::cpus, open.event.request.name, number_list(own));
    }
  }

  // --- threads ---

  ValueSet values_of_all(Fact fact) const {
    ValueSet values;
    for (const OpenEvent& open : open_) values = values.in_any(possible_values(open.condition, fact).values);
    return values;
  }

  // The numbers, if all of them are running threads or processes. A number without a thread may get one later.
  std::vector<std::int32_t> running(Fact fact) const {
    std::vector<std::int32_t> numbers;
    for (const std::int64_t number : values_of_all(fact).numbers(most_threads).value_or(std::vector<std::int64_t>())) {
      const bool runs = number > 0 && number <= INT32_MAX &&
                        std::filesystem::exists(request_.proc + "/" + std::to_string(number) + "/status");
      if (!runs) return {};
      numbers.push_back(static_cast<std::int32_t>(number));
    }
    return numbers;
  }

  // Whether events can be opened for threads: the kernel counts other PMUs for whole CPUs only.
  bool can_follow_threads() const {
    const Target& target = request_.target;
    return target.system_wide && target.cgroups.empty() && std::ranges::all_of(open_, [](const OpenEvent& open) {
             return open.event.request.attr.type <= type::breakpoint;
           });
  }

  void narrow_threads() {
    if (!can_follow_threads()) return;
    const std::vector<std::int32_t> threads = running(Fact::tid), processes = running(Fact::pid);
    if (threads.empty() && processes.empty()) return;
    plan_.target.system_wide = false;
    if (!threads.empty()) {
      plan_.target.threads = threads;
      plan_.target.inherit = false;  // threads that start later have other numbers
      say(KeptBy::threads, {}, number_list(threads));
    } else {
      plan_.target.processes = processes;
      say(KeptBy::processes, {}, number_list(processes));
    }
  }

  // The path, if all samples of the condition are in this cgroup. An event of a cgroup counts the cgroups below, too
  // (perf_cgroup_match()).
  static std::string cgroup_of(const Condition& condition) {
    for (const Condition& part : condition.conjuncts()) {
      const auto* const text = dynamic_cast<const filter::TextTest*>(part.leaf);
      const bool is_one = text != nullptr && text->source().fact == Fact::cgroup && text->matches() &&
                          text->patterns().size() == 1 && text->patterns().front().exact() != nullptr;
      if (!is_one) continue;
      const std::string& path = *text->patterns().front().exact();
      if (path.starts_with('/') && path.size() > 1) return path;
    }
    return {};
  }

  void narrow_cgroup() {
    if (!plan_.target.system_wide || !plan_.target.cgroups.empty()) return;
    const std::string path = cgroup_of(open_.front().condition);
    const bool is_same =
        std::ranges::all_of(open_, [&](const OpenEvent& open) { return cgroup_of(open.condition) == path; });
    if (path.empty() || !is_same) return;
    plan_.target.cgroups = {path};
    say(KeptBy::cgroup, {}, path);
  }

  // --- single events ---

  void finish(OpenEvent& open) {
    KeptEvent& event = open.event;
    const std::string& name = event.request.name;
    if (open.condition.is_no()) {
      event.drops_all = true;
      return say(KeptBy::its_group, name, {});
    }
    narrow_modes(open);
    const std::vector<Condition> rest = filter_in_kernel(event.request, without_cpus(open));
    const Condition residual = joined(rest);
    event.residual = residual.text();
    event.sample_fields = sample_fields_of(residual);
    if (!event.residual.empty()) {
      say(KeptBy::recorder, name, event.residual);
    } else if (open.condition.is_yes()) {
      say(KeptBy::nothing, name, {});
    }
  }

  // The parts that are not true on all CPUs on which the event is opened.
  std::vector<Condition> without_cpus(const OpenEvent& open) const {
    std::vector<Condition> rest = open.condition.conjuncts();
    const std::vector<unsigned> cpus = cpus_of_group(open);
    std::erase_if(rest, [&](const Condition& part) {
      const PossibleValues possible = possible_values(part, Fact::cpu);
      return possible.exact && possible.values.among(cpus).size() == cpus.size();
    });
    return rest;
  }

  // Gives the kernel what it can decide, and returns what it cannot decide exactly.
  std::vector<Condition> filter_in_kernel(EventRequest& event, const std::vector<Condition>& conjuncts) {
    const reader::TracepointFormat* const format = format_of(event.attr, formats_);
    // ftrace's own events take no filter of perf.
    if (format == nullptr || format->system == "ftrace") return conjuncts;
    std::vector<Condition> rest;
    std::vector<KernelFilter> narrowed;
    std::size_t length = event.filter.size();
    for (const Condition& part : conjuncts) {
      const auto in_kernel = kernel_filter(part, filter_, *format);
      constexpr std::size_t joint = 8;  // && with blanks, and parentheses around both sides
      const bool fits = in_kernel && length + in_kernel->text.size() + joint <= longest_kernel_filter;
      if (fits) narrowed.push_back(*in_kernel), length += in_kernel->text.size() + joint;
      if (!fits || !in_kernel->exact) rest.push_back(part);
    }
    if (narrowed.empty()) return rest;
    if (!event.filter.empty()) narrowed.insert(narrowed.begin(), {.text = event.filter, .is_compound = true});
    event.filter = all_of(narrowed).text;
    say(KeptBy::tracepoint_filter, event.name, event.filter);
    return rest;
  }

  // exclude_user and exclude_kernel, which count for guests, too. Other PMUs refuse both flags, and a breakpoint in the
  // kernel refuses the latter (hw_breakpoint_parse()). The recorder looks at the mode again, because samples of
  // hardware may come late.
  void narrow_modes(OpenEvent& open) {
    using reader::CpuMode;
    reader::EventAttr& attr = open.event.request.attr;
    if (attr.type >= type::breakpoint) return;
    const ValueSet modes = possible_values(open.condition, Fact::cpumode).values;
    const auto may_be = [&](CpuMode mode) { return modes.has(static_cast<std::int64_t>(mode)); };
    const bool user = may_be(CpuMode::user) || may_be(CpuMode::guest_user);
    const bool kernel = may_be(CpuMode::kernel) || may_be(CpuMode::guest_kernel);
    if (user == kernel || (user ? attr.exclude_user() : attr.exclude_kernel())) return;
    attr.set(user ? flag::exclude_kernel : flag::exclude_user);
    if (!may_be(CpuMode::hypervisor)) attr.set(flag::exclude_hv);
    say(KeptBy::modes, open.event.request.name, user ? "user" : "kernel");
  }

  void renumber_groups() {
    std::map<std::size_t, std::size_t> places;
    for (std::size_t i = 0; i < open_.size(); ++i) places[open_[i].event.asked] = i;
    for (OpenEvent& open : open_) open.event.request.leader = places.at(open.group);
  }

  void say(KeptBy by, std::string event, std::string what) {
    plan_.reasons.push_back({.by = by, .event = std::move(event), .what = std::move(what)});
  }

  const KeepRequest& request_;
  const reader::TracepointFormats& formats_;
  const filter::Filter filter_;
  std::vector<OpenEvent> open_;
  std::map<std::size_t, ValueSet> cpus_of_group_;
  KeepPlan plan_;
};

}  // namespace

KeepPlan plan_keep(const KeepRequest& request, const reader::TracepointFormats& formats) {
  return Planner(request, formats).plan();
}

}  // namespace perfsift::record
