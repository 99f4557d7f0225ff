#include "analysis/table/table_builder.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>
#include <tuple>
#include <utility>

#include "analysis/profile/ranked_stack.h"

namespace perfsift::analysis {
namespace {

constexpr std::size_t samples_of_block = 4096;

Amount sum_of_lists(const Profile& profile, std::size_t first_list, std::size_t end_list) {
  Amount sum;
  for (std::size_t list = first_list; list < end_list; ++list) {
    sum += profile.lists()[list].frameless();
    for (const StackList::Entry& entry : profile.lists()[list].entries()) sum += entry.amount;
  }
  return sum;
}

Amount sum_of_rows(const SampleTable& table) {
  Amount sum = table.summary().amount();
  for (const SumRow& row : table.sums()) sum += row.amount;
  return sum;
}

}  // namespace

std::uint32_t TableBuilder::context(const SampleContext& context) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = numbers_.try_emplace(context, static_cast<std::uint32_t>(table_.contexts_.size()));
  if (is_new) table_.contexts_.push_back(context);
  return known->second;
}

void TableBuilder::name_process(std::int32_t pid, std::string name) {
  const std::lock_guard lock(mutex_);
  table_.process_names_.insert_or_assign(pid, std::move(name));
}

void TableBuilder::expect(std::size_t samples, std::size_t parts) {
  const std::size_t wanted = table_.samples_.size() + samples + parts * samples_of_block;
  if (wanted <= table_.samples_.capacity()) return;
  try {
    table_.samples_.reserve(std::max(wanted, 2 * table_.samples_.size()));
  } catch (const std::bad_alloc&) {
    // A damaged recording may promise more samples than it has. The memory may suffice for its real samples.
  }
}

TableBuilder::Block TableBuilder::take_block() {
  const std::lock_guard lock(mutex_);
  if (table_.samples_.capacity() - table_.samples_.size() < samples_of_block)
    return unexpected_.emplace_back(samples_of_block);
  table_.samples_.resize(table_.samples_.size() + samples_of_block);
  return std::span(table_.samples_).last(samples_of_block);
}

bool TableBuilder::is_expected(Block block) const {
  const std::less<> before;
  return !before(block.data(), table_.samples_.data()) &&
         before(block.data(), table_.samples_.data() + table_.samples_.size());
}

void TableBuilder::join(std::span<Part* const> parts) {
  std::vector<Block> holes, more;
  for (Part* const part : parts) {
    part->is_joined_ = true;
    if (!part->room_.empty() && is_expected(part->room_)) holes.push_back(part->room_);
    for (const Block block : part->blocks_) {
      if (is_expected(block)) continue;
      const bool is_last = block.data() == part->blocks_.back().data();
      more.push_back(block.first(block.size() - (is_last ? part->room_.size() : 0)));
    }
  }
  close(std::move(holes));
  for (const Block block : more) table_.samples_.insert(table_.samples_.end(), block.begin(), block.end());
  unexpected_.clear();
  for (const Part* const part : parts) table_.summary_.add(part->summary_);
  has_discarded_ |= std::ranges::any_of(parts, &Part::has_unwanted_);
  remove_discarded();
}

// Other parts may have samples behind the discarded samples.
void TableBuilder::discard(const Part& part) {
  const std::lock_guard lock(mutex_);
  for (const Block block : part.blocks_) {
    if (!is_expected(block)) continue;
    std::ranges::fill(block, SampleRow{.stack = Part::unwanted});
    has_discarded_ = true;
  }
}

// Fills holes with the samples at the end.
void TableBuilder::close(std::vector<Block> holes) {
  std::ranges::sort(holes, {}, &Block::data);
  const SampleRow* const begin = table_.samples_.data();
  SampleRow* end = table_.samples_.data() + table_.samples_.size();
  for (auto first = holes.begin(), last = holes.end(); first != last;) {
    const Block hole = *std::prev(last);
    SampleRow* const behind = hole.data() + hole.size();
    if (behind == end) {
      end = hole.data();
      --last;
      continue;
    }
    const std::size_t count = std::min(first->size(), static_cast<std::size_t>(end - behind));
    std::copy(end - count, end, first->data());
    end -= count;
    *first = first->subspan(count);
    if (first->empty()) ++first;
  }
  table_.samples_.resize(static_cast<std::size_t>(end - begin));
}

void TableBuilder::append(std::span<const SampleRow> samples) {
  const std::lock_guard lock(mutex_);
  table_.samples_.insert(table_.samples_.end(), samples.begin(), samples.end());
  for (const SampleRow& sample : samples) table_.summary_.add(sample);
}

void TableBuilder::append(const SumRow& sum) {
  const std::lock_guard lock(mutex_);
  table_.sums_.push_back(sum);
}

std::span<SumRow> TableBuilder::room_for_sums(std::size_t count) {
  const std::lock_guard lock(mutex_);
  table_.sums_.resize(table_.sums_.size() + count);
  return std::span(table_.sums_).last(count);
}

void TableBuilder::append(UnsetVector<SumRow> sums) {
  const std::lock_guard lock(mutex_);
  if (table_.sums_.empty()) {
    table_.sums_ = std::move(sums);
  } else {
    table_.sums_.insert(table_.sums_.end(), sums.begin(), sums.end());
  }
}

void TableBuilder::add_to_stacks(std::uint32_t more) {
  if (more == 0) return;
  for (SumRow& sum : table_.sums_) {
    if (sum.stack != SampleRow::no_stack) sum.stack += more;
  }
}

SampleTable TableBuilder::seal(const Profile& profile, std::size_t first_list, std::size_t end_list) && {
  remove_discarded();
  add_rest(profile, first_list, end_list);
  return std::move(*this).seal();
}

SampleTable TableBuilder::seal() && {
  remove_discarded();
  if (shape_.in_order) sort_by_time();
  table_.numbers_ = shape_.numbers;
  return std::move(table_);
}

void TableBuilder::remove_discarded() {
  if (!std::exchange(has_discarded_, false)) return;
  std::erase_if(table_.samples_, [](const SampleRow& sample) { return sample.stack == Part::unwanted; });
}

// The amount of a stack contains the amounts of its rows. If the sums of both are equal, nothing is left to add.
void TableBuilder::add_rest(const Profile& profile, std::size_t first_list, std::size_t end_list) {
  if (sum_of_lists(profile, first_list, end_list) == sum_of_rows(table_)) return;
  const std::uint32_t first_stack = profile.first_stack(first_list);
  LargeVector<SumRow> rest;  // by stack
  SumRow frameless;
  for (std::size_t list = first_list; list < end_list; ++list) {
    frameless.amount += profile.lists()[list].frameless();
    for (const StackList::Entry& entry : profile.lists()[list].entries()) {
      rest.push_back({.amount = entry.amount,
                      .stack = first_stack + static_cast<std::uint32_t>(rest.size()),
                      .event = profile.callers(entry.callers).event & SumRow::event_bits});
    }
  }
  const auto take = [&](std::uint32_t stack, const Amount& amount) {
    (stack == SampleRow::no_stack ? frameless : rest[stack - first_stack]).amount -= amount;
  };
  for (const SampleRow& row : table_.samples_) take(row.stack, {.samples = 1, .value = row.value});
  for (const SumRow& row : table_.sums_) take(row.stack, row.amount);
  rest.push_back(frameless);
  std::ranges::copy_if(rest, std::back_inserter(table_.sums_),
                       [](const SumRow& row) { return row.amount != Amount(); });
}

// Rows with equal times are in the order of their records, so the order does not depend on threads.
void TableBuilder::sort_by_time() {
  UnsetVector<SampleRow>& rows = table_.samples_;
  UnsetVector<SampleRow> scratch(rows.size());
  radix_sort(std::span(rows), std::span(scratch), &SampleRow::time);
  const auto in_file = [](const SampleRow& a, const SampleRow& b) {
    return std::tuple(a.position, a.event) < std::tuple(b.position, b.event);
  };
  for (auto first = rows.begin(); first != rows.end();) {
    const auto end = std::find_if(first, rows.end(), [&](const SampleRow& row) { return row.time != first->time; });
    if (end - first > 1) std::stable_sort(first, end, in_file);
    first = end;
  }
}

}  // namespace perfsift::analysis
