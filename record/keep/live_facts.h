// The facts of samples while they are recorded, for a filter.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "filter/filter.h"
#include "reader/format/sample.h"
#include "reader/tracepoint.h"
#include "record/keep/thread_names.h"

namespace perfsift::record {

// What the recorder knows of threads and cgroups, for the samples of all events.
struct LiveWorld {
  ThreadNames threads;
  std::map<std::uint64_t, std::string> cgroups;  // paths by number
};

// The facts of one sample at a time, of one event. Not thread-safe. The filter, the world and the formats must live
// longer.
class LiveFacts : public filter::SampleFacts {
 public:
  // `format`: of the event's tracepoint; nullptr: the event has none.
  LiveFacts(const filter::Filter& filter, LiveWorld& world, const reader::TracepointFormats& formats,
            const reader::TracepointFormat* format);

  // `sample` must live until the last query about it.
  void set_sample(const reader::Sample& sample) { sample_ = &sample; }

  std::optional<filter::Number> number(filter::Fact fact) override;
  std::optional<std::string_view> text(filter::Fact fact) override;
  filter::TracepointValue tracepoint(std::size_t field) override;
  // check_live() refuses expressions about stacks.
  std::size_t stack_depth() override { return 0; }
  filter::Facts& frame(std::size_t) override { return *this; }
  bool stack_truncated() override { return false; }

 private:
  LiveWorld& world_;
  const reader::TracepointFormats& formats_;
  std::vector<const reader::TracepointField*> fields_;  // by Filter::tracepoint_fields(); nullptr: there is none
  std::vector<std::string> texts_;                      // of the fields, of the current sample
  const reader::Sample* sample_ = nullptr;
};

}  // namespace perfsift::record
