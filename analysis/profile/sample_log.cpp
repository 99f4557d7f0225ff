#include "analysis/profile/sample_log.h"

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

}  // namespace

std::uint32_t SampleLog::context(const SampleContext& context) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = numbers_.try_emplace(context, static_cast<std::uint32_t>(contexts_.size()));
  if (is_new) contexts_.push_back(context);
  return known->second;
}

void SampleLog::name_process(std::int32_t pid, std::string name) {
  const std::lock_guard lock(mutex_);
  process_names_.insert_or_assign(pid, std::move(name));
}

void SampleLog::expect(std::size_t samples, std::size_t parts) {
  const std::size_t wanted = samples_.size() + samples + parts * samples_of_block;
  if (wanted <= samples_.capacity()) return;
  try {
    samples_.reserve(std::max(wanted, 2 * samples_.size()));
  } catch (const std::bad_alloc&) {
    // A damaged recording may promise more samples than it has, so there may be room for those that come.
  }
}

SampleLog::Block SampleLog::take_block() {
  const std::lock_guard lock(mutex_);
  if (samples_.capacity() - samples_.size() < samples_of_block) return unexpected_.emplace_back(samples_of_block);
  samples_.resize(samples_.size() + samples_of_block);
  return std::span(samples_).last(samples_of_block);
}

bool SampleLog::is_expected(Block block) const {
  const std::less<> before;
  return !before(block.data(), samples_.data()) && before(block.data(), samples_.data() + samples_.size());
}

void SampleLog::join(std::span<const Part* const> parts) {
  std::vector<Block> holes, more;
  for (const Part* const part : parts) {
    if (!part->room_.empty() && is_expected(part->room_)) holes.push_back(part->room_);
    for (const Block block : part->blocks_) {
      if (is_expected(block)) continue;
      const bool is_last = block.data() == part->blocks_.back().data();
      more.push_back(block.first(block.size() - (is_last ? part->room_.size() : 0)));
    }
  }
  close(std::move(holes));
  for (const Block block : more) samples_.insert(samples_.end(), block.begin(), block.end());
  unexpected_.clear();
  for (const Part* const part : parts) summary_.add(part->summary_);
  if (std::ranges::any_of(parts, [](const Part* part) { return part->has_unwanted_; }))
    std::erase_if(samples_, [](const LoggedSample& sample) { return sample.stack == Part::unwanted; });
}

// Fills holes with the samples at the end.
void SampleLog::close(std::vector<Block> holes) {
  std::ranges::sort(holes, {}, &Block::data);
  const LoggedSample* const begin = samples_.data();
  LoggedSample* end = samples_.data() + samples_.size();
  for (auto first = holes.begin(), last = holes.end(); first != last;) {
    const Block hole = *std::prev(last);
    LoggedSample* const behind = hole.data() + hole.size();
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
  samples_.resize(static_cast<std::size_t>(end - begin));
}

void SampleLog::append(std::span<const LoggedSample> samples) {
  const std::lock_guard lock(mutex_);
  samples_.insert(samples_.end(), samples.begin(), samples.end());
  for (const LoggedSample& sample : samples) summary_.add(sample);
}

void SampleLog::append(const LoggedAmount& amount) {
  const std::lock_guard lock(mutex_);
  amounts_.push_back(amount);
}

std::span<LoggedAmount> SampleLog::room_for_amounts(std::size_t count) {
  const std::lock_guard lock(mutex_);
  amounts_.resize(amounts_.size() + count);
  return std::span(amounts_).last(count);
}

void SampleLog::append(UnsetVector<LoggedAmount> amounts) {
  const std::lock_guard lock(mutex_);
  if (amounts_.empty()) {
    amounts_ = std::move(amounts);
  } else {
    amounts_.insert(amounts_.end(), amounts.begin(), amounts.end());
  }
}

void SampleLog::add_to_stacks(std::uint32_t more) {
  if (more == 0) return;
  for (LoggedAmount& amount : amounts_) {
    if (amount.stack != LoggedSample::no_stack) amount.stack += more;
  }
}

void SampleLog::sort_by_time() {
  UnsetVector<LoggedSample> scratch(samples_.size());
  radix_sort(std::span(samples_), std::span(scratch), &LoggedSample::time);
  const auto in_file = [](const LoggedSample& a, const LoggedSample& b) {
    return std::tuple(a.position, a.event) < std::tuple(b.position, b.event);
  };
  for (auto first = samples_.begin(); first != samples_.end();) {
    const auto end = std::find_if(first, samples_.end(), [&](const LoggedSample& s) { return s.time != first->time; });
    if (end - first > 1) std::stable_sort(first, end, in_file);
    first = end;
  }
}

}  // namespace perfsift::analysis
