// A sample with exactly the facts that a test sets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "filter/filter.h"

namespace perfsift::filter {

class ToldFacts : public SampleFacts {
 public:
  ToldFacts& with(Fact fact, std::uint64_t value) { return numbers_[fact] = Number::of(value), *this; }
  ToldFacts& with(Fact fact, std::string value) { return texts_[fact] = std::move(value), *this; }
  ToldFacts& with_tracepoint(std::vector<TracepointValue> values) { return tracepoint_ = std::move(values), *this; }
  // Frames, leaf first.
  ToldFacts& with_frames(std::vector<ToldFacts> frames) { return frames_ = std::move(frames), *this; }
  ToldFacts& with_stack_number(std::uint32_t number) { return stack_number_ = number, *this; }
  // Numbers of the frames, leaf first.
  ToldFacts& with_frame_numbers(std::vector<std::uint32_t> numbers) {
    return frame_numbers_ = std::move(numbers), *this;
  }
  ToldFacts& with_waker_frames(std::vector<ToldFacts> frames) { return waker_frames_ = std::move(frames), *this; }
  ToldFacts& with_truncated_stack() { return truncated_ = true, *this; }

  std::optional<Number> number(Fact fact) override {
    ++asked[fact];
    const auto found = numbers_.find(fact);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::string_view> text(Fact fact) override {
    ++asked[fact];
    const auto found = texts_.find(fact);
    return found == texts_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  }
  TracepointValue tracepoint(std::size_t field) override {
    return field < tracepoint_.size() ? tracepoint_[field] : TracepointValue();
  }
  std::size_t stack_depth() override { return frames_.size(); }
  Facts& frame(std::size_t index) override { return frames_[index]; }
  std::optional<std::uint32_t> stack_number() override { return stack_number_; }
  std::span<const std::uint32_t> frame_numbers() override { return frame_numbers_; }
  std::size_t waker_depth() override { return waker_frames_.size(); }
  Facts& waker_frame(std::size_t index) override { return waker_frames_[index]; }
  bool stack_truncated() override { return truncated_; }

  std::map<Fact, int> asked;  // number of questions per fact

 private:
  std::map<Fact, Number> numbers_;
  std::map<Fact, std::string> texts_;
  std::vector<TracepointValue> tracepoint_;
  std::vector<ToldFacts> frames_, waker_frames_;
  std::optional<std::uint32_t> stack_number_;
  std::vector<std::uint32_t> frame_numbers_;
  bool truncated_ = false;
};

// The answer of a filter about one sample.
inline bool keeps(std::string_view expression, ToldFacts sample, RecordingTimes times = {}) {
  const Filter filter = Filter::parse(expression);
  FilterState state(filter, times);
  return filter.keeps(sample, state);
}

// Names of tracepoint fields for expressions without such fields. Existing fields appear only in messages.
class NoTracepoints : public TracepointNames {
 public:
  bool has(const TracepointField&) const override { return false; }
  std::vector<std::string> all() const override { return {"prev_pid", "next_pid"}; }
};

}  // namespace perfsift::filter
