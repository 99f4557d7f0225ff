// perfsift-filter.so: perf script shows the samples that an expression keeps.

#include "base/error.h"
#include "dlfilters/module/module.h"
#include "dlfilters/module/perf_filter.h"

namespace perfsift::dlfilter {

constinit const ModuleDescription module_description{
    .name = "perfsift-filter.so",
    .summary = "keeps the samples for which an expression holds",
    .help =
        "perf script --dlfilter perfsift-filter.so --dlarg 'EXPR'\n"
        "Several expressions must all hold. For example:\n"
        "  comm == \"nginx*\" && cpu in 0..3\n"
        "  sym =~ \"lock\" || stack has \"malloc\"\n"
        "  event == \"cycles\", period > 64k\n"
        "See perfsift-filter(7) for the language, and perfsift-dlfilters(7) for differences inside perf."};

namespace {

class FilterModule : public Module {
 public:
  explicit FilterModule(const std::vector<std::string>& expressions) : filter_(filter_texts(expressions)) {}

  bool keeps_early(PerfSample& sample) override { return filter_.keeps_early(sample); }
  bool keeps(PerfSample& sample) override { return filter_.keeps(sample); }

 private:
  PerfFilter filter_;
};

}  // namespace

std::unique_ptr<Module> make_module(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UsageError(std::string("no expression; usage:\n") + module_description.help);
  return std::make_unique<FilterModule>(arguments);
}

}  // namespace perfsift::dlfilter
