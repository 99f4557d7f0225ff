#include "tools/dlfilter/filter_test.h"

#include <chrono>
#include <functional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "dlfilters/host/exports.h"
#include "tools/dlfilter/child_process.h"
#include "tools/dlfilter/module_info.h"

namespace perfsift::tools {
namespace {

using dlfilter::ApiVersion;
using dlfilter::FilterRequest;
using dlfilter::Function;

constexpr unsigned check_patience = 60;  // seconds, for each check

struct PerfVersion {
  ApiVersion api;
  const char* name;
};
constexpr PerfVersion versions[] = {{ApiVersion::v0, "5.14"}, {ApiVersion::v1, "6.0"}, {ApiVersion::v2, "6.6"}};

// The text of a check in a child process: a line with the result, and a line for each problem.
class Remarks {
 public:
  explicit Remarks(const Tell& tell) : tell_(tell) {}

  void result(const std::string& text) { tell_("=" + text + "\n"); }
  void problem(const std::string& text) { tell_("!" + text + "\n"); }

 private:
  const Tell& tell_;
};

Finding check(const std::string& name, const std::function<void(Remarks&)>& work) {
  const ChildOutcome outcome = in_child_process(check_patience, [&](const Tell& tell) {
    Remarks remarks(tell);
    work(remarks);
  });
  Finding finding{.check = name, .result = {}, .problems = {}};
  std::string reason;
  std::istringstream said(outcome.said);
  for (std::string line; std::getline(said, line);) {
    if (line.starts_with('=')) {
      finding.result = line.substr(1);
    } else if (line.starts_with('!')) {
      finding.problems.push_back(line.substr(1));
    } else {
      reason += line;
    }
  }
  if (!outcome.problem.empty()) finding.problems.push_back(reason.empty() ? outcome.problem : reason);
  return finding;
}

void check_module(const FilterRequest& request, Remarks& remarks) {
  const dlfilter::LoadedModule module(request.name);
  remarks.result(entry_points_text(module));
  if (!module.entry_points().filters()) remarks.problem("it has neither filter_event nor filter_event_early");
  if (const std::string problem = module.table_problem(); !problem.empty()) remarks.problem(problem);
  for (const std::string& mistake : dlfilter::export_mistakes(module.path())) remarks.problem(mistake);
}

// perf prints the text that the function leaves in a variable, which perf does not set before the call.
void check_description(const FilterRequest& request, Remarks& remarks) {
  const dlfilter::LoadedModule module(request.name);
  const auto describe = module.entry_points().filter_description;
  if (describe == nullptr) return remarks.result("it has none");
  static const char unset[] = "unset";
  const char* text = unset;
  const char* const line = describe(&text);
  remarks.result(line != nullptr ? line : "");
  if (text == unset) remarks.problem("filter_description() does not set the long description, and perf prints it");
}

// perf calls stop() alone for --header-only.
void check_stop_alone(const FilterRequest& request, Remarks& remarks) {
  dlfilter::FilterChain chain({request}, ApiVersion::v2);
  auto& filter = chain.filters().front();
  if (filter.module.entry_points().stop == nullptr) return remarks.result("it has none");
  filter.context->enter(dlfilter::Context::Stage::stopping);
  filter.module.entry_points().stop(nullptr, filter.context.get());
  remarks.result("survived");
}

// Counts samples and the time the filter takes for them.
class TimedFilter : public reader::OrderedVisitor {
 public:
  explicit TimedFilter(dlfilter::FilterRun& run) : run_(run) {}

  void sample(const reader::Sample& sample) override {
    const auto begin = std::chrono::steady_clock::now();
    kept_ += run_.keeps_early(sample) && (reader::is_guest(sample.cpumode) || run_.keeps(sample)) ? 1 : 0;
    time_ += std::chrono::steady_clock::now() - begin;
    ++samples_;
  }

  std::string summary() const {
    const double microseconds = std::chrono::duration<double, std::micro>(time_).count();
    return fmt::format("{} samples, {} kept, {:.2f} us each", samples_, kept_,
                       samples_ != 0 ? microseconds / static_cast<double>(samples_) : 0.0);
  }

 private:
  dlfilter::FilterRun& run_;
  std::uint64_t samples_ = 0, kept_ = 0;
  std::chrono::steady_clock::duration time_{};
};

void check_usage(const dlfilter::Usage& usage, ApiVersion api, Remarks& remarks) {
  for (std::size_t i = 0; i < dlfilter::function_count; ++i) {
    const char* const name = dlfilter::name_of(static_cast<Function>(i));
    if (usage.out_of_place[i] != 0) {
      remarks.problem(fmt::format("{}() was called {} times where it does not answer, as in start() and stop()", name,
                                  usage.out_of_place[i]));
    }
    if (usage.null_pointers[i] != 0) {
      remarks.problem(fmt::format("{}() was called {} times with a null pointer", name, usage.null_pointers[i]));
    }
  }
  if (usage.odd_sizes != 0) {
    remarks.problem(fmt::format("resolve_address() was called {} times with a location whose size is of no version",
                                usage.odd_sizes));
  }
  if (api == ApiVersion::v2 && usage.cleaned < usage.cleanable) {
    remarks.problem(
        fmt::format("{} of {} locations of resolve_address() were not given to al_cleanup(): perf leaks them",
                    usage.cleanable - usage.cleaned, usage.cleanable));
  }
}

void check_run(const FilterRequest& request, const std::string& path, ApiVersion api, Remarks& remarks) {
  dlfilter::FilterChain chain({request}, api);
  const auto recording = reader::Recording::open(path, {.rules = {.early_names = false}});  // as perf script
  symbolize::Symbolizer symbolizer;
  dlfilter::FilterRun run(chain, *recording, symbolizer, {});
  TimedFilter timed(run);
  recording->visit_in_order(timed);
  run.stop();
  remarks.result(timed.summary());
  check_usage(chain.filters().front().context->usage(), api, remarks);
}

}  // namespace

std::vector<Finding> test_filter(const FilterRequest& request, const std::string& recording) {
  std::vector<Finding> findings;
  findings.push_back(check("entry points", [&](Remarks& remarks) { check_module(request, remarks); }));
  if (!findings.back().problems.empty()) return findings;
  findings.push_back(check("description", [&](Remarks& remarks) { check_description(request, remarks); }));
  findings.push_back(check("stop() without start()", [&](Remarks& remarks) { check_stop_alone(request, remarks); }));
  for (const PerfVersion& version : versions) {
    findings.push_back(check(fmt::format("with perf {}", version.name),
                             [&](Remarks& remarks) { check_run(request, recording, version.api, remarks); }));
  }
  return findings;
}

}  // namespace perfsift::tools
