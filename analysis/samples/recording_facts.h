// The reader's samples as facts for a filter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/code_facts.h"
#include "analysis/samples/comm_texts.h"
#include "analysis/samples/resolved_sample.h"
#include "analysis/samples/sample_values.h"
#include "analysis/samples/stack_index.h"
#include "analysis/samples/stack_numbers.h"
#include "filter/filter.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// The facts of one sample at a time. Not thread-safe: one per thread. All constructor arguments must live longer.
//
// Facts are looked up on first use, and the names of addresses are cached.
class RecordingFacts : public filter::SampleFacts {
 public:
  RecordingFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
                 const FilterStacks& stacks);
  // Shares the thread and the stack of each sample with other users of `shared`.
  RecordingFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
                 ResolvedSample& shared);

  // Sets the sample of all following queries. `sample` must live until then.
  void set_sample(const reader::Sample& sample);

  std::optional<filter::Number> number(filter::Fact fact) override;
  std::optional<std::string_view> text(filter::Fact fact) override;
  filter::TracepointValue tracepoint(std::size_t field) override;
  std::size_t stack_depth() override;
  filter::Facts& frame(std::size_t index) override;
  std::optional<std::uint32_t> stack_number() override;
  std::span<const std::uint32_t> frame_numbers() override;
  bool stack_truncated() override;

 private:
  class FrameFacts : public filter::Facts {
   public:
    explicit FrameFacts(RecordingFacts& owner) : owner_(owner) {}
    void set(const RecordedCode& code) { code_ = code; }
    std::optional<filter::Number> number(filter::Fact fact) override { return owner_.code_number(code_, fact); }
    std::optional<std::string_view> text(filter::Fact fact) override { return owner_.code_text(code_, fact); }

   private:
    RecordingFacts& owner_;
    RecordedCode code_;
  };

  std::optional<filter::Number> code_number(const RecordedCode& code, filter::Fact fact);
  std::optional<std::string_view> code_text(const RecordedCode& code, filter::Fact fact);
  std::optional<std::string_view> data_text(filter::Fact fact);
  std::optional<std::string_view> comm();

  RecordingFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
                 const FilterStacks& stacks, ResolvedSample* shared);

  RecordedCode sampled_code() const { return {.mode = sample_->cpumode, .ip = sample_->ip}; }
  const reader::ThreadState& thread();
  CodeFacts& code_facts() { return thread(), code_facts_; }
  const CallStack::Stack& stack() { return resolved_.stack(); }
  const std::vector<RecordedCode>& frames();
  const reader::TracepointField* tracepoint_field(std::size_t field);

  const reader::Recording& recording_;
  const filter::Filter& filter_;
  SampleValues values_;
  CommTexts comms_;
  CodeFacts code_facts_;
  std::optional<ResolvedSample> own_;  // used when the sample is not shared
  ResolvedSample& resolved_;
  FrameFacts frame_;

  const reader::Sample* sample_ = nullptr;
  bool knows_thread_ = false;  // whether code_facts_ has the sample's thread
  bool has_frames_ = false;
  std::vector<RecordedCode> frames_;
  std::vector<std::uint32_t> frame_numbers_;
  StackNumbers stack_numbers_;
  const StackIndex* const index_;  // nullptr: there is none
  StackIndex::Hint index_hint_ = 0;

  // For each event, the tracepoint fields that the filter uses.
  std::vector<std::vector<const reader::TracepointField*>> tracepoint_fields_;
  std::vector<std::string> tracepoint_texts_;  // of the current sample, by field
};

// The names of the fields of a recording's tracepoints.
class RecordingTracepoints : public filter::TracepointNames {
 public:
  explicit RecordingTracepoints(const reader::Recording& recording) : recording_(recording) {}
  bool has(const filter::TracepointField& field) const override;
  std::vector<std::string> all() const override;

 private:
  const reader::Recording& recording_;
};

}  // namespace perfsift::analysis
