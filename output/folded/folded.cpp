// Ranges of sorted stacks are rendered and written in turn, several at a time: the file is written while later ranges
// are still sorted.

#include "output/folded/folded.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "analysis/profile/ranked_frames.h"
#include "analysis/profile/sorted_stacks.h"
#include "output/files/ordered_pieces.h"

namespace perfsift::output {
namespace {

using analysis::RankedStack;
using analysis::SortedStacks;

// The texts of frames as lines hold them, with what follows a frame: ';', or a blank behind a leaf.
class RenderedFrames {
 public:
  RenderedFrames(const analysis::FrameTable& frames, const analysis::RankedFrames& ranks) : places_{{}} {
    for (std::uint32_t rank = 1; rank < ranks.count(); ++rank) {
      const analysis::FrameId frame = ranks.frame(rank);
      const std::string_view text = frames.text(frame);
      places_.push_back({.start = all_.size(), .size = text.size() + 1});
      all_.append(text).push_back(ranks.inner(frame) == rank ? ';' : ' ');
    }
    all_.append(readable, '\0');
  }

  std::string_view text(std::uint32_t rank) const {
    const Place& place = places_[rank];
    return {all_.data() + place.start, place.size};
  }
  // So many bytes may be read from the start of each text, even of a shorter one.
  static constexpr std::size_t readable = 64;

 private:
  struct Place {
    std::size_t start = 0;
    std::size_t size = 0;
  };
  std::vector<Place> places_;  // by rank
  std::string all_;            // the texts, in one piece
};

// Renders one line after the other. Sorted neighbours begin alike, so the common start is copied from the line before.
template <typename Rank>
class Lines {
 public:
  using Stack = RankedStack<Rank>;

  Lines(const RenderedFrames& frames, Text& text) : frames_(frames), text_(text) {}

  // The stack must live until the next one is appended.
  void append(const Stack& stack, std::uint64_t value) {
    const std::uint32_t kept = stack_ == nullptr ? 0 : stack_->common(stack);
    const std::size_t line = text_.size();
    const std::size_t kept_bytes = kept == 0 ? 0 : ends_[kept - 1];
    text_.reserve(kept_bytes);
    if (kept_bytes != 0) std::memcpy(text_.begin() + line, text_.begin() + line_, kept_bytes);
    text_.resize(line + kept_bytes);
    if (ends_.size() < stack.depth) ends_.resize(stack.depth);
    for (std::uint32_t i = kept; i < stack.depth; ++i) {
      append(frames_.text(stack.rank(i)));
      ends_[i] = text_.size() - line;
    }
    append_number(value);
    line_ = line;
    stack_ = &stack;
  }

 private:
  static constexpr std::size_t number_size = 24;  // with the end of the line

  // Most frames are short, and copying a fixed size costs less than finding out how much there is.
  void append(std::string_view frame) {
    text_.reserve(std::max(frame.size(), RenderedFrames::readable));
    char* end = text_.begin() + text_.size();
    if (frame.size() <= RenderedFrames::readable) {
      std::memcpy(end, frame.data(), RenderedFrames::readable);
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

  const RenderedFrames& frames_;
  Text& text_;
  // The line before: where it starts, where its frames end, counted from there, and what it shows.
  std::size_t line_ = 0;
  std::vector<std::size_t> ends_;
  const Stack* stack_ = nullptr;
};

// Renders a range of sorted stacks.
template <typename Rank>
void render(std::span<const typename SortedStacks<Rank>::Sorted> sorted, const RenderedFrames& frames, Text& text) {
  Lines<Rank> lines(frames, text);
  for (std::size_t i = 0; i < sorted.size();) {
    const RankedStack<Rank>& stack = *sorted[i].stack;
    std::uint64_t value = stack.amount->value;
    while (++i < sorted.size() && sorted[i].again) value += sorted[i].stack->amount->value;
    lines.append(stack, value);
  }
}

template <typename Rank>
void write(const SortedStacks<Rank>& stacks, const RenderedFrames& frames, const OrderedPieces::Sink& sink) {
  OrderedPieces pieces(sink);
  stacks.for_each_range([&](std::size_t range) {
    typename SortedStacks<Rank>::Sorter sorter;
    Text text = pieces.empty();
    render<Rank>(stacks.sort(range, sorter), frames, text);
    pieces.add(range, std::move(text));
  });
  pieces.finish();
}

}  // namespace

void write_folded(const analysis::Profile& profile, const FoldedOptions& options, OutputFile& out) {
  write_folded(profile, options, [&out](std::string_view text) { out.write(text); });
}

void write_folded(const analysis::Profile& profile, const FoldedOptions& options, const OrderedPieces::Sink& sink) {
  const analysis::RankedFrames ranks(profile.frames(), analysis::StackOrder::lines);
  const RenderedFrames frames(profile.frames(), ranks);
  analysis::with_sorted_stacks(profile, options.event_frame, ranks, options.threads,
                               [&](const auto& stacks) { write(stacks, frames, sink); });
}

}  // namespace perfsift::output
