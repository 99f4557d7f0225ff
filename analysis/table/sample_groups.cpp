#include "analysis/table/sample_groups.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

#include "analysis/profile/ranked_stack.h"
#include "analysis/table/stack_node.h"
#include "base/share_work.h"

namespace perfsift::analysis {
namespace {

constexpr std::uint32_t wanted_pieces = 512;

constexpr std::uint64_t two(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

constexpr unsigned mode_bits = 8;
constexpr std::uint64_t without_run = two(SumRow::no_run, 0);

}  // namespace

SampleGroups::SampleGroups(const CallTree& tree, const SampleTable& table, const GroupKeys& keys, unsigned threads)
    : tree_(tree), table_(table), keys_(keys) {
  number_contexts();
  number_events();
  split(threads);
}

void SampleGroups::number_contexts() {
  const std::vector<SampleContext>& all = table_.contexts();
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return all[a] < all[b]; });
  context_ranks_.resize(all.size());
  for (const std::uint32_t number : order) {
    context_ranks_[number] = static_cast<std::uint32_t>(contexts_.size());
    contexts_.push_back(&all[number]);
  }
}

void SampleGroups::number_events() {
  const Profile& profile = tree_.profile();
  events_.resize(profile.events().size());
  std::iota(events_.begin(), events_.end(), EventId{0});
  std::ranges::sort(events_, {}, [&](EventId event) -> const std::string& { return profile.events()[event]; });
  event_ranks_.resize(events_.size());
  for (std::uint32_t rank = 0; rank < events_.size(); ++rank) event_ranks_[events_[rank]] = rank;
}

void SampleGroups::split(unsigned threads) {
  const unsigned shift = static_cast<unsigned>(std::bit_width(tree_.size() / wanted_pieces));
  const std::size_t pieces = ((tree_.size() - 1) >> shift) + 1;
  const auto piece_of = [&](std::size_t entry) { return node_of(static_cast<Entry>(entry)) >> shift; };
  // By part and piece: first the number of entries, then the place of the next entry.
  std::vector<std::vector<std::size_t>> places(threads);
  for_each_part(threads, entries(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    std::vector<std::size_t> counts(pieces);
    for (std::size_t i = begin; i < end; ++i) ++counts[piece_of(i)];
    places[part] = std::move(counts);
  });
  std::size_t next = 0;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    for (std::vector<std::size_t>& of_part : places) next += std::exchange(of_part[piece], next);
    ends_.push_back(next);
  }
  entries_.resize(next);
  for_each_part(threads, entries(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    std::vector<std::size_t> at = std::move(places[part]);
    for (std::size_t i = begin; i < end; ++i) entries_[at[piece_of(i)]++] = static_cast<Entry>(i);
  });
}

CallTree::Node SampleGroups::node_of(Entry entry) const {
  const std::size_t samples = table_.samples().size();
  return node_of_stack(tree_, entry < samples ? table_.samples()[entry].stack : table_.sums()[entry - samples].stack);
}

template <typename TableRow>
SampleGroups::Row SampleGroups::row_of(const TableRow& row, std::uint64_t time, std::uint64_t run,
                                       const Amount& amount) const {
  const bool has_context = keys_.context && row.context != SampleGroup::no_context;
  const std::uint32_t context = has_context ? context_ranks_[row.context] : SampleGroup::no_context;
  const std::uint32_t mode = keys_.mode ? row.mode : 0;
  const std::int32_t cpu = keys_.cpu ? row.cpu : -1;
  return {.place = two(node_of_stack(tree_, row.stack), context),
          .what = two(event_ranks_[row.event] << mode_bits | mode, static_cast<std::uint32_t>(cpu)),
          .time = keys_.time ? time : reader::no_time,
          .run = keys_.run ? run : without_run,
          .amount = amount};
}

SampleGroups::Row SampleGroups::row_of(Entry entry) const {
  const std::size_t samples = table_.samples().size();
  if (entry < samples) {
    const SampleRow& sample = table_.samples()[entry];
    return row_of(sample, sample.time, without_run, {.samples = 1, .value = sample.value});
  }
  const SumRow& sum = table_.sums()[entry - samples];
  return row_of(sum, reader::no_time, two(sum.run, sum.block), sum.amount);
}

void SampleGroups::prefetch(Entry entry) const {
  const std::size_t samples = table_.samples().size();
  if (entry < samples) {
    __builtin_prefetch(&table_.samples()[entry]);
  } else {
    __builtin_prefetch(&table_.sums()[entry - samples]);
  }
}

std::span<const SampleGroup> SampleGroups::piece(std::size_t number, Memory& memory) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  const std::span<const Entry> entries = std::span(entries_).subspan(begin, ends_[number] - begin);
  constexpr std::size_t ahead = 16;
  std::vector<Row>& rows = memory.rows_;
  rows.clear();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + ahead < entries.size()) prefetch(entries[i + ahead]);
    rows.push_back(row_of(entries[i]));
  }
  memory.scratch_.resize(rows.size());
  if (!rows.empty()) {
    for (const auto key : {&Row::run, &Row::time, &Row::what, &Row::place})
      radix_sort(std::span(rows), std::span(memory.scratch_), key);
  }
  std::vector<SampleGroup>& groups = memory.groups_;
  groups.clear();
  const Row* before = nullptr;
  for (const Row& row : rows) {
    const auto key = [](const Row& of) { return std::tie(of.place, of.what, of.time, of.run); };
    if (before != nullptr && key(row) == key(*before)) {
      groups.back().amount += row.amount;
    } else {
      groups.push_back({.node = high(row.place),
                        .event = events_[high(row.what) >> mode_bits],
                        .context = low(row.place),
                        .cpu = static_cast<std::int32_t>(low(row.what)),
                        .mode = high(row.what) & ((1u << mode_bits) - 1),
                        .time = row.time,
                        .run = high(row.run),
                        .block = low(row.run),
                        .amount = row.amount});
    }
    before = &row;
  }
  return groups;
}

}  // namespace perfsift::analysis
