#include "tools/offcpu/kernel_filter.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "analysis/offcpu/task_state.h"
#include "filter/predicates.h"
#include "output/offcpu/duration_text.h"
#include "record/keep/condition.h"
#include "record/keep/possible_values.h"

namespace perfsift::tools {
namespace {

using filter::Fact;
using record::Condition;

// The letters of TaskState::letter(). S is also the state of a thread of which only the switch is known.
std::uint32_t bits_of(char letter) {
  using State = offcpu::TaskState;
  switch (letter) {
    case 'R':
      return State::preempted;  // and those that yielded: see counts_wait() in waits.bpf.c
    case 'S':
      return State::sleeping;
    case 'D':
      return State::uninterruptible;
    case 'T':
      return State::stopped;
    case 't':
      return State::traced;
    case 'X':
      return State::dead;
    case 'Z':
      return State::zombie;
    case 'P':
      return State::parked;
    case 'I':
      return State::idle;
    case 'N':
      return State::created;
    default:
      return State::not_known;
  }
}

std::uint32_t states_of(const offcpu::IntervalLimits& limits) {
  std::uint32_t states = 0;
  if (limits.state_mask) states = *limits.state_mask == 0 ? offcpu::TaskState::preempted : *limits.state_mask;
  if (!limits.state_letters) return states;
  for (const char letter : *limits.state_letters) states |= bits_of(letter);
  return states;
}

// The texts of which one must be equal to the fact; nothing if the condition is another.
std::optional<std::vector<std::string>> texts_of(const Condition& part, Fact fact) {
  const auto* const test = dynamic_cast<const filter::TextTest*>(part.leaf);
  if (test == nullptr || test->source().fact != fact || test->source().frame || !test->matches()) return std::nullopt;
  std::vector<std::string> texts;
  for (const filter::TextPattern& pattern : test->patterns()) {
    if (pattern.exact() == nullptr) return std::nullopt;
    texts.push_back(*pattern.exact());
  }
  return texts;
}

// Gives parts of an expression to the programs. A map has the elements of one part: another part, or an option, may
// have other ones.
class Narrowing {
 public:
  explicit Narrowing(record::WaitPlan& plan) : plan_(plan) {}

  std::string take(const Condition& part) {
    const std::string text = part.text();
    const auto in_map = [&](std::string_view of) {
      return fmt::format("decided in the kernel, by a map of {}: {}", of, text);
    };
    if (takes_ids(part, Fact::pid, plan_.pids, plan_.some_processes)) return in_map("processes");
    if (takes_ids(part, Fact::tid, plan_.tids, false)) return in_map("threads");
    if (takes_comms(part)) return in_map("names");
    if (takes_cgroup(part)) return in_map("cgroups");
    if (takes_states(part)) return "decided in the kernel, by the states that count: " + text;
    if (takes_lengths(part)) return "decided in the kernel, by the shortest and the longest wait: " + text;
    return "decided here, of each sum and each single wait: " + text + also_shortest(part);
  }

 private:
  static constexpr std::size_t most = 64;

  template <typename Id>
  static bool takes_ids(const Condition& part, Fact fact, std::vector<Id>& ids, bool has_others) {
    const record::PossibleValues possible = record::possible_values(part, fact);
    const auto numbers = possible.values.numbers(most);
    if (has_others || !ids.empty() || !possible.exact || !numbers || numbers->empty()) return false;
    const auto is_id = [](std::int64_t number) { return number >= 0 && number <= std::numeric_limits<Id>::max(); };
    if (!std::ranges::all_of(*numbers, is_id)) return false;
    for (const std::int64_t number : *numbers) ids.push_back(static_cast<Id>(number));
    return true;
  }

  // The kernel cuts names after 15 bytes.
  bool takes_comms(const Condition& part) {
    constexpr std::size_t longest = 15;
    const auto comms = texts_of(part, Fact::comm);
    if (!comms || !plan_.comms.empty() || comms->size() > most) return false;
    // A thread without a name is called :7.
    const auto is_name = [](const std::string& name) {
      return !name.empty() && name.size() <= longest && !name.starts_with(':');
    };
    if (!std::ranges::all_of(*comms, is_name)) return false;
    plan_.comms = *comms;
    return true;
  }

  // A sum does not say of which cgroup it is, unless there is only one.
  bool takes_cgroup(const Condition& part) {
    const record::PossibleValues possible = record::possible_values(part, Fact::cgroup_id);
    const auto numbers = possible.values.numbers(1);
    if (!plan_.cgroups.empty() || !possible.exact || !numbers || numbers->empty()) return false;
    plan_.cgroups.push_back(static_cast<std::uint64_t>(numbers->front()));
    return true;
  }

  bool takes_states(const Condition& part) {
    const auto letters = texts_of(part, Fact::state);
    if (!letters) return false;
    std::uint32_t states = 0;
    for (const std::string& letter : *letters) {
      const std::uint32_t bits = letter.size() == 1 ? bits_of(letter.front()) : offcpu::TaskState::not_known;
      if (bits == offcpu::TaskState::not_known && letter != "?") return false;
      states |= bits;
    }
    if (plan_.states != 0) states &= plan_.states;
    if (states == 0) return false;
    plan_.states = states;
    return true;
  }

  bool takes_lengths(const Condition& part) {
    const record::PossibleValues possible = record::possible_values(part, Fact::off_cpu);
    const auto bounds = possible.values.bounds();
    if (!possible.exact || !bounds || possible.values.has_gaps()) return false;
    const auto [least, greatest] = *bounds;
    if (greatest <= 0) return false;  // no wait is that short, and 0 is no limit
    raise_shortest(least);
    const auto longest = static_cast<std::uint64_t>(greatest);
    const bool is_limit = greatest != std::numeric_limits<std::int64_t>::max();
    if (is_limit) plan_.longest = plan_.longest == 0 ? longest : std::min(plan_.longest, longest);
    return true;
  }

  // A part of a wait is not longer than the wait.
  std::string also_shortest(const Condition& part) {
    const std::uint64_t before = plan_.shortest;
    for (const Fact fact : {Fact::off_cpu, Fact::blocked, Fact::run_queue}) {
      if (const auto bounds = record::possible_values(part, fact).values.bounds()) raise_shortest(bounds->first);
    }
    if (plan_.shortest == before) return {};
    return fmt::format("; waits of less than {} are left out in the kernel", output::duration_text(plan_.shortest));
  }

  void raise_shortest(std::int64_t nanoseconds) {
    plan_.shortest = std::max(plan_.shortest, static_cast<std::uint64_t>(std::max<std::int64_t>(nanoseconds, 0)));
  }

  record::WaitPlan& plan_;
};

}  // namespace

void limit(record::WaitPlan& plan, const offcpu::IntervalLimits& limits) {
  plan.comms.assign(limits.comms.begin(), limits.comms.end());
  plan.user_threads = limits.user_threads;
  plan.kernel_threads = limits.kernel_threads;
  plan.shortest = limits.min_length;
  plan.longest = limits.max_length == ~std::uint64_t{0} ? 0 : limits.max_length;
  plan.states = states_of(limits);
}

std::vector<std::string> limit(record::WaitPlan& plan, const filter::Filter& filter) {
  const Condition condition = record::condition_of(filter, {});
  if (filter.needs_order()) return {"decided here, because first and every count all waits: " + condition.text()};
  Narrowing narrowing(plan);
  std::vector<std::string> lines;
  for (const Condition& part : condition.conjuncts()) lines.push_back(narrowing.take(part));
  return lines;
}

}  // namespace perfsift::tools
