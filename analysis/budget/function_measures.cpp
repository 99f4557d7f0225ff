#include "analysis/budget/function_measures.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "analysis/budget/block_shares.h"
#include "base/counted.h"

namespace perfsift::analysis {
namespace {

using filter::Fact;

// A function as the only frame of a stack, for patterns.
class FunctionFacts : public filter::SampleFacts {
 public:
  void set(const GateFunction& function) { function_ = &function; }

  std::optional<filter::Number> number(Fact fact) override {
    if (fact != Fact::cpumode || function_->kind == FrameKind::other) return std::nullopt;
    constexpr std::uint64_t kernel = 1, user = 2;
    return filter::Number::of(function_->kind == FrameKind::kernel ? kernel : user);
  }
  std::optional<std::string_view> text(Fact fact) override {
    if (fact == Fact::sym && !function_->unnamed) return filter::if_any(function_->name);
    if (fact == Fact::dso) return filter::if_any(function_->binary);
    return std::nullopt;
  }
  filter::TracepointValue tracepoint(std::size_t) override { return {}; }
  std::size_t stack_depth() override { return 1; }
  filter::Facts& frame(std::size_t) override { return *this; }
  bool stack_truncated() override { return false; }

 private:
  const GateFunction* function_ = nullptr;
};

// Whether a stack counts for an assertion.
class StackTest {
 public:
  StackTest(const filter::Assertion& assertion, const GateStacks& stacks)
      : quantity_(assertion.quantity), stacks_(stacks), functions_(matching_functions(assertion.function, stacks)) {
    if (assertion.under) callers_ = matching_functions(*assertion.under, stacks);
  }

  bool holds(std::uint32_t stack) const {
    const std::span<const FunctionId> frames = stacks_.functions_of(stack);
    if (quantity_ == filter::Quantity::self) return !frames.empty() && functions_[frames.back()];
    auto from = frames.begin();
    if (callers_) {
      from = std::ranges::find_if(frames, [&](FunctionId function) { return (*callers_)[function]; });
      if (from == frames.end()) return false;
      ++from;
    }
    return std::any_of(from, frames.end(), [&](FunctionId function) { return functions_[function]; });
  }

 private:
  const filter::Quantity quantity_;
  const GateStacks& stacks_;
  const std::vector<bool> functions_;
  std::optional<std::vector<bool>> callers_;
};

std::string stack_text(const GateStacks& stacks, std::uint32_t stack) {
  std::string text;
  for (const FunctionId function : stacks.functions_of(stack)) {
    text += (text.empty() ? "" : ";") + std::string(stacks.functions()[function].name);
  }
  return text;
}

struct Counted {
  std::vector<BlockShare> blocks;
  std::uint64_t samples = 0, all = 0;
  std::optional<std::uint32_t> example;  // a stack that counts
};

Counted count(const std::vector<Run>& runs, const StackTest& test, std::uint32_t stack_count) {
  std::vector<bool> holds(stack_count);
  for (std::uint32_t stack = 0; stack < stack_count; ++stack) holds[stack] = test.holds(stack);
  Counted counted;
  for (std::uint32_t run = 0; run < runs.size(); ++run) {
    const std::size_t first = counted.blocks.size();
    counted.blocks.resize(first + runs[run].blocks, BlockShare{.run = run, .some = 0, .all = 0});
    for (const BlockCount& each : runs[run].counts) {
      BlockShare& block = counted.blocks[first + each.block];
      block.all += each.samples;
      counted.all += each.samples;
      if (!holds[each.stack]) continue;
      block.some += each.samples;
      counted.samples += each.samples;
      if (!counted.example) counted.example = each.stack;
    }
  }
  return counted;
}

bool any_caller(const GateStacks& stacks, const std::vector<Run>& runs) {
  return std::ranges::any_of(runs, [&](const Run& run) {
    return std::ranges::any_of(run.counts,
                               [&](const BlockCount& each) { return stacks.functions_of(each.stack).size() > 1; });
  });
}

// The reason why the stacks do not suffice for the assertion; empty if they do.
std::string why_not(const filter::Assertion& assertion, const GateStacks& stacks, const std::vector<Run>& runs) {
  if (assertion.quantity != filter::Quantity::self && !any_caller(stacks, runs)) {
    return "no callchain was recorded: record with perf record -g";
  }
  const bool asks_binary = assertion.function.asks_binary || (assertion.under && assertion.under->asks_binary);
  const bool no_binary =
      std::ranges::all_of(stacks.functions(), [](const GateFunction& function) { return function.binary.empty(); });
  return asks_binary && no_binary ? "the input does not name the binaries of functions" : "";
}

std::string note_on_cut_stacks(const std::vector<Run>& runs) {
  Quality all;
  for (const Run& run : runs) {
    if (run.quality) all.add(*run.quality);
  }
  if (all.truncated_stacks == 0) return {};
  return fmt::format("{} of {} stacks were cut, so callers are missing", all.truncated_stacks, all.callchains);
}

}  // namespace

std::vector<bool> matching_functions(const filter::FunctionPattern& pattern, const GateStacks& stacks) {
  filter::FilterState state(pattern.of_frame);
  FunctionFacts facts;
  std::vector<bool> matching;
  for (const GateFunction& function : stacks.functions()) {
    facts.set(function);
    matching.push_back(pattern.of_frame.keeps(facts, state));
  }
  return matching;
}

MeasuredValue measure_function(const filter::Assertion& assertion, const GateStacks& stacks,
                               const std::vector<Run>& runs) {
  const Counted counted = count(runs, StackTest(assertion, stacks), stacks.size());
  if (counted.all == 0) return MeasuredValue::not_known("there is no sample");
  if (std::string missing = why_not(assertion, stacks, runs); !missing.empty()) {
    return MeasuredValue::not_known(std::move(missing));
  }
  const bool is_never = assertion.quantity == filter::Quantity::never;
  MeasuredValue result = is_never ? MeasuredValue::exact(static_cast<double>(counted.samples), counted.all, "samples")
                                  : share_of_samples(counted.blocks);
  if (is_never && counted.example) {
    result.note = "a stack is " + stack_text(stacks, *counted.example);
  } else if (assertion.quantity != filter::Quantity::self) {
    result.note = note_on_cut_stacks(runs);
  }
  if (counted.samples == 0 && result.note.empty()) result.note = "no sample has it";
  return result;
}

}  // namespace perfsift::analysis
