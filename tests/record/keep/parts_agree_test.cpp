// The parts of --keep together keep the same samples as the whole expression, for random expressions and samples.

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "record/keep/keep_plan.h"
#include "record/keep/sample_keeper.h"
#include "tests/record/keep/kernel_evaluator.h"
#include "tests/record/keep/made_events.h"
#include "tests/support/bytes.h"

namespace perfsift::record {
namespace {

using test::BytesBuilder;
using test::KernelEvaluator;
using test::KernelField;
using test::MadeEvents;
namespace bit = reader::sample_bit;

constexpr std::uint64_t recorded_fields =
    bit::identifier | bit::ip | bit::tid | bit::time | bit::cpu | bit::period | bit::raw;

const std::map<std::string, KernelField>& fields_of_sched_switch() {
  static const std::map<std::string, KernelField> fields = {
      {"common_pid", {.offset = 4, .size = 4, .is_signed = true}},
      {"prev_comm", {.offset = 8, .size = 16, .is_text = true}},
      {"prev_pid", {.offset = 24, .size = 4, .is_signed = true}},
      {"prev_prio", {.offset = 28, .size = 4, .is_signed = true}},
      {"prev_state", {.offset = 32, .size = 8, .is_signed = true}},
      {"next_comm", {.offset = 40, .size = 16, .is_text = true}},
      {"next_pid", {.offset = 56, .size = 4, .is_signed = true}},
      {"next_prio", {.offset = 60, .size = 4, .is_signed = true}},
  };
  return fields;
}

// A sample of sched:sched_switch, or of cycles, which has no raw data.
struct MadeSample {
  bool is_switch = false;
  std::int32_t tid = 0, cpu = 0;
  std::uint16_t mode = 1;
  std::uint64_t period = 1;
  std::string comm;
  std::vector<std::byte> raw;

  std::string_view raw_text() const { return {reinterpret_cast<const char*>(raw.data()), raw.size()}; }
  std::vector<std::byte> record() const {
    BytesBuilder payload;
    payload.u64(is_switch ? 11 : 12).u64(0x1000);
    payload.u32(static_cast<std::uint32_t>(tid)).u32(static_cast<std::uint32_t>(tid)).u64(1000);
    payload.u32(static_cast<std::uint32_t>(cpu)).u32(0).u64(period);
    payload.u32(static_cast<std::uint32_t>(raw.size() + 4)).bytes(raw).u32(0);
    return BytesBuilder().record(9, mode, payload.view()).take();
  }
};

class ExpressionMaker {
 public:
  explicit ExpressionMaker(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return random_() % count; }
  template <typename T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  MadeSample sample() {
    MadeSample sample;
    sample.is_switch = below(4) != 0;
    sample.tid = static_cast<std::int32_t>(below(4));
    sample.cpu = static_cast<std::int32_t>(below(4));
    sample.mode = static_cast<std::uint16_t>(1 + below(2));
    sample.period = below(3);
    // As the kernel and COMM records name threads.
    sample.comm = std::vector<std::string>{"swapper/" + std::to_string(sample.cpu), "rx-0", "rx-1",
                                           "tx"}[static_cast<std::size_t>(sample.tid)];
    if (!sample.is_switch) return sample;
    BytesBuilder raw;
    raw.u32(372).u32(static_cast<std::uint32_t>(sample.tid));
    comm(raw).u32(number()).u32(number()).u64(one_of(std::vector<std::uint64_t>{0, 1, 2, 3, 32, 128, 256, 258, 512}));
    comm(raw).u32(number()).u32(number());
    sample.raw = raw.take();
    return sample;
  }

  std::string expression(int depth) {
    const std::size_t kind = below(depth > 0 ? 8 : 4);
    if (kind < 4) return test();
    if (kind == 4) return "!(" + expression(depth - 1) + ")";
    const std::string joint = kind == 5 ? " || " : kind == 6 ? " && " : ", ";
    return "(" + expression(depth - 1) + joint + expression(depth - 1) + ")";
  }

 private:
  BytesBuilder& comm(BytesBuilder& raw) {
    const std::string name = one_of(std::vector<std::string>{"rx-0", "rx-1", "tx", "7up", "swapper/2"});
    return raw.text(name).zeros(16 - name.size());
  }
  std::uint32_t number() { return static_cast<std::uint32_t>(static_cast<int>(below(5)) - 1); }
  std::string literal() { return std::to_string(static_cast<int>(below(6)) - 1); }

  std::string test() {
    static const std::vector<std::string> numbers = {
        "prev_pid", "next_pid", "prev_prio", "common_pid", "cpu",
        "tid",      "pid",      "period",    "prev_state", "sched:sched_switch.next_prio"};
    static const std::vector<std::string> order = {"==", "!=", "<", "<=", ">", ">="};
    static const std::vector<std::string> texts = {"prev_comm", "next_comm", "comm"};
    static const std::vector<std::string> patterns = {"rx-0", "rx*", "*0",   "tx", "swapper", "swapper/1",
                                                      "s*",   "*",   "r?-0", "7*", "7up",     "*x*"};
    static const std::vector<std::string> others = {
        "prev_state == \"D\"",          "prev_state == \"S\"",    "prev_state == \"R\"", "prev_state == \"R+\"",
        "prev_state in {\"D\", \"Z\"}", "prev_state !~ \"[SI]\"", "prev_state & 2",      "prev_state & 3 == 0",
        "prev_state & 2 != 2",          "prev_state & 3 == 1",    "cpumode == user",     "cpumode == kernel",
        "event == \"cycles\"",          "event == \"sched:*\"",   "event =~ \"switch\"", "has prev_pid",
        "prev_pid == next_pid",         "prev_pid == tid",        "prev_comm == 5",      "next_pid == \"x\"",
        "prev_comm =~ \"x-[01]\"",      "prev_prio < 5000000000"};
    switch (below(6)) {
      case 0:
      case 1:
        return one_of(numbers) + " " + one_of(order) + " " + literal();
      case 2:
        return one_of(numbers) + (below(2) == 0 ? " in {" : " not in {") + "0, " + literal() + ", 2..3}";
      case 3:
        return one_of(texts) + (below(2) == 0 ? " == \"" : " != \"") + one_of(patterns) + "\"";
      case 4:
        return one_of(texts) + (below(2) == 0 ? " in {\"" : " not in {\"") + one_of(patterns) + "\", \"" +
               one_of(patterns) + "\"}";
      default:
        return one_of(others);
    }
  }

  std::mt19937 random_;
};

KeeperEvent keeper_event(const EventRequest& request, std::uint64_t id) {
  KeeperEvent event{.attr = request.attr, .ids = {id}, .name = request.name};
  event.attr.sample_type = recorded_fields;
  return event;
}

// The names of the samples' threads, as they come before the samples.
void name_threads(SampleKeeper& keeper) {
  for (const auto& [tid, name] : std::map<std::uint32_t, std::string>{{1, "rx-0"}, {2, "rx-1"}, {3, "tx"}}) {
    const auto payload = BytesBuilder().u32(tid).u32(tid).padded(name).take();
    keeper.keeps(BytesBuilder().record(3, 0, payload).view());
  }
}

class PlanParts {
 public:
  PlanParts(const KeepPlan& plan, const reader::TracepointFormats& formats) : plan_(plan) {
    for (const bool is_switch : {true, false}) {
      KeeperEvent event =
          keeper_event(is_switch ? MadeEvents::sched_switch() : MadeEvents::cycles(), is_switch ? 11 : 12);
      if (const KeptEvent* const kept = find(is_switch)) {
        event.residual = kept->residual;
        event.drops_all = kept->drops_all;
      }
      events_.push_back(std::move(event));
    }
    keeper_.emplace(events_, formats);
    name_threads(*keeper_);
  }

  bool keep(const MadeSample& sample) {
    const KeptEvent* const event = find(sample.is_switch);
    return event != nullptr && kernel_keeps(*event, sample) && keeper_->keeps(sample.record());
  }

 private:
  const KeptEvent* find(bool is_switch) const {
    for (const KeptEvent& event : plan_.events) {
      if ((event.request.attr.type == 2) == is_switch) return &event;
    }
    return nullptr;
  }

  bool kernel_keeps(const KeptEvent& event, const MadeSample& sample) const {
    const auto has = [&](const std::vector<unsigned>& cpus) {
      return cpus.empty() || std::find(cpus.begin(), cpus.end(), static_cast<unsigned>(sample.cpu)) != cpus.end();
    };
    if (!has(plan_.target.cpus) || !has(event.request.cpus)) return false;
    if (sample.mode == 1 ? event.request.attr.exclude_kernel() : event.request.attr.exclude_user()) return false;
    if (event.request.filter.empty()) return true;
    const test::KernelMoment moment{.raw = sample.raw_text(), .comm = sample.comm, .cpu = sample.cpu};
    return KernelEvaluator(event.request.filter, fields_of_sched_switch(), moment).holds();
  }

  const KeepPlan& plan_;
  std::vector<KeeperEvent> events_;
  std::optional<SampleKeeper> keeper_;
};

TEST(KeepParts, KeepTogetherWhatTheExpressionKeeps) {
  const MadeEvents made;
  const std::vector<EventRequest> events = {MadeEvents::sched_switch(), MadeEvents::cycles()};
  const auto formats = tracepoint_formats(events, made.sources());
  ExpressionMaker maker(20260101);
  std::vector<MadeSample> samples;
  for (int i = 0; i < 100; ++i) samples.push_back(maker.sample());
  std::size_t with_filter = 0, kept = 0;
  for (int round = 0; round < 400; ++round) {
    const std::string expression = maker.expression(3);
    SCOPED_TRACE(expression);
    std::vector<KeeperEvent> whole = {keeper_event(events[0], 11), keeper_event(events[1], 12)};
    for (KeeperEvent& event : whole) event.residual = expression;
    SampleKeeper reference(whole, formats);
    name_threads(reference);
    std::optional<KeepPlan> plan;
    try {
      plan = plan_keep(made.request(expression, events), formats);
    } catch (const UsageError&) {  // no sample can be kept
    }
    std::optional<PlanParts> parts;
    if (plan) parts.emplace(*plan, formats);
    for (const MadeSample& sample : samples) {
      const bool wanted = reference.keeps(sample.record());
      kept += wanted ? 1 : 0;
      ASSERT_EQ(parts && parts->keep(sample), wanted)
          << "tid " << sample.tid << " cpu " << sample.cpu << " switch " << sample.is_switch;
    }
    if (!plan) continue;
    for (const KeptEvent& event : plan->events) with_filter += event.request.filter.empty() ? 0 : 1;
  }
  // The test is about something.
  EXPECT_GT(with_filter, 80U);
  EXPECT_GT(kept, 5'000U);
}

}  // namespace
}  // namespace perfsift::record
