#include "tools/export/label_list.h"

#include <array>
#include <sstream>
#include <string_view>

#include "base/error.h"

namespace perfsift::tools {
namespace {

using output::PprofLabels;

struct Name {
  std::string_view name;
  bool PprofLabels::*label;
};
constexpr std::array names{Name{"pid", &PprofLabels::pid},       Name{"tid", &PprofLabels::tid},
                           Name{"comm", &PprofLabels::comm},     Name{"cpu", &PprofLabels::cpu},
                           Name{"cgroup", &PprofLabels::cgroup}, Name{"mode", &PprofLabels::execution_mode},
                           Name{"other", &PprofLabels::other},   Name{"time", &PprofLabels::timestamp}};

void set(std::string_view wanted, PprofLabels& labels) {
  bool known = wanted == "none" || wanted == "all";
  for (const auto& [name, label] : names) {
    if (name != wanted && !(wanted == "all" && name != "time")) continue;
    labels.*label = known = true;
  }
  if (!known)
    throw UsageError("--labels " + std::string(wanted) +
                     ": there are pid, tid, comm, cpu, cgroup, mode, other, time, all and none");
}

}  // namespace

PprofLabels labels_of(const std::string& list) {
  PprofLabels labels;
  for (const auto& [name, label] : names) labels.*label = false;
  std::istringstream wanted(list);
  for (std::string name; std::getline(wanted, name, ',');) set(name, labels);
  return labels;
}

std::vector<std::string_view> label_names() {
  std::vector<std::string_view> all;
  for (const Name& name : names) all.push_back(name.name);
  all.insert(all.end(), {"all", "none"});
  return all;
}

}  // namespace perfsift::tools
