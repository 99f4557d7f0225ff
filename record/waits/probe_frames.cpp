#include "record/waits/probe_frames.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string_view>

#include "base/text_scanner.h"

namespace perfsift::record {
namespace {

struct Symbol {
  std::uint64_t address = 0;
  std::string_view name;
};

// "ffffffff814ca710 T bpf_trace_run4"
std::optional<Symbol> symbol_in(std::string_view line) {
  Symbol symbol;
  symbol.address = take_hex(line).value_or(0);
  constexpr std::size_t between = 3;  // " T "
  if (line.size() <= between || symbol.address == 0) return std::nullopt;
  symbol.name = line.substr(between);
  return symbol;
}

// The functions between a tracepoint and the helper that takes the stack.
bool is_of_tracing(std::string_view name) {
  constexpr std::array<std::string_view, 5> prefixes{"bpf_prog_", "bpf_trace_run", "__bpf_trace_sched_",
                                                     "__traceiter_sched_", "bpf_dispatcher_"};
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

// The symbols of the kernel are in the order of their addresses. Those of BPF programs follow, in another order.
ProbeFrames::ProbeFrames(const std::string& kallsyms) {
  constexpr std::uint64_t largest = 1 << 14;
  std::ifstream file(kallsyms);
  std::uint64_t begin = 0;  // of a function of tracing whose end is not known yet
  for (std::string line; std::getline(file, line);) {
    const auto symbol = symbol_in(line);
    if (!symbol || symbol->address == begin) continue;
    const bool ends_it = symbol->address > begin && symbol->address - begin < largest;
    if (begin != 0) ranges_.emplace_back(begin, ends_it ? symbol->address : begin + largest);
    begin = is_of_tracing(symbol->name) ? symbol->address : 0;
  }
  if (begin != 0) ranges_.emplace_back(begin, begin + largest);
  std::ranges::sort(ranges_);
}

bool ProbeFrames::has(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(ranges_, address, {}, [](const auto& range) { return range.first; });
  return after != ranges_.begin() && address < std::prev(after)->second;
}

std::span<const std::uint64_t> ProbeFrames::without(std::span<const std::uint64_t> stack) const {
  constexpr std::size_t most = 8;
  std::size_t cut = 0;
  for (std::size_t i = 0; i < std::min(most, stack.size()); ++i) {
    if (has(stack[i])) cut = i + 1;
  }
  return stack.subspan(cut);
}

}  // namespace perfsift::record
