#include "analysis/memory/cache_lines.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

#include "analysis/memory/sharing.h"
#include "base/share_work.h"

namespace perfsift::analysis {
namespace {

constexpr std::array<std::string_view, 5> sharing_names = {"one thread", "read only", "true sharing", "mixed",
                                                           "false sharing"};

using Entry = std::pair<const LineUse, LineSums::Sum>;
using Entries = std::span<const Entry*>;

// Calls take(part) for each run of consecutive entries with equal key(entry).
template <typename Key, typename Take>
void for_each_group(Entries entries, Key&& key, Take&& take) {
  for (auto first = entries.begin(); first != entries.end();) {
    const auto end =
        std::find_if(first, entries.end(), [&](const Entry* entry) { return key(*entry) != key(**first); });
    take(Entries(first, end));
    first = end;
  }
}

template <typename Number>
void sort_unique(std::vector<Number>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Makes lines of entries. Thread-safe.
class LineMaker {
 public:
  LineMaker(std::uint64_t line_size, const FrameTable& texts, const MemoryNodes& nodes)
      : line_size_(line_size), texts_(texts), nodes_(nodes) {}

  std::uint64_t line_of(std::uint64_t address) const { return address & ~(line_size_ - 1); }

  // `entries`: the entries of one line, sorted. Their order changes.
  CacheLine make(Entries entries) const {
    CacheLine line;
    line.address = ~std::uint64_t{0};
    std::vector<std::int32_t> threads, cpus;
    for (const Entry* entry : entries) {
      const auto& [use, sum] = *entry;
      line.accesses.add(sum.accesses);
      line.address = std::min(line.address, line_of(sum.lowest));
      threads.push_back(use.tid);
      if (use.cpu >= 0) cpus.push_back(use.cpu);
    }
    sort_unique(threads);
    sort_unique(cpus);
    line.threads = threads.size();
    line.cpus = cpus.size();
    describe(entries, line);
    for_each_group(
        entries, [](const Entry& entry) { return entry.first.address; },
        [&](Entries part) { line.offsets.push_back(make_offset(part)); });
    judge_sharing(line);
    return line;
  }

 private:
  std::string_view text(FrameId id) const { return texts_.text(id); }

  // The most frequent use. Memory that is mapped again at an address has other data.
  const LineUse& most_used(Entries entries) const {
    const auto rank = [&](const Entry* entry) {
      const LineUse& use = entry->first;
      const bool named = use.binary != CodeAddress::no_binary;
      return std::tuple(entry->second.accesses.all(), named, use.offset, use.binary, text(use.variable));
    };
    return (*std::ranges::max_element(entries, {}, rank))->first;
  }

  void describe(Entries entries, CacheLine& line) const {
    const auto rank = [&](const Entry* entry) {
      const LineUse& use = entry->first;
      return std::tuple(entry->second.accesses.all(), text(use.variable), text(use.node), text(use.kind));
    };
    const LineUse& most = (*std::ranges::max_element(entries, {}, rank))->first;
    line.variable = text(most.variable);
    line.kind = text(most.kind);
    line.node = text(most.node);
  }

  LineOffset make_offset(Entries entries) const {
    LineOffset offset{.offset = entries.front()->first.address & (line_size_ - 1), .data = most_used(entries)};
    for (const Entry* entry : entries) {
      const auto& [use, sum] = *entry;
      offset.accesses.add(sum.accesses);
      if (use.cpu < 0) continue;
      offset.cpus.push_back(use.cpu);
      if (const auto node = nodes_.of_cpu(use.cpu)) offset.nodes.push_back(*node);
    }
    sort_unique(offset.cpus);
    sort_unique(offset.nodes);
    offset.threads = ranked<LineThread>(
        entries, [&](const LineUse& use) { return std::pair(use.tid, text(use.thread)); },
        [](const auto& key) { return LineThread{.tid = key.first, .name = key.second}; });
    offset.code = ranked<LineCode>(
        entries, [&](const LineUse& use) { return std::pair(text(use.code), text(use.dso)); },
        [](const auto& key) { return LineCode{.symbol = key.first, .dso = key.second}; });
    return offset;
  }

  // An item for each key, with the accesses of all its uses. The items with most accesses come first.
  template <typename Item, typename KeyOf, typename Make>
  static std::vector<Item> ranked(Entries entries, KeyOf key_of, Make make) {
    const auto key = [&](const Entry& entry) { return key_of(entry.first); };
    std::ranges::sort(entries, {}, [&](const Entry* entry) { return key(*entry); });
    std::vector<Item> items;
    for_each_group(entries, key, [&](Entries part) {
      Item& item = items.emplace_back(make(key(*part.front())));
      for (const Entry* entry : part) item.accesses.add(entry->second.accesses);
    });
    std::ranges::stable_sort(items, std::greater{},
                             [](const Item& of) { return std::pair(of.accesses.conflicts(), of.accesses.all()); });
    return items;
  }

  const std::uint64_t line_size_;
  const FrameTable& texts_;
  const MemoryNodes& nodes_;
};

}  // namespace

std::string_view name_of(Sharing sharing) { return sharing_names[static_cast<std::size_t>(sharing)]; }

CacheLines::CacheLines(const LineSums& sums, std::uint64_t line_size, const FrameTable& texts, const MemoryNodes& nodes,
                       std::uint32_t recording, unsigned threads)
    : line_size_(line_size) {
  std::vector<const Entry*> entries;
  for (const Entry& entry : sums) entries.push_back(&entry);
  std::ranges::sort(entries, {}, [](const Entry* entry) -> const LineUse& { return entry->first; });
  const LineMaker maker(line_size, texts, nodes);
  std::vector<Entries> lines;
  for_each_group(
      entries, [&](const Entry& entry) { return std::pair(entry.first.space, maker.line_of(entry.first.address)); },
      [&](Entries part) { lines.push_back(part); });
  lines_.resize(lines.size());
  for_each_part(threads, lines.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      lines_[i] = maker.make(lines[i]);
      lines_[i].recording = recording;
    }
  });
}

void CacheLines::add(CacheLines&& other) {
  lines_.insert(lines_.end(), std::move_iterator(other.lines_.begin()), std::move_iterator(other.lines_.end()));
}

std::span<CacheLine> CacheLines::first(std::size_t count) {
  return std::span(lines_).first(count == 0 ? lines_.size() : std::min(count, lines_.size()));
}

bool CacheLines::any_conflict() const {
  return std::ranges::any_of(lines_, [](const CacheLine& line) { return line.accesses.conflicts() != 0; });
}

// Equal lines are ordered by address, name and recording.
void CacheLines::rank() {
  std::ranges::sort(lines_, [](const CacheLine& a, const CacheLine& b) {
    const auto rank = [](const CacheLine& line) {
      return std::tuple(line.falsely_shared, line.accesses.conflicts(), line.disturbed, line.accesses.weight,
                        line.accesses.all());
    };
    const auto names = [](const CacheLine& line) {
      return std::tuple(line.address, line.variable, line.offsets.front().threads.front().name, line.recording);
    };
    return rank(a) != rank(b) ? rank(a) > rank(b) : names(a) < names(b);
  });
}

}  // namespace perfsift::analysis
