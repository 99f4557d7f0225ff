#include "tools/record/register_names.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include "base/error.h"
#include "output/script/registers.h"
#include "record/attr_configuration.h"

namespace perfsift::tools {
namespace {

struct NamedRegister {
  std::string name;
  unsigned number = 0;
};

// Those that unwinding copies are all that a PMU without vector registers can sample.
std::vector<NamedRegister> sampled_registers() {
  struct utsname system {};
  uname(&system);
  std::vector<NamedRegister> registers;
  for (unsigned number = 0; number < 64; ++number) {
    if ((record::unwind_registers() >> number & 1) == 0) continue;
    registers.push_back({.name = output::register_name(system.machine, number), .number = number});
  }
  return registers;
}

// parse_regs() in tools/perf/util/parse-regs-options.c compares so.
bool same_name(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other,
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

}  // namespace

std::string sampled_register_names() {
  std::vector<std::string> names;
  for (NamedRegister& one : sampled_registers()) names.push_back(std::move(one.name));
  return fmt::format("{}", fmt::join(names, " "));
}

std::uint64_t register_mask(std::string_view names, std::string_view option) {
  if (names.empty()) return record::unwind_registers();
  const std::vector<NamedRegister> registers = sampled_registers();
  std::uint64_t mask = 0;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const auto found = std::ranges::find_if(registers, [&](const auto& one) { return same_name(one.name, name); });
    if (found == registers.end())
      throw UsageError(fmt::format("{} {}: no such register; there are {}", option, name, sampled_register_names()));
    mask |= std::uint64_t{1} << found->number;
  }
  return mask;
}

}  // namespace perfsift::tools
