#include "tools/dlfilter/module_list_text.h"

#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "base/printable.h"
#include "dlfilters/host/module_list.h"

namespace perfsift::tools {
namespace {

constexpr int name_width = 36;

void print(const dlfilter::ListedModule& module, bool verbose) {
  const std::string line = module.problem.empty() ? module.description.line.value_or("") : module.problem;
  std::cout << fmt::format("  {:<{}} {}\n", printable(module.name), name_width, printable(line));
  if (!verbose || !module.description.text) return;
  std::istringstream text(*module.description.text);
  for (std::string each; std::getline(text, each);)
    std::cout << fmt::format("{:{}}{}\n", "", name_width + 3, printable(each));
}

}  // namespace

void print_dlfilters(const std::vector<std::string>& folders, bool verbose) {
  std::cout << "List of available dlfilters:\n";
  for (const std::string& folder : folders) {
    for (const auto& module : dlfilter::list_modules(folder)) print(module, verbose);
  }
}

}  // namespace perfsift::tools
