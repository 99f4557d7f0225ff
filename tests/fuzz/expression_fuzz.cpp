// The text of a filter expression: parsed, and applied to a sample with any values.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "filter/record_time.h"
#include "filter/window_search.h"

using namespace perfsift;
using namespace perfsift::filter;

namespace {

// Every fact is known, for a sample with three frames.
class AnyFacts : public SampleFacts {
 public:
  std::optional<Number> number(Fact fact) override { return Number::of(static_cast<std::uint64_t>(fact) << 60 | 3); }
  std::optional<std::string_view> text(Fact) override { return "sched:sched_switch/\xff"; }
  TracepointValue tracepoint(std::size_t field) override {
    if (field % 3 == 0) return Number::of_signed(-1);
    return field % 3 == 1 ? TracepointValue(std::string_view("S")) : TracepointValue();
  }
  std::size_t stack_depth() override { return 3; }
  Facts& frame(std::size_t index) override {
    if (index >= 3) __builtin_trap();
    return *this;
  }
  bool stack_truncated() override { return true; }
};

void ask(const Filter& filter) {
  AnyFacts sample;
  WindowSearch search(filter);
  search.see(sample, 1);
  const WindowSearch* const searches[] = {&search};
  FilterState state(filter, {.first = 1, .last = 1000},
                    std::make_shared<const Windows>(WindowSearch::join(filter, searches)));
  for (int i = 0; i < 3; ++i) filter.keeps(sample, state);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FilterText source{.origin = "fuzz", .text = std::string(reinterpret_cast<const char*>(data), size)};
  try {
    ask(Filter::parse({source}));
    // An expression for perf record --filter must also be an expression here.
    const auto equivalent = record_time_filter(source);
    if (equivalent && !equivalent->is_of_tracepoint) Filter::parse(equivalent->text);
  } catch (const UsageError&) {
  }
  try {
    ask(Filter::parse({source}, Subject::interval));
  } catch (const UsageError&) {
  }
  return 0;
}
