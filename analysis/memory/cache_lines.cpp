#include "analysis/memory/cache_lines.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>

#include "analysis/memory/sharing.h"

namespace perfsift::analysis {
namespace {

constexpr std::array<std::string_view, 5> sharing_names = {"one thread", "read only", "true sharing", "mixed",
                                                           "false sharing"};

void count_conflict(const DataSource& source, LineAccesses& accesses) {
  switch (conflict_of(source)) {
    case Conflict::local_hitm:
      ++accesses.local_hitm;
      break;
    case Conflict::remote_hitm:
      ++accesses.remote_hitm;
      break;
    case Conflict::local_peer:
      ++accesses.local_peer;
      break;
    case Conflict::remote_peer:
      ++accesses.remote_peer;
      break;
    case Conflict::none:
      break;
  }
}

// Sums by a key, as a list with the most accesses first.
template <typename Item, typename Key>
std::vector<Item> ranked(std::map<Key, Item>&& items) {
  std::vector<Item> list;
  for (auto& [key, item] : items) list.push_back(std::move(item));
  std::ranges::stable_sort(list, std::greater{},
                           [](const Item& item) { return std::pair(item.accesses.conflicts(), item.accesses.all()); });
  return list;
}

}  // namespace

std::string_view name_of(Sharing sharing) { return sharing_names[static_cast<std::size_t>(sharing)]; }

void LineAccesses::add(const LineAccesses& other) {
  loads += other.loads;
  stores += other.stores;
  others += other.others;
  local_hitm += other.local_hitm;
  remote_hitm += other.remote_hitm;
  local_peer += other.local_peer;
  remote_peer += other.remote_peer;
  weight += other.weight;
}

void CacheLines::add(const reader::Sample& sample, const MemoryAccess& access, MemoryCells& cells,
                     std::uint32_t recording) {
  constexpr unsigned recording_shift = 44;
  const MemoryCells::Home home = cells.home();
  LineAccesses& accesses = accesses_[{.space = home.space | std::uint64_t{recording} << recording_shift,
                                      .address = home.address,
                                      .shown = access.address & ~(line_size_ - 1),
                                      .symbol = cells.cell(MemoryKey::symbol_daddr),
                                      .variable = cells.cell(MemoryKey::variable),
                                      .member = cells.cell(MemoryKey::member),
                                      .declaration = cells.cell(MemoryKey::declaration),
                                      .kind = cells.cell(MemoryKey::kind),
                                      .thread = cells.cell(MemoryKey::pid),
                                      .code = cells.cell(MemoryKey::symbol),
                                      .dso = cells.cell(MemoryKey::dso),
                                      .node = cells.cell(MemoryKey::node),
                                      .cpu_node = cells.cell(MemoryKey::cpu_node),
                                      .tid = sample.tid,
                                      .cpu = sample.cpu}];
  ++(access.is_load() ? accesses.loads : access.is_store() ? accesses.stores : accesses.others);
  count_conflict(access.source(), accesses);
  accesses.weight += access.weight();
}

void CacheLines::add(const CacheLines& other) {
  for (const auto& [key, accesses] : other.accesses_) accesses_[key].add(accesses);
}

void CacheLines::finish(const FrameTable& texts) {
  std::vector<const Entry*> entries;
  for (const Entry& entry : accesses_) entries.push_back(&entry);
  const auto place = [](const Entry* entry) { return std::pair(entry->first.space, entry->first.address); };
  std::ranges::sort(entries, {}, place);
  for (auto first = entries.begin(); first != entries.end();) {
    const Key& key = (*first)->first;
    const auto end = std::find_if(first, entries.end(), [&](const Entry* entry) {
      return entry->first.space != key.space || line_of(entry->first) != line_of(key);
    });
    lines_.push_back(make_line({first, end}, texts));
    any_conflict_ = any_conflict_ || lines_.back().accesses.conflicts() != 0;
    first = end;
  }
  // What can be repaired comes first; the address decides between equal lines.
  std::ranges::sort(lines_, [](const CacheLine& a, const CacheLine& b) {
    const auto rank = [](const CacheLine& line) {
      return std::tuple(line.falsely_shared, line.accesses.conflicts(), line.disturbed, line.accesses.weight,
                        line.accesses.all());
    };
    const auto names = [](const CacheLine& line) {
      return std::tuple(line.address, line.variable, line.offsets.front().threads.front().name);
    };
    return rank(a) != rank(b) ? rank(a) > rank(b) : names(a) < names(b);
  });
}

CacheLine CacheLines::make_line(std::span<const Entry* const> entries, const FrameTable& texts) const {
  CacheLine line;
  std::set<std::int32_t> threads, cpus;
  line.address = entries.front()->first.shown;
  for (auto first = entries.begin(); first != entries.end();) {
    const auto end = std::find_if(first, entries.end(),
                                  [&](const Entry* entry) { return entry->first.address != (*first)->first.address; });
    line.offsets.push_back(make_offset({first, end}, texts));
    first = end;
  }
  for (const Entry* entry : entries) {
    line.accesses.add(entry->second);
    line.address = std::min(line.address, entry->first.shown);
    threads.insert(entry->first.tid);
    if (entry->first.cpu >= 0) cpus.insert(entry->first.cpu);
  }
  const auto decides = [&](const Entry* a, const Entry* b) {
    const auto rank = [&](const Entry* entry) {
      return std::tuple(entry->second.all(), texts.text(entry->first.variable), texts.text(entry->first.node));
    };
    return rank(a) < rank(b);
  };
  const Key& most = (*std::ranges::max_element(entries, decides))->first;
  line.variable = texts.text(most.variable);
  line.kind = texts.text(most.kind);
  line.node = texts.text(most.node);
  line.threads = threads.size();
  line.cpus = cpus.size();
  judge_sharing(line);
  return line;
}

LineOffset CacheLines::make_offset(std::span<const Entry* const> entries, const FrameTable& texts) const {
  LineOffset offset{.offset = entries.front()->first.address & (line_size_ - 1),
                    .symbol = texts.text(entries.front()->first.symbol),
                    .member = texts.text(entries.front()->first.member),
                    .declaration = texts.text(entries.front()->first.declaration)};
  std::map<std::pair<std::int32_t, std::string_view>, LineThread> threads;
  std::map<std::pair<std::string_view, std::string_view>, LineCode> codes;
  for (const Entry* entry : entries) {
    const auto& [key, accesses] = *entry;
    offset.accesses.add(accesses);
    offset.symbol = std::min(offset.symbol, texts.text(key.symbol));
    offset.member = std::min(offset.member, texts.text(key.member));
    offset.declaration = std::min(offset.declaration, texts.text(key.declaration));
    const std::string_view name = texts.text(key.thread), symbol = texts.text(key.code), dso = texts.text(key.dso);
    LineThread& thread = threads[{key.tid, name}];
    thread.tid = key.tid;
    thread.name = name;
    thread.accesses.add(accesses);
    LineCode& code = codes[{symbol, dso}];
    code.symbol = symbol;
    code.dso = dso;
    code.accesses.add(accesses);
    if (key.cpu >= 0) offset.cpus.insert(key.cpu);
    if (const std::string_view node = texts.text(key.cpu_node); node != "[unknown]") offset.nodes.insert(node);
  }
  offset.threads = ranked(std::move(threads));
  offset.code = ranked(std::move(codes));
  return offset;
}

}  // namespace perfsift::analysis
