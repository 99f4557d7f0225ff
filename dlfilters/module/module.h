// A dlfilter module of ours: something that perf loads, gives its arguments, and shows every sample.
//
// perf calls five C functions of the shared object (see dlfilters/abi.h). entry_points.cpp has them, the same for all
// modules; what makes a module is a class, and the two things declared at the end, in one file for each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dlfilters/module/perf_sample.h"

namespace perfsift::dlfilter {

// An exception becomes one message on standard error, and ends perf's run.
class Module {
 public:
  virtual ~Module() = default;

  // Whether the sample is kept. Asked first, before perf has looked anything up or applied its own options.
  virtual bool keeps_early(PerfSample&) { return true; }
  // Asked of samples that were kept early, and that perf's own options do not drop.
  virtual bool keeps(PerfSample& sample) = 0;
  // Called after the last sample, but not after an exception.
  virtual void finish() {}
};

struct ModuleDescription {
  const char* name;     // "perfsift-filter.so"
  const char* summary;  // one line
  const char* help;     // how it is used; without a newline at its end
};

// The description of this module:
extern const ModuleDescription module_description;
// `arguments`: those of --dlarg. Throws UsageError, and what else keeps it from working. Nullptr when there is nothing
// more to do than what has been done: help was printed.
std::unique_ptr<Module> make_module(const std::vector<std::string>& arguments);

// One line on standard error, with the module's name.
void notice(const std::string& text);

}  // namespace perfsift::dlfilter
