#include "store/wait_rows.h"

#include <algorithm>
#include <compare>
#include <vector>

#include "filter/wait_kind.h"
#include "store/engine/row_binary.h"

namespace perfsift::store {
namespace {

// The keys of a row. Different stacks of addresses may be the same functions, and different states have one name.
struct Row {
  std::uint32_t time = 0, stack = 0, thread = 0, cgroup = 0;
  std::uint64_t kinds = 0;
  std::string_view state, cut;
  bool woken = false;
  std::uint32_t blocked_bucket = 0, run_queue_bucket = 0;
  auto operator<=>(const Row&) const = default;
};

struct SummedRow {
  Row row;
  offcpu::IntervalSums sums;
};

std::vector<SummedRow> rows_of(const offcpu::SummedWaits& waits, StackRows& stacks) {
  StackPlaces places(waits.stacks, stacks);
  std::vector<SummedRow> rows;
  for (const offcpu::SummedWait& sum : waits.sums) {
    rows.push_back({.row = {.time = sum.time,
                            .stack = places.of(sum.stack),
                            .thread = sum.thread,
                            .cgroup = sum.cgroup,
                            .kinds = sum.kinds,
                            .state = sum.state.name(),
                            .cut = sum.cut,
                            .woken = sum.woken,
                            .blocked_bucket = sum.blocked_bucket,
                            .run_queue_bucket = sum.run_queue_bucket},
                    .sums = sum.sums});
  }
  std::ranges::sort(rows, {}, &SummedRow::row);
  std::vector<SummedRow> joined;
  for (const SummedRow& each : rows) {
    if (!joined.empty() && joined.back().row == each.row) {
      joined.back().sums.add(each.sums);
    } else {
      joined.push_back(each);
    }
  }
  return joined;
}

}  // namespace

void write_waits(const offcpu::SummedWaits& waits, std::string_view service, std::uint64_t load, StackRows& stacks,
                 RecordingRows& to) {
  RowWriter row(to.waits);
  for (const auto& [keys, sums] : rows_of(waits, stacks)) {
    row.text(service);
    row.u32(keys.time);
    row.id(stacks.id(keys.stack));
    row.text(waits.threads[keys.thread]);
    row.text(waits.cgroups[keys.cgroup]);
    row.text(words_of_kinds(keys.kinds));
    row.text(keys.state);
    row.text(keys.cut);
    row.boolean(keys.woken);
    row.u32(keys.blocked_bucket);
    row.u32(keys.run_queue_bucket);
    row.u64(load);
    row.u64(sums.count);
    row.u64(sums.blocked);
    row.u64(sums.run_queue);
    row.u64(sums.unknown);
    row.u64(sums.longest);
  }
}

std::string words_of_kinds(std::uint64_t kinds) {
  std::string words;
  for (const filter::Word& word : filter::wait_words()) {
    if ((kinds & word.bits) == 0) continue;
    if (!words.empty()) words += ' ';
    words += word.name;
  }
  return words;
}

std::uint64_t kinds_of_words(std::string_view words) {
  std::uint64_t kinds = 0;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const auto known = std::ranges::find(filter::wait_words(), word, &filter::Word::name);
    if (known != filter::wait_words().end()) kinds |= known->bits;
  }
  return kinds;
}

}  // namespace perfsift::store
