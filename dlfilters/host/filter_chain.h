// Filters, one after the other: a sample is kept when all of them keep it.
//
// ```cpp
// FilterChain chain({{"first.so", {"argument"}}, {"second.so", {}}}, ApiVersion::v1);  // before anything is opened
// FilterRun run(chain, *recording, symbolizer, {});                                     // start() of each
// if (run.keeps_early(sample) && run.keeps(sample)) ++kept;
// run.stop();                                                                           // stop() of each
// ```
//
// The order of calls is that of perf (process_sample_event() in tools/perf/builtin-script.c): filter_event_early for
// every sample, then perf's own filters, then filter_event. Filters behind the first one that drops a sample are not
// called.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "dlfilters/host/answers.h"
#include "dlfilters/host/context.h"
#include "dlfilters/host/filter_sample.h"
#include "dlfilters/host/locations.h"
#include "dlfilters/host/module.h"

namespace perfsift::dlfilter {

struct FilterRequest {
  std::string name;  // see find_module()
  std::vector<std::string> arguments;
};

// A filter ended the run: start() did not return 0, or one of the others a negative number. Some filters do it to say
// that they have seen enough.
struct RunEnded : Error {
  RunEnded(const std::string& message, int result) : Error(message), returned(result) {}
  int exit_status() const { return returned & 0xff; }  // perf's

  int returned;
};

class FilterChain {
 public:
  // Loads all of them. Throws InputError when one cannot be loaded, or used.
  FilterChain(const std::vector<FilterRequest>& requests, ApiVersion api);

  struct Filter {
    LoadedModule module;
    std::unique_ptr<Context> context;
    void* data = nullptr;
    bool started = false;
  };
  std::vector<Filter>& filters() { return filters_; }
  bool empty() const { return filters_.empty(); }
  ApiVersion api() const { return api_; }

 private:
  std::vector<Filter> filters_;
  ApiVersion api_;
};

struct RunOptions {
  symbolize::SymbolizeOptions code;  // where binaries are: what the symbolizer was made with
  symbolize::DemangleStyle demangling = symbolize::DemangleStyle::perf_6_1;
  // Called before each call of a filter: writes the text so far, as the filter may print, too.
  std::function<void()> before_call;
  // The other reasons for which the sample will not be shown, in bits of filtered_by. Called only if a filter asks.
  std::function<std::uint8_t(const reader::Sample&)> filtered;
};

// Not thread-safe: samples come in order, from one thread. All arguments of the constructor must outlive the object.
class FilterRun {
 public:
  // start() of each filter. Throws RunEnded, after stop() of those that were started.
  FilterRun(FilterChain& chain, const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
            RunOptions options);
  ~FilterRun();
  FilterRun(const FilterRun&) = delete;
  FilterRun& operator=(const FilterRun&) = delete;

  // filter_event_early, for every sample. These throw RunEnded.
  bool keeps_early(const reader::Sample& sample);
  // filter_event, for samples that no other filter drops.
  bool keeps(const reader::Sample& sample);
  // stop() of each filter that was started, whatever start() returned. The result of stop() means nothing.
  void stop();

 private:
  using Filter = FilterChain::Filter;

  void start();
  bool ask(const reader::Sample& sample, FilterEvent* EntryPoints::*entry, const char* name);

  FilterChain& chain_;
  RunOptions options_;
  Locations locations_;
  Answers answers_;
  FilterSample sample_;
  bool has_early_ = false;
  bool has_late_ = false;
};

}  // namespace perfsift::dlfilter
