#include "output/memory/padding_advice.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"

namespace perfsift::output {
namespace {

using analysis::CacheLine;
using analysis::LineOffset;
using analysis::Sharing;

// "7:a, 8:b and 3 more"
std::string threads_of(const CacheLine& line, const std::vector<std::size_t>& group) {
  constexpr std::size_t most = 4;
  std::set<std::string_view> names;
  for (const std::size_t i : group) {
    for (const analysis::LineThread& thread : line.offsets[i].threads) names.insert(thread.name);
  }
  std::vector<std::string_view> shown;
  for (const std::string_view name : names) {
    if (shown.size() < most) shown.push_back(name);
  }
  const std::string more = names.size() > most ? fmt::format(" and {} more", names.size() - most) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), more);
}

std::string offsets_of(const CacheLine& line, const std::vector<std::size_t>& group) {
  constexpr std::size_t most = 6;
  std::vector<std::string> shown;
  for (const std::size_t i : group) {
    if (shown.size() == most) break;
    const LineOffset& offset = line.offsets[i];
    shown.push_back(offset.symbol.starts_with("0x") ? fmt::format("offset 0x{:x}", offset.offset)
                    : has_part(offset)              ? std::string(offset.member)
                                                    : std::string(offset.symbol));
  }
  const std::string more = group.size() > most ? fmt::format(" and {} more", group.size() - most) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), more);
}

}  // namespace

bool has_part(const LineOffset& offset) {
  const std::string_view symbol = offset.symbol, variable = symbol.substr(0, symbol.rfind('+'));
  return offset.member != variable && offset.member.starts_with(variable);
}

analysis::ShareInterval false_share_of(const CacheLine& line) {
  return analysis::interval_of_share(static_cast<double>(line.falsely_shared), static_cast<double>(line.disturbed));
}

std::string reason_of(const CacheLine& line) {
  const std::string what = line.accesses.conflicts() != 0 ? "conflicts" : "accesses";
  const analysis::ShareInterval false_share = false_share_of(line);
  const std::string_view condition = line.stores_not_known ? ", if any of them stores (stores not known)" : "";
  const std::string assumed =
      line.stores_not_sampled ? "; no store was sampled, but a modified line proves that there are some" : "";
  switch (line.sharing) {
    case Sharing::one_thread:
      return "used by one thread";
    case Sharing::read_only:
      return fmt::format("read by {} threads, no store was sampled", line.threads);
    case Sharing::true_sharing:
      if (line.disturbed == 0)
        return fmt::format("used by {} threads{}", line.threads, line.stores_not_known ? ", stores not known" : "");
      [[fallthrough]];
    default:
      return fmt::format(
          "{} by {} threads{}: {:.0f} % of {} {} (95 % interval {:.0f}-{:.0f} %) are to bytes that other threads "
          "hardly use{}",
          analysis::name_of(line.sharing), line.threads, condition, line.false_share, line.disturbed, what,
          false_share.low, false_share.high, assumed);
  }
}

std::vector<std::string> padding_advice(const CacheLine& line, std::uint64_t line_size) {
  std::vector<std::string> advice;
  if (line.groups.size() < 2) return advice;
  advice.push_back(fmt::format("{} each of these a line of its own (alignas({}), or padding to {} bytes):",
                               line.stores_not_known ? "If a thread stores to the line, give" : "Give", line_size,
                               line_size));
  for (const std::vector<std::size_t>& group : line.groups) {
    advice.push_back(fmt::format("  {} (used by {})", offsets_of(line, group), threads_of(line, group)));
  }
  return advice;
}

}  // namespace perfsift::output
