#include "library/columns/rows.h"

#include <algorithm>
#include <optional>

#include "analysis/profile/ranked_stack.h"
#include "analysis/samples/stack_options.h"
#include "base/share_work.h"

namespace perfsift::v0::detail {
namespace {

constexpr std::size_t rows_ahead = 8;

std::uint64_t if_recorded(const reader::Sample& sample, std::uint64_t bits, std::uint64_t value) {
  return sample.knows(bits) ? value : Columns::none;
}

// A range of rows of each thread, which come one after the other in the columns.
struct Piece {
  std::vector<std::size_t> starts, ends;  // by thread
  std::size_t first = 0;                  // place in the columns
};

// Cuts the rows into pieces of about the same size: at every so many rows of the thread that has most.
std::vector<Piece> pieces_of(std::span<const Rows* const> threads, std::size_t count) {
  const Rows& largest = **std::ranges::max_element(threads, {}, [](const Rows* rows) { return rows->size(); });
  std::vector<Piece> pieces;
  std::vector<std::size_t> starts(threads.size());
  std::size_t first = 0;
  for (std::size_t piece = 1; piece <= count; ++piece) {
    const std::size_t cut = largest.size() * piece / count;
    std::vector<std::size_t> ends;
    for (const Rows* rows : threads) {
      ends.push_back(cut == largest.size() ? rows->size() : rows->before(largest.place(cut)));
    }
    pieces.push_back({.starts = starts, .ends = ends, .first = first});
    for (std::size_t i = 0; i < threads.size(); ++i) first += ends[i] - starts[i];
    starts = std::move(ends);
  }
  return pieces;
}

// Calls row(thread, index) for the rows of a piece, in order.
template <typename Callback>
void for_each_row(std::span<const Rows* const> threads, Piece piece, Callback&& row) {
  std::vector<std::size_t> open;  // threads that have rows left
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    if (piece.starts[thread] != piece.ends[thread]) open.push_back(thread);
  }
  const auto place = [&](std::size_t thread) { return threads[thread]->place(piece.starts[thread]); };
  while (!open.empty()) {
    // The thread with the first row gives rows up to the first one of another thread: mostly many, because records of
    // one time lie together.
    const auto next = std::ranges::min_element(open, {}, place);
    const std::size_t thread = *next;
    const Rows& rows = *threads[thread];
    std::size_t end = piece.ends[thread];
    std::optional<Rows::Place> others;
    for (const std::size_t other : open) {
      if (other != thread && (!others || place(other) < *others)) others = place(other);
    }
    std::size_t& at = piece.starts[thread];
    do {
      if (at + rows_ahead < end) rows.prefetch(at + rows_ahead);
      row(thread, at);
    } while (++at != end && (!others || rows.is_before(at, *others)));
    if (at == end) open.erase(next);
  }
}

void set_row(const Row& row, std::size_t i, ColumnsState& state) {
  state.time[i] = row.time;
  state.weight[i] = row.weight;
  state.period[i] = row.period;
  state.ip[i] = row.ip;
  state.addr[i] = row.addr;
  state.latency[i] = row.latency;
  state.pid[i] = row.pid;
  state.tid[i] = row.tid;
  state.cpu[i] = row.cpu;
  state.event[i] = row.event;
  state.comm[i] = row.comm;
  state.mode[i] = static_cast<std::uint8_t>(row.mode);
}

void allocate(std::size_t rows, bool stacks, ColumnsState& state) {
  for (auto* column : {&state.time, &state.weight, &state.period, &state.ip, &state.addr, &state.latency}) {
    column->resize(rows);
  }
  for (auto* column : {&state.pid, &state.tid, &state.cpu}) column->resize(rows);
  for (auto* column : {&state.event, &state.comm}) column->resize(rows);
  state.mode.resize(rows);
  if (stacks) state.stack.resize(rows);
}

}  // namespace

Row row_of(const reader::Sample& sample, const reader::ThreadState& thread) {
  namespace bit = reader::sample_bit;
  Row row{.moment = sample.moment.time, .position = sample.moment.position};
  row.time = if_recorded(sample, bit::time, sample.time);
  row.weight = analysis::weight_of(sample, analysis::Weight::period);
  row.period = sample.period;
  row.ip = if_recorded(sample, bit::ip, sample.ip);
  row.addr = if_recorded(sample, bit::addr, sample.addr);
  row.latency = if_recorded(sample, bit::weight | bit::weight_struct, sample.weight);
  row.pid = sample.pid;
  row.tid = sample.tid;
  row.cpu = sample.cpu;
  row.comm = thread.comm;
  row.event = sample.event->index & 0xffffff;
  row.mode = static_cast<std::uint32_t>(sample.cpumode);
  return row;
}

void Rows::sort() {
  order_.reserve(rows_.size());
  bool by_position = true, in_order = true;
  Place last;
  for (const Row& row : rows_) {
    const Place place{.moment = row.moment, .position = row.position};
    by_position &= last.position <= place.position;
    in_order &= last <= place;
    last = place;
    order_.push_back({.moment = place.moment, .index = order_.size()});
  }
  if (in_order) return;
  LargeVector<Ordered> scratch(order_.size());
  if (!by_position) {
    for (Ordered& it : order_) it.moment = rows_[it.index].position;  // the sort by time keeps this order
    analysis::radix_sort(std::span(order_), std::span(scratch), &Ordered::moment);
    for (Ordered& it : order_) it.moment = rows_[it.index].moment;
  }
  analysis::radix_sort(std::span(order_), std::span(scratch), &Ordered::moment);
}

void Rows::prefetch(std::size_t i) const {
  const Row& row = (*this)[i];
  __builtin_prefetch(&row);
  __builtin_prefetch(&row.tid);
}

std::size_t Rows::before(const Place& place) const {
  std::size_t from = 0, to = size();
  while (from != to) {
    const std::size_t middle = from + (to - from) / 2;
    if (is_before(middle, place)) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

void merge_rows(std::span<const Rows* const> threads, std::span<const std::uint32_t> first_stacks, unsigned workers,
                ColumnsState& state) {
  std::size_t all = 0;
  for (const Rows* rows : threads) all += rows->size();
  const bool stacks = !first_stacks.empty();
  allocate(all, stacks, state);
  if (all == 0) return;
  const std::vector<Piece> pieces = pieces_of(threads, std::size_t{workers} * 4);
  for_each_task(workers, pieces.size(), [&](std::size_t task) {
    std::size_t to = pieces[task].first;
    for_each_row(threads, pieces[task], [&](std::size_t thread, std::size_t i) {
      const Row& row = (*threads[thread])[i];
      set_row(row, to, state);
      if (stacks) {
        state.stack[to] = row.stack != Columns::no_stack ? row.stack + first_stacks[thread] : Columns::no_stack;
      }
      ++to;
    });
  });
}

}  // namespace perfsift::v0::detail
