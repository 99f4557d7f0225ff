#include <string>
#include <string_view>

#include <fmt/format.h>

#include "record/keep/keep_plan.h"

namespace perfsift::record {
namespace {

// "CPU 3", "CPUs 0-3".
std::string counted(std::string_view noun, std::string_view plural, const std::string& list) {
  const bool is_one = list.find_first_of("-,") == std::string::npos;
  return std::string(is_one ? noun : plural) + ' ' + list;
}

std::string text_of(const KeepReason& reason) {
  switch (reason.by) {
    case KeptBy::tracepoint_filter:
      return "kept by the kernel as a tracepoint filter: " + reason.what;
    case KeptBy::cpus:
      return "kept by opening only " + counted("CPU", "CPUs", reason.what);
    case KeptBy::processes:
      return "kept by recording only " + counted("process", "processes", reason.what) + ", with children";
    case KeptBy::threads:
      return "kept by recording only " + counted("thread", "threads", reason.what);
    case KeptBy::cgroup:
      return "kept by recording only the cgroup " + reason.what + " and the cgroups below";
    case KeptBy::modes:
      return "kept by the kernel, which counts in " + reason.what + " mode only";
    case KeptBy::not_opening:
      return "not opened: no sample of the event can be kept";
    case KeptBy::its_group:
      return "opened for its group; the recorder drops all samples";
    case KeptBy::recorder:
      return "kept by the recorder, for each sample: " + reason.what;
    case KeptBy::nothing:
      return "all samples are kept";
  }
  return {};
}

}  // namespace

std::vector<std::string> explained(const KeepPlan& plan) {
  std::vector<std::string> lines;
  for (const KeepReason& reason : plan.reasons) {
    lines.push_back(fmt::format("{}: {}", reason.event.empty() ? "all events" : reason.event, text_of(reason)));
  }
  return lines;
}

}  // namespace perfsift::record
