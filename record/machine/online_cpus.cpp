#include "record/machine/online_cpus.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number_in.h"
#include "base/text_scanner.h"
#include "record/machine/number_text.h"

namespace perfsift::record {
namespace {

std::string sysfs_list(const KernelRoots& roots) { return roots.sysfs + "/devices/system/cpu/online"; }

// show_stat() in fs/proc/stat.c: after the sums, "cpu  10132153 290696 …", a line "cpu3 10132153 …" for each CPU that
// is online.
std::vector<unsigned> cpus_of_stat(std::string_view stat) {
  std::vector<unsigned> cpus;
  while (!stat.empty()) {
    std::string_view line = take_line(stat);
    if (!line.starts_with("cpu")) break;
    line.remove_prefix(3);
    if (const auto cpu = number_in<unsigned>(line.substr(0, line.find(' ')))) cpus.push_back(*cpu);
  }
  std::ranges::sort(cpus);
  return cpus;
}

}  // namespace

std::vector<unsigned> known_online_cpus(const KernelRoots& roots) {
  auto cpus = read_number_list(text_of(sysfs_list(roots)));
  if (cpus && !cpus->empty()) return *cpus;
  return cpus_of_stat(text_of(roots.proc + "/stat"));
}

std::vector<unsigned> online_cpus(const KernelRoots& roots) {
  std::vector<unsigned> cpus = known_online_cpus(roots);
  if (cpus.empty())
    throw Error(fmt::format("which CPUs are online is not known without {} and {}/stat: mount {}", sysfs_list(roots),
                            roots.proc, roots.proc));
  return cpus;
}

}  // namespace perfsift::record
