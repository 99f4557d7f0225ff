// Each thread sorts a part of the profile's lists. The sorted parts are then cut at common places into pieces, which
// are merged, rendered and written in turn, several at a time.

#include "tools/output/folded.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <memory>

#include "base/share_work.h"
#include "tools/output/ordered_pieces.h"
#include "tools/output/ranked_frames.h"
#include "tools/output/ranked_stacks.h"

namespace perfsift::tools {
namespace {

// Renders one line after the other. Sorted neighbours begin alike, so that much is copied from the line before.
template <typename Rank>
class Lines {
 public:
  using Stacks = RankedStacks<Rank>;
  using Stack = typename Stacks::Stack;

  Lines(const RankedFrames& ranks, Text& text) : ranks_(ranks), text_(text) {}

  void append(const Stacks& list, const Stack& stack, std::uint64_t value) {
    const std::uint32_t kept = list_ == nullptr ? 0 : list_->common(*stack_, list, stack);
    const std::size_t line = text_.size();
    const std::size_t kept_bytes = kept == 0 ? 0 : ends_[kept - 1];
    text_.reserve(kept_bytes);
    if (kept_bytes != 0) std::memcpy(text_.begin() + line, text_.begin() + line_, kept_bytes);
    text_.resize(line + kept_bytes);
    if (ends_.size() < stack.depth) ends_.resize(stack.depth);
    for (std::uint32_t i = kept; i < stack.depth; ++i) {
      append(ranks_.rendered(list.rank(stack, i)));
      ends_[i] = text_.size() - line;
    }
    append_number(value);
    line_ = line;
    list_ = &list;
    stack_ = &stack;
  }

 private:
  static constexpr std::size_t number_size = 24;  // with the line's end

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
  const Stacks* list_ = nullptr;
  const Stack* stack_ = nullptr;
};

template <typename Rank>
class FoldedWriter {
 public:
  using Stacks = RankedStacks<Rank>;
  using Stack = typename Stacks::Stack;

  FoldedWriter(const Profile& profile, const std::vector<FrameId>& event_frames, const RankedFrames& ranks,
               unsigned threads)
      : ranks_(ranks), threads_(std::max(threads, 1u)) {
    const auto shares = even_shares(profile.lists(), threads_);
    parts_.resize(shares.size());
    share(shares.size(), [&](std::size_t i) { parts_[i] = std::make_unique<Stacks>(shares[i], event_frames, ranks); });
  }

  void write(OutputFile& out) {
    const std::vector<std::vector<std::size_t>> cuts = cut_into_pieces();
    OrderedPieces pieces(out);
    share(cuts.size() - 1, [&](std::size_t piece) {
      Text text = pieces.empty();
      render(cuts[piece], cuts[piece + 1], text);
      pieces.add(piece, std::move(text));
    });
    pieces.finish();
  }

 private:
  // Lists of about the same number of frames together for each thread.
  static std::vector<std::vector<const StackList*>> even_shares(const std::list<StackList>& lists, unsigned threads) {
    std::vector<const StackList*> by_size;
    for (const StackList& list : lists) by_size.push_back(&list);
    std::ranges::stable_sort(by_size, std::greater{}, &StackList::total_frames);
    std::vector<std::vector<const StackList*>> shares(std::clamp<std::size_t>(lists.size(), 1, threads));
    std::vector<std::size_t> frames(shares.size());
    for (const StackList* list : by_size) {
      const auto least = static_cast<std::size_t>(std::ranges::min_element(frames) - frames.begin());
      shares[least].push_back(list);
      frames[least] += list->total_frames() + 1;
    }
    return shares;
  }

  // Calls work(0) … work(count - 1), each once, on all threads. One that throws ends the program: the others would wait
  // for its piece forever.
  template <typename Work>
  void share(std::size_t count, Work&& work) {
    share_work(threads_, count, [&](unsigned, Tasks& tasks) noexcept {
      while (const auto i = tasks.next()) work(*i);
    });
  }

  // Places in all parts (one index for each) between which pieces lie: no stack after a place comes before one in
  // front of it, in any part.
  std::vector<std::vector<std::size_t>> cut_into_pieces() const {
    constexpr std::size_t piece_size = 512;
    std::vector<std::vector<std::size_t>> cuts;
    cuts.emplace_back(parts_.size(), 0);
    const Stacks& guide =
        **std::ranges::max_element(parts_, {}, [](const auto& part) { return part->stacks().size(); });
    for (std::size_t i = piece_size; i < guide.stacks().size(); i += piece_size) {
      std::vector<std::size_t>& cut = cuts.emplace_back();
      for (const auto& part : parts_) {
        const auto place = std::ranges::partition_point(
            part->stacks(), [&](const Stack& stack) { return part->compare(stack, guide, guide.stacks()[i]) < 0; });
        cut.push_back(static_cast<std::size_t>(place - part->stacks().begin()));
      }
    }
    std::vector<std::size_t>& last = cuts.emplace_back();
    for (const auto& part : parts_) last.push_back(part->stacks().size());
    return cuts;
  }

  // Merges the parts between two cuts, adding equal stacks, and renders the lines.
  void render(std::vector<std::size_t> at, const std::vector<std::size_t>& end, Text& text) const {
    Lines<Rank> lines(ranks_, text);
    while (true) {
      const Stacks* from = nullptr;
      const Stack* first = nullptr;
      std::uint64_t value = 0;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (at[i] == end[i]) continue;
        parts_[i]->prefetch_behind(at[i]);
        const Stack& stack = parts_[i]->stacks()[at[i]];
        const int order = first == nullptr ? -1 : parts_[i]->compare(stack, *from, *first);
        if (order < 0) from = parts_[i].get(), first = &stack, value = stack.value;
        if (order == 0) value += stack.value;
      }
      if (first == nullptr) return;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (at[i] != end[i] && parts_[i]->compare(parts_[i]->stacks()[at[i]], *from, *first) == 0) ++at[i];
      }
      lines.append(*from, *first, value);
    }
  }

  const RankedFrames& ranks_;
  const unsigned threads_;
  std::vector<std::unique_ptr<Stacks>> parts_;
};

}  // namespace

void write_folded(const Profile& profile, const FoldedOptions& options, OutputFile& out) {
  std::vector<std::string_view> texts;
  for (FrameId frame = 0; frame < profile.frames().size(); ++frame) texts.push_back(profile.frames().text(frame));
  std::vector<FrameId> event_frames;
  if (options.event_frame) {
    for (const std::string& event : profile.events()) {
      event_frames.push_back(static_cast<FrameId>(texts.size()));
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

}  // namespace perfsift::tools
