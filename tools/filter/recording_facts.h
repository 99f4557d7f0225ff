// Our reader's samples as a filter sees them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dlfilters/core/filter.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"
#include "tools/profile/call_stack.h"
#include "tools/profile/thread_cache.h"
#include "tools/script/code_names.h"

namespace perfsift::tools {

// How names are written for a filter to compare.
struct FilterNaming {
  symbolize::DemangleStyle demangling = symbolize::DemangleStyle::plain;
  std::size_t max_frames = 127;  // of stacks that are unwound
};

// The facts of one sample after the other. Not thread-safe: one per thread. All it is made of must live longer.
//
// Nothing is looked up that is not asked for, and what an address was called is remembered.
class RecordingFacts : public filter::SampleFacts {
 public:
  RecordingFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
                 const FilterNaming& naming);

  // What is asked from now on is about this sample, which must stay until then.
  void set_sample(const reader::Sample& sample);

  std::optional<filter::Number> number(filter::Fact fact) override;
  std::optional<std::string_view> text(filter::Fact fact) override;
  filter::TracepointValue tracepoint(std::size_t field) override;
  std::size_t stack_depth() override;
  filter::Facts& frame(std::size_t index) override;
  bool stack_truncated() override;

 private:
  // An address of code, as it stands in a sample or its callchain.
  struct Code {
    reader::CpuMode mode = reader::CpuMode::unknown;
    std::uint64_t ip = 0;
    bool return_address = false;
  };
  // Where it lies, and what that is called.
  struct Place {
    CodeLocation location;
    std::string_view sym;
    std::string_view dso;
    // Looked up when they are asked for:
    bool knows_source = false;
    std::string_view source_file;
    std::uint32_t source_line = 0;
  };
  struct PlaceKey {
    std::uint64_t ip = 0;
    std::uint64_t context = 0;
    bool operator==(const PlaceKey&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const PlaceKey& key) const {
      return (key.ip ^ key.context * 0xff51afd7ed558ccd) * 0x9e3779b97f4a7c15 >> 20;
    }
  };

  class FrameFacts : public filter::Facts {
   public:
    explicit FrameFacts(RecordingFacts& owner) : owner_(owner) {}
    void set(const Code& code) { code_ = code; }
    std::optional<filter::Number> number(filter::Fact fact) override { return owner_.code_number(code_, fact); }
    std::optional<std::string_view> text(filter::Fact fact) override { return owner_.code_text(code_, fact); }

   private:
    RecordingFacts& owner_;
    Code code_;
  };

  std::optional<filter::Number> code_number(const Code& code, filter::Fact fact);
  std::optional<std::string_view> code_text(const Code& code, filter::Fact fact);
  std::optional<std::string_view> data_text(filter::Fact fact);
  std::optional<std::string_view> comm();

  Code sampled_code() const { return {.mode = sample_->cpumode, .ip = sample_->ip}; }
  const reader::ThreadState& thread();
  Place& place(const Code& code);
  Place find_place(const Code& code);
  const Place& with_source(const Code& code);
  const std::vector<Code>& frames();
  const reader::TracepointField* tracepoint_field(std::size_t field);

  const reader::Recording& recording_;
  const filter::Filter& filter_;
  ThreadCache threads_;
  CodeNames names_;
  CallStack call_stack_;
  FrameFacts frame_;

  const reader::Sample* sample_ = nullptr;
  const reader::ThreadState* thread_ = nullptr;  // of the sample; nullptr: not looked up yet
  bool has_frames_ = false;
  std::vector<Code> frames_;
  bool truncated_ = false;

  // What is remembered from sample to sample.
  std::unordered_map<PlaceKey, Place, PlaceHash> places_;
  std::unordered_map<std::int32_t, std::string> unnamed_threads_;  // ":1234", by tid
  // Of each event the fields that the filter asks for.
  std::vector<std::vector<const reader::TracepointField*>> tracepoint_fields_;
  std::vector<std::string> tracepoint_texts_;  // of the sample, by field
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

}  // namespace perfsift::tools
