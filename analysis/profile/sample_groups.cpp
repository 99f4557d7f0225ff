#include "analysis/profile/sample_groups.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "analysis/profile/logged_node.h"
#include "analysis/profile/ranked_stack.h"
#include "analysis/profile/unlogged_amounts.h"

namespace perfsift::analysis {
namespace {

constexpr std::uint32_t wanted_pieces = 512;

constexpr std::uint64_t two(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

constexpr unsigned mode_bits = 8;
constexpr std::uint64_t without_run = two(LoggedAmount::no_run, 0);

}  // namespace

SampleGroups::SampleGroups(const CallTree& tree, const SampleLog& log, const GroupKeys& keys) {
  number_contexts(log);
  number_events(tree.profile());
  LargeVector<Row> rows = logged_rows(tree, log, keys);
  add_unlogged_rows(tree, log, rows);
  split(rows, tree.size());
}

void SampleGroups::number_contexts(const SampleLog& log) {
  const auto& logged = log.contexts();
  std::vector<std::uint32_t> order(logged.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return logged[a] < logged[b]; });
  context_ranks_.resize(logged.size());
  for (const std::uint32_t number : order) {
    context_ranks_[number] = static_cast<std::uint32_t>(contexts_.size());
    contexts_.push_back(&logged[number]);
  }
}

void SampleGroups::number_events(const Profile& profile) {
  events_.resize(profile.events().size());
  std::iota(events_.begin(), events_.end(), EventId{0});
  std::ranges::sort(events_, {}, [&](EventId event) -> const std::string& { return profile.events()[event]; });
  event_ranks_.resize(events_.size());
  for (std::uint32_t rank = 0; rank < events_.size(); ++rank) event_ranks_[events_[rank]] = rank;
}

LargeVector<SampleGroups::Row> SampleGroups::logged_rows(const CallTree& tree, const SampleLog& log,
                                                         const GroupKeys& keys) const {
  LargeVector<Row> rows;
  rows.reserve(log.samples().size() + log.amounts().size());
  const auto add = [&](const auto& logged, std::uint64_t time, std::uint64_t run, const Amount& amount) {
    const CallTree::Node node = node_of_logged(tree, logged.stack);
    const std::uint32_t context = keys.context ? context_ranks_[logged.context] : SampleGroup::no_context;
    const std::uint32_t mode = keys.mode ? logged.mode : 0;
    const std::int32_t cpu = keys.cpu ? logged.cpu : -1;
    rows.push_back({.place = two(node, context),
                    .what = two(event_ranks_[logged.event] << mode_bits | mode, static_cast<std::uint32_t>(cpu)),
                    .time = keys.time ? time : reader::no_time,
                    .run = keys.run ? run : without_run,
                    .amount = amount});
  };
  for (const LoggedSample& sample : log.samples())
    add(sample, sample.time, without_run, {.samples = 1, .value = sample.value});
  for (const LoggedAmount& sum : log.amounts()) add(sum, reader::no_time, two(sum.run, sum.block), sum.amount);
  return rows;
}

void SampleGroups::add_unlogged_rows(const CallTree& tree, const SampleLog& log, LargeVector<Row>& rows) const {
  const Profile& profile = tree.profile();
  UnloggedAmounts unlogged(profile, log);
  unlogged.for_each([&](std::uint32_t stack, EventId event, const Amount& amount) {
    rows.push_back({.place = two(node_of_logged(tree, stack), SampleGroup::no_context),
                    .what = two(event_ranks_[event] << mode_bits, ~std::uint32_t{0}),
                    .time = reader::no_time,
                    .run = without_run,
                    .amount = amount});
  });
}

void SampleGroups::split(const LargeVector<Row>& rows, std::uint32_t nodes) {
  const unsigned shift = static_cast<unsigned>(std::bit_width(nodes / wanted_pieces));
  ends_.assign(((nodes - 1) >> shift) + 1, 0);
  const auto piece_of = [&](const Row& row) { return high(row.place) >> shift; };
  for (const Row& row : rows) ++ends_[piece_of(row)];
  std::size_t start = 0;
  for (std::size_t& end : ends_) start += std::exchange(end, start);
  rows_.resize(rows.size());
  for (const Row& row : rows) rows_[ends_[piece_of(row)]++] = row;
}

std::vector<SampleGroup> SampleGroups::piece(std::size_t number) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  std::vector<Row> rows(rows_.begin() + static_cast<std::ptrdiff_t>(begin),
                        rows_.begin() + static_cast<std::ptrdiff_t>(ends_[number]));
  std::vector<Row> scratch(rows.size());
  if (!rows.empty()) {
    for (const auto key : {&Row::run, &Row::time, &Row::what, &Row::place})
      radix_sort(std::span(rows), std::span(scratch), key);
  }
  std::vector<SampleGroup> groups;
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
