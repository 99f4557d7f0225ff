#include "analysis/memory/data_source_text.h"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace perfsift::analysis {
namespace {

// Bits of mem_lvl and mem_dtlb whose names follow the names of levels.
constexpr unsigned hit_bit = DataSource::level_hit;
constexpr unsigned miss_bit = DataSource::level_miss;
static_assert(hit_bit == DataSource::tlb_hit && miss_bit == DataSource::tlb_miss);

// Appends the names of the set bits, joined by " or ", to `text`.
void append_set(std::string& text, unsigned bits, std::span<const std::string_view> names, bool& first) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (((bits >> i) & 1) == 0) continue;
    if (!first) text += " or ";
    first = false;
    text += names[i];
  }
}

void append_outcome(std::string& text, unsigned bits) {
  if ((bits & hit_bit) != 0) text += " hit";
  if ((bits & miss_bit) != 0) text += " miss";
}

std::string_view operation_name(unsigned operation) {
  constexpr std::string_view names[] = {"N/A", "LOAD", "STORE", "PFETCH", "EXEC"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (((operation >> i) & 1) != 0) return names[i];
  }
  return "No";
}

std::string level_number_text(unsigned number, PerfStyle style) {
  switch (number) {
    case 0x5:
      return style == PerfStyle::newest ? "L2 MHB" : "L5";
    case 0x6:
      return style == PerfStyle::newest ? "Memory-side Cache" : "L6";
    case 0x7:
      return style == PerfStyle::newest ? "Unknown level 7" : "L7";
    case 0x8:
      return style == PerfStyle::newest ? "Uncached" : "L8";
    case 0x9:
      return "CXL";
    case 0xa:
      return "I/O";
    case 0xb:
      return "Any cache";
    case 0xc:
      return "LFB/MAB";
    case 0xd:
      return "RAM";
    case 0xe:
      return "PMEM";
    case 0xf:
      return "N/A";
    default:
      return fmt::format("L{}", number);
  }
}

// Bits of mem_lvl.
constexpr std::string_view level_names[] = {"N/A",
                                            "",
                                            "",
                                            "L1",
                                            "LFB/MAB",
                                            "L2",
                                            "L3",
                                            "Local RAM",
                                            "Remote RAM (1 hop)",
                                            "Remote RAM (2 hops)",
                                            "Remote Cache (1 hop)",
                                            "Remote Cache (2 hops)",
                                            "I/O",
                                            "Uncached"};

void append_distance(std::string& text, unsigned hops) {
  constexpr std::string_view distances[] = {"N/A", "core, same node", "node, same socket", "socket, same board",
                                            "board"};
  text += hops < std::size(distances) ? distances[hops] : "unknown distance";
  text += ' ';
}

// perf_mem__lvl_scnprintf() in tools/perf/util/mem-events.c of perf 6.1.
std::string level_text_6_1(const DataSource& source) {
  std::string text;
  if (source.remote != 0) text += "Remote ";
  bool first = true;
  if (source.hops != 0) {
    append_distance(text, source.hops);
  } else {
    append_set(text, source.level & ~(hit_bit | miss_bit), level_names, first);
  }
  if (source.level_number != 0) {
    if (!first) text += " or ";
    text += level_number_text(source.level_number, PerfStyle::perf_6_1);
  }
  if (text.empty()) text = "N/A";
  append_outcome(text, source.level);
  return text;
}

// The text of perf 6.13 and later: the number of the level is used, or the bits if there is no number. A blank comes
// before the outcome, even if the outcome is unknown.
std::string newest_level_text(const DataSource& source) {
  std::string text;
  if (source.has_number()) {
    if (source.remote != 0) text += "Remote ";
    if (source.hops != 0) append_distance(text, source.hops);
    text += level_number_text(source.level_number, PerfStyle::newest);
  } else {
    bool first = true;
    append_set(text, source.level & DataSource::all_levels, level_names, first);
    if (first) return "N/A";
  }
  if ((source.level & hit_bit) != 0) return text + " hit";
  return text + ((source.level & miss_bit) != 0 ? " miss" : " ");
}

std::string without_trailing_blanks(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

std::string_view operation_text(const DataSource& source) { return operation_name(source.operation); }

std::string level_text(const DataSource& source, PerfStyle style) {
  return style == PerfStyle::perf_6_1 ? level_text_6_1(source) : newest_level_text(source);
}

std::string snoop_text(const DataSource& source) {
  constexpr std::string_view names[] = {"N/A", "None", "Hit", "Miss", "HitM"};
  constexpr std::string_view extended[] = {"Fwd", "Peer"};
  std::string text;
  bool first = true;
  append_set(text, source.snoop, names, first);
  append_set(text, source.snoop_extended, extended, first);
  return first ? "N/A" : text;
}

std::string tlb_text(const DataSource& source) {
  const unsigned tlb = source.tlb;
  constexpr std::string_view names[] = {"N/A", "", "", "L1", "L2", "Walker", "Fault"};
  std::string text;
  bool first = true;
  append_set(text, tlb & ~(hit_bit | miss_bit), names, first);
  if (first) text = "N/A";
  append_outcome(text, tlb);
  return text;
}

std::string_view lock_text(const DataSource& source) {
  if ((source.lock & DataSource::lock_na) != 0) return "N/A";
  return (source.lock & DataSource::lock_locked) != 0 ? "Yes" : "No";
}

std::string_view blocked_text(const DataSource& source) {
  const bool data = (source.blocked & DataSource::blocked_data) != 0;
  const bool address = (source.blocked & DataSource::blocked_address) != 0;
  if (source.blocked == 0 || (source.blocked & DataSource::blocked_na) != 0) return "N/A";
  if (data && address) return "Data Addr";
  return data ? "Data" : "Addr";
}

std::string part_text(Key key, const DataSource& source) {
  switch (key) {
    case Key::operation:
      return std::string(operation_text(source));
    case Key::level:
      return without_trailing_blanks(level_text(source));
    case Key::snoop:
      return snoop_text(source);
    case Key::tlb:
      return tlb_text(source);
    case Key::locked:
      return std::string(lock_text(source));
    default:
      return std::string(blocked_text(source));
  }
}

std::string data_source_text(std::uint64_t data_src, PerfStyle style) {
  const DataSource source(data_src);
  return fmt::format("|OP {}|LVL {}|SNP {}|TLB {}|LCK {}|BLK  {}", operation_text(source), level_text(source, style),
                     snoop_text(source), tlb_text(source), lock_text(source), blocked_text(source));
}

std::string data_source_column(std::uint64_t data_src, PerfStyle style) {
  constexpr std::size_t longest = 99;  // char out[100] in data_src__fprintf() in tools/perf/builtin-script.c
  std::string text = fmt::format("{:16x} {}", data_src, data_source_text(data_src, style));
  text.resize(std::min(text.size(), longest));
  return text;
}

}  // namespace perfsift::analysis
