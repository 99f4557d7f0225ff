#include "tools/store/label_options.h"

#include <cerrno>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/whole_file.h"

namespace perfsift::tools {
namespace {

store::Labels given_labels(const std::vector<std::string>& words) {
  store::Labels labels;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw UsageError(printable(fmt::format("--label {}: not of the form NAME=VALUE", word)));
    const std::string name = word.substr(0, equals);
    store::check_label_name(name, "--label " + word);
    if (!labels.emplace(name, word.substr(equals + 1)).second)
      throw UsageError(printable(fmt::format("--label {}: {} is given twice", word, name)));
  }
  return labels;
}

store::LabelRules rules_in(const std::string& file) {
  if (file.empty()) return {};
  const auto text = read_whole_file(file);
  if (!text) throw InputError(printable(fmt::format("--label-rules {}: {}", file, std::strerror(errno))));
  return {file, *text};
}

store::Labels recorded_labels(const InputReport& report) {
  store::Labels labels;
  const auto* const recording = report.get<RecordingReport>();
  if (recording == nullptr) return labels;
  const analysis::RecordingDescription& description = recording->description;
  const auto label = [&](const char* name, const std::string& value) {
    if (!value.empty()) labels.emplace(name, value);
  };
  label("host", description.hostname);
  label("kernel", description.kernel);
  label("machine", description.machine);
  return labels;
}

}  // namespace

void LabelOptions::add_to(options::po::options_description& options) {
  auto add = options.add_options();
  add("label", options::po::value(&given)->value_name("NAME=VALUE")->composing(),
      "add: a label of all recordings; may be repeated");
  add("label-rules", options::po::value(&rules)->value_name("FILE"),
      "add: take labels from paths and control groups by the rules in FILE");
}

Labelling::Labelling(const LabelOptions& options)
    : given_(given_labels(options.given)), rules_(rules_in(options.rules)) {}

store::Labels Labelling::labels_of_path(const std::string& path) const {
  store::Labels labels = given_;
  labels.merge(rules_.labels_of_path(path));
  return labels;
}

void Labelling::add_recorded(const InputReport& report, const analysis::SampleTable& table,
                             store::Labels& labels) const {
  std::set<std::string_view> cgroups;
  for (const analysis::SampleContext& context : table.contexts()) cgroups.insert(context.cgroup);
  labels.merge(rules_.labels_of_cgroups(std::vector(cgroups.begin(), cgroups.end())));
  labels.merge(recorded_labels(report));
}

}  // namespace perfsift::tools
