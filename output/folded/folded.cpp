// Stacks are put into ranges of about a thousand that follow each other in the order of lines, by the limits that a
// sample of them gives. The ranges are sorted, rendered and written in turn, several at a time: the file is written
// while others are still sorted.

#include "output/folded/folded.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>

#include "base/share_work.h"
#include "output/folded/ordered_pieces.h"
#include "output/folded/ranked_frames.h"
#include "output/folded/ranked_stack.h"
#include "output/folded/stack_ranges.h"

namespace perfsift::output {
namespace {

// Renders one line after the other. Sorted neighbours begin alike, so the common start is copied from the line before.
template <typename Rank>
class Lines {
 public:
  using Stack = RankedStack<Rank>;

  Lines(const RankedFrames& ranks, Text& text) : ranks_(ranks), text_(text) {}

  // The stack must live until the next one is appended.
  void append(const Stack& stack) {
    const std::uint32_t kept = stack_ == nullptr ? 0 : stack_->common(stack);
    const std::size_t line = text_.size();
    const std::size_t kept_bytes = kept == 0 ? 0 : ends_[kept - 1];
    text_.reserve(kept_bytes);
    if (kept_bytes != 0) std::memcpy(text_.begin() + line, text_.begin() + line_, kept_bytes);
    text_.resize(line + kept_bytes);
    if (ends_.size() < stack.depth) ends_.resize(stack.depth);
    for (std::uint32_t i = kept; i < stack.depth; ++i) {
      append(ranks_.rendered(stack.rank(i)));
      ends_[i] = text_.size() - line;
    }
    append_number(stack.value);
    line_ = line;
    stack_ = &stack;
  }

 private:
  static constexpr std::size_t number_size = 24;  // with the end of the line

  // Most frames are short, and copying a fixed size costs less than finding out how much there is.
  void append(std::string_view frame) {
    text_.reserve(std::max(frame.size(), RankedFrames::readable));
    char* end = text_.begin() + text_.size();
    if (frame.size() <= RankedFrames::readable) {
      std::memcpy(end, frame.data(), RankedFrames::readable);
    } else {
      std::memcpy(end, frame.data(), frame.size());
    }
    text_.resize(text_.size() + frame.size());
  }

  void append_number(std::uint64_t value) {
    text_.reserve(number_size);
    char* start = text_.begin() + text_.size();
    char* end = std::to_chars(start, start + number_size, value).ptr;
    *end++ = '\n';
    text_.resize(text_.size() + static_cast<std::size_t>(end - start));
  }

  const RankedFrames& ranks_;
  Text& text_;
  // The line before: where it starts, where its frames end, counted from there, and what it shows.
  std::size_t line_ = 0;
  std::vector<std::size_t> ends_;
  const Stack* stack_ = nullptr;
};

template <typename Rank>
class FoldedWriter {
 public:
  using Stack = RankedStack<Rank>;

  FoldedWriter(const analysis::Profile& profile, const std::vector<analysis::FrameId>& event_frames,
               const RankedFrames& ranks, unsigned threads)
      : profile_(profile), ranks_(ranks), threads_(std::max(threads, 1u)), callers_(profile, event_frames, ranks) {
    for (std::vector<const analysis::StackList*>& lists : even_shares(profile.lists(), threads_)) {
      parts_.emplace_back(std::move(lists));
    }
  }

  void write(OutputFile& out) {
    const std::size_t lists = profile_.lists().size();
    share(lists, [&](std::size_t i) { callers_.rank(i); });
    const RangeLimits<Rank> limits = limits_of_ranges();
    share(lists, [&](std::size_t i) { callers_.find_ranges(i, limits); });
    share(parts_.size(), [&](std::size_t i) { parts_[i].split(callers_, limits); });
    OrderedPieces pieces(out);
    share(limits.ranges(), [&](std::size_t range) {
      Text text = pieces.empty();
      render(range, text);
      pieces.add(range, std::move(text));
    });
    pieces.finish();
  }

 private:
  // Lists of about the same number of stacks together for each thread.
  static std::vector<std::vector<const analysis::StackList*>> even_shares(const std::deque<analysis::StackList>& lists,
                                                                          unsigned threads) {
    std::vector<const analysis::StackList*> by_size;
    for (const analysis::StackList& list : lists) by_size.push_back(&list);
    const auto size_of = [](const analysis::StackList* list) { return list->entries().size(); };
    std::ranges::stable_sort(by_size, std::greater{}, size_of);
    std::vector<std::vector<const analysis::StackList*>> shares(std::clamp<std::size_t>(lists.size(), 1, threads));
    std::vector<std::size_t> stacks(shares.size());
    for (const analysis::StackList* list : by_size) {
      const auto least = static_cast<std::size_t>(std::ranges::min_element(stacks) - stacks.begin());
      shares[least].push_back(list);
      stacks[least] += size_of(list) + 1;
    }
    return shares;
  }

  // Calls work(0) … work(count - 1), each once, on all threads. An exception ends the program: the other threads would
  // wait for the piece forever.
  template <typename Work>
  void share(std::size_t count, Work&& work) {
    share_work(threads_, count, [&](unsigned, Tasks& tasks) noexcept {
      while (const auto i = tasks.next()) work(*i);
    });
  }

  // The limits of ranges: sorted stacks with about the same number of stacks between them.
  RangeLimits<Rank> limits_of_ranges() const {
    constexpr std::size_t range_size = 1024, sampled_of_each = 16, step = range_size / sampled_of_each;
    std::vector<Stack> sample;
    for (const analysis::StackList& list : profile_.lists()) {
      const StableVector<analysis::StackList::Entry>& entries = list.entries();
      for (std::size_t i = 0; i < entries.size(); i += step) sample.push_back(callers_.stack(entries[i]));
    }
    StackSorter<Rank> sorter;
    const auto sorted = sorter.sort(sample);
    std::vector<Stack> limits;
    for (std::size_t i = sampled_of_each; i < sorted.size(); i += sampled_of_each) limits.push_back(sorted[i]);
    return RangeLimits<Rank>(limits);
  }

  // The data of a stack is spread over memory: each step prefetches the data of the next step, for all stacks of the
  // range.
  void render(std::size_t range, Text& text) const {
    const auto for_each = [&](auto&& step) {
      for (const RangedStacks<Rank>& part : parts_) {
        for (const analysis::StackList::Entry* entry : part.range(range)) step(*entry);
      }
    };
    std::vector<Stack> stacks;
    for_each([](const analysis::StackList::Entry& entry) { __builtin_prefetch(&entry); });
    for_each([&](const analysis::StackList::Entry& entry) { callers_.prefetch(entry); });
    for_each([&](const analysis::StackList::Entry& entry) {
      stacks.push_back(callers_.stack(entry)), stacks.back().prefetch();
    });
    StackSorter<Rank> sorter;
    Lines<Rank> lines(ranks_, text);
    for (const Stack& stack : sorter.sort(stacks)) lines.append(stack);
  }

  const analysis::Profile& profile_;
  const RankedFrames& ranks_;
  const unsigned threads_;
  RankedCallers<Rank> callers_;
  std::vector<RangedStacks<Rank>> parts_;
};

}  // namespace

void write_folded(const analysis::Profile& profile, const FoldedOptions& options, OutputFile& out) {
  std::vector<std::string_view> texts;
  for (analysis::FrameId frame = 0; frame < profile.frames().size(); ++frame)
    texts.push_back(profile.frames().text(frame));
  std::vector<analysis::FrameId> event_frames;
  if (options.event_frame) {
    for (const std::string& event : profile.events()) {
      event_frames.push_back(static_cast<analysis::FrameId>(texts.size()));
      texts.push_back(event);
    }
  }
  const RankedFrames ranks(texts);
  if (ranks.count() < 1u << 16) {
    FoldedWriter<std::uint16_t>(profile, event_frames, ranks, options.threads).write(out);
  } else {
    FoldedWriter<std::uint32_t>(profile, event_frames, ranks, options.threads).write(out);
  }
}

}  // namespace perfsift::output
