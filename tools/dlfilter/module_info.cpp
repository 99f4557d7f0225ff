#include "tools/dlfilter/module_info.h"

#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "dlfilters/host/exports.h"

namespace perfsift::tools {
namespace {

std::string line(std::string_view what, std::string_view text) {
  return fmt::format("{:<14}{}\n", what, printable(text));
}

std::string table_text(const dlfilter::LoadedModule& module) {
  if (module.entry_points().functions == nullptr) return "none: it can ask nothing";
  return fmt::format("{}, {} bytes", dlfilter::entry_point::functions, module.table_size());
}

}  // namespace

std::string entry_points_text(const dlfilter::LoadedModule& module) {
  namespace name = dlfilter::entry_point;
  const dlfilter::EntryPoints& has = module.entry_points();
  std::vector<std::string_view> names;
  if (has.start != nullptr) names.emplace_back(name::start);
  if (has.filter_event_early != nullptr) names.emplace_back(name::filter_event_early);
  if (has.filter_event != nullptr) names.emplace_back(name::filter_event);
  if (has.stop != nullptr) names.emplace_back(name::stop);
  if (has.filter_description != nullptr) names.emplace_back(name::filter_description);
  return names.empty() ? "none: perf shows every sample" : fmt::format("{}", fmt::join(names, ", "));
}

std::string module_info(const dlfilter::LoadedModule& module) {
  const dlfilter::Description description = module.describe();
  std::string text = line("file", module.path());
  text += line("description", description.line.value_or(""));
  std::istringstream more(description.text.value_or(""));
  for (std::string each; std::getline(more, each);) text += line("", each);
  text += line("entry points", entry_points_text(module));
  text += line("table", table_text(module));
  if (const std::string problem = module.table_problem(); !problem.empty()) text += line("problem", problem);
  for (const std::string& mistake : dlfilter::export_mistakes(module.path())) text += line("problem", mistake);
  return text;
}

}  // namespace perfsift::tools
