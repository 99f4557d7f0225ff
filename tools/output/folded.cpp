// How millions of stacks are sorted without comparing text.
//
// Every frame gets two ranks: one for its text followed by ';' (somewhere inside a stack), one for its text alone (the
// leaf). Ranks are numbered by the bytewise order of those texts. As no text holds a ';', comparing two stacks rank by
// rank is comparing their lines byte by byte; and a stack becomes a short string of 16-bit (or 32-bit) numbers that
// fits into a cache line.
//
// Each list of the profile is sorted on its own. The sorted lists are then cut at common places into pieces, which are
// merged, rendered and written in turn, several at a time.

#include "tools/output/folded.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <numeric>
#include <thread>

namespace perfsift::tools {
namespace {

// Ranks and rendered texts of all frames.
class RankedFrames {
 public:
  explicit RankedFrames(const std::vector<std::string_view>& texts) : inner_(texts.size()), leaf_(texts.size()) {
    struct Key {
      std::string_view text;
      bool inner;
      FrameId frame;
    };
    std::vector<Key> keys;
    keys.reserve(texts.size() * 2);
    for (FrameId frame = 0; frame < texts.size(); ++frame) {
      keys.push_back({texts[frame], true, frame});
      keys.push_back({texts[frame], false, frame});
    }
    std::ranges::sort(keys, [](const Key& a, const Key& b) { return before(a.text, a.inner, b.text, b.inner); });

    rendered_.emplace_back();  // rank 0: less than every frame, fills the end of short stacks
    for (const Key& key : keys) {
      (key.inner ? inner_ : leaf_)[key.frame] = static_cast<std::uint32_t>(rendered_.size());
      rendered_.push_back(std::string(key.text) + (key.inner ? ';' : ' '));
    }
  }

  std::uint32_t inner(FrameId frame) const { return inner_[frame]; }
  std::uint32_t leaf(FrameId frame) const { return leaf_[frame]; }
  // The frame's text and what follows it in a line.
  const std::string& rendered(std::uint32_t rank) const { return rendered_[rank]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(rendered_.size()); }

 private:
  // As if an inner text had its ';' at the end; equal texts of a leaf and an inner frame: the leaf, being shorter.
  static bool before(std::string_view a, bool a_inner, std::string_view b, bool b_inner) {
    const std::size_t common = std::min(a.size(), b.size());
    if (const int order = a.substr(0, common).compare(b.substr(0, common))) return order < 0;
    if (a.size() == b.size()) return !a_inner && b_inner;
    if (a.size() < b.size()) return !a_inner || ';' < static_cast<unsigned char>(b[common]);
    return b_inner && static_cast<unsigned char>(a[common]) < ';';
  }

  std::vector<std::uint32_t> inner_, leaf_;
  std::vector<std::string> rendered_;
};

// The stacks of one list as strings of ranks, big-endian so that eight bytes at a time compare as one number.
template <typename Rank>
class RankedStacks {
 public:
  struct Stack {
    std::uint64_t next_bytes = 0;  // those of the place being sorted by
    std::uint32_t start = 0;       // in words of eight bytes
    std::uint32_t depth = 0;       // ranks
    std::uint64_t value = 0;
  };

  RankedStacks(const StackList& list, const std::vector<FrameId>& event_frames, const RankedFrames& ranks) {
    stacks_.reserve(list.entries().size());
    words_.reserve(list.total_frames() / per_word + list.entries().size() * 2);
    for (const StackList::Entry& entry : list.entries()) {
      const auto frames = list.frames(entry);
      if (frames.empty() && event_frames.empty()) continue;
      Stack& stack = stacks_.emplace_back();
      stack.start = static_cast<std::uint32_t>(words_.size());
      stack.depth = static_cast<std::uint32_t>(frames.size() + (event_frames.empty() ? 0 : 1));
      stack.value = entry.value;
      std::uint32_t at = 0;
      if (!event_frames.empty()) append(ranks, event_frames[entry.event], at++, stack.depth);
      for (const FrameId frame : frames) append(ranks, frame, at++, stack.depth);
    }
  }

  // Sorts, and adds the values of equal stacks.
  void sort() {
    sort_from(stacks_.begin(), stacks_.end(), 0);
    const auto joined = std::unique(stacks_.begin(), stacks_.end(), [this](Stack& first, const Stack& other) {
      if (compare(first, *this, other) != 0) return false;
      first.value += other.value;
      return true;
    });
    stacks_.erase(joined, stacks_.end());
  }

  const std::vector<Stack>& stacks() const { return stacks_; }

  std::uint32_t rank(const Stack& stack, std::uint32_t i) const {
    const std::uint64_t word = words_[stack.start + i / per_word];
    return static_cast<Rank>(word >> (64 - bits * (i % per_word + 1)));
  }

  // < 0, 0, > 0 as the line of `a` comes before, is, or comes after that of `b`, a stack of `other`.
  int compare(const Stack& a, const RankedStacks& other, const Stack& b) const {
    const std::uint32_t a_words = words_of(a), b_words = words_of(b);
    for (std::uint32_t i = 0; i < std::min(a_words, b_words); ++i) {
      const std::uint64_t x = words_[a.start + i], y = other.words_[b.start + i];
      if (x != y) return x < y ? -1 : 1;
    }
    return a_words < b_words ? -1 : (a_words > b_words ? 1 : 0);
  }

  // How many ranks at the start of both are the same.
  std::uint32_t common(const Stack& a, const RankedStacks& other, const Stack& b) const {
    const std::uint32_t limit = std::min(a.depth, b.depth);
    std::uint32_t i = 0;
    for (; i < limit; i += per_word) {
      const std::uint64_t difference = words_[a.start + i / per_word] ^ other.words_[b.start + i / per_word];
      if (difference != 0) {
        i += static_cast<std::uint32_t>(std::countl_zero(difference)) / bits;
        break;
      }
    }
    return std::min(i, limit);
  }

 private:
  static constexpr std::uint32_t bits = sizeof(Rank) * 8;
  static constexpr std::uint32_t per_word = 64 / bits;
  using Iterator = typename std::vector<Stack>::iterator;

  static std::uint32_t words_of(const Stack& stack) { return (stack.depth + per_word - 1) / per_word; }

  void append(const RankedFrames& ranks, FrameId frame, std::uint32_t at, std::uint32_t depth) {
    const std::uint64_t rank = at + 1 == depth ? ranks.leaf(frame) : ranks.inner(frame);
    if (at % per_word == 0) words_.push_back(0);
    words_.back() |= rank << (64 - bits * (at % per_word + 1));
  }

  // Stacks that agree up to `word` are sorted by it, then each group of equals by the next. A leaf's rank ends a
  // stack, so equal stacks end at the same word; everything else still has one to compare.
  void sort_from(Iterator begin, Iterator end, std::uint32_t word) {
    while (end - begin > 1) {
      bool all_equal = true;
      for (Iterator i = begin; i != end; ++i) {
        i->next_bytes = word < words_of(*i) ? words_[i->start + word] : 0;
        all_equal &= i->next_bytes == begin->next_bytes;
      }
      if (!all_equal) break;
      if (begin->next_bytes == 0) return;
      ++word;
    }
    if (end - begin < 2) return;
    std::sort(begin, end, [](const Stack& a, const Stack& b) { return a.next_bytes < b.next_bytes; });
    while (begin != end) {
      const std::uint64_t same = begin->next_bytes;
      const Iterator group = std::find_if(begin, end, [&](const Stack& s) { return s.next_bytes != same; });
      if (same != 0) sort_from(begin, group, word + 1);
      begin = group;
    }
  }

  std::vector<std::uint64_t> words_;
  std::vector<Stack> stacks_;
};

// Lets pieces that are finished in any order be written in theirs.
class Turns {
 public:
  template <typename Write>
  void take(std::size_t turn, Write&& write) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ == turn; });
    write();
    ++next_;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;
};

template <typename Rank>
class FoldedWriter {
 public:
  using Stacks = RankedStacks<Rank>;
  using Stack = typename Stacks::Stack;

  FoldedWriter(const Profile& profile, const std::vector<FrameId>& event_frames, const RankedFrames& ranks,
               unsigned threads)
      : ranks_(ranks), threads_(std::max(threads, 1u)) {
    std::vector<const StackList*> lists;
    for (const StackList& list : profile.lists()) lists.push_back(&list);
    lists_.resize(lists.size());
    share(lists.size(), [&](std::size_t i) {
      lists_[i] = std::make_unique<Stacks>(*lists[i], event_frames, ranks);
      lists_[i]->sort();
    });
  }

  void write(OutputFile& out) {
    const std::vector<std::vector<std::size_t>> cuts = cut_into_pieces();
    Turns turns;
    std::atomic<bool> wanted = true;
    share(cuts.size() - 1, [&](std::size_t piece) {
      std::string text;
      if (wanted) render(cuts[piece], cuts[piece + 1], text);
      turns.take(piece, [&] { wanted = wanted && out.write(text); });
    });
  }

 private:
  // Calls work(0) … work(count - 1), each once, on all threads; those with lower numbers begin first.
  template <typename Work>
  void share(std::size_t count, Work&& work) {
    std::atomic<std::size_t> next = 0;
    const auto run = [&] {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    };
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads_; ++i) others.emplace_back(run);
    run();
  }

  // Places in all lists (one index for each) between which pieces lie: no stack after a place comes before one in
  // front of it, in any list.
  std::vector<std::vector<std::size_t>> cut_into_pieces() const {
    constexpr std::size_t piece_size = 4096;
    std::vector<std::vector<std::size_t>> cuts;
    cuts.emplace_back(lists_.size(), 0);
    const auto longest = std::ranges::max_element(lists_, {}, [](const auto& list) { return list->stacks().size(); });
    if (longest != lists_.end()) {
      const Stacks& guide = **longest;
      for (std::size_t i = piece_size; i < guide.stacks().size(); i += piece_size) {
        std::vector<std::size_t>& cut = cuts.emplace_back();
        for (const auto& list : lists_) {
          const auto place = std::ranges::partition_point(
              list->stacks(), [&](const Stack& stack) { return list->compare(stack, guide, guide.stacks()[i]) < 0; });
          cut.push_back(static_cast<std::size_t>(place - list->stacks().begin()));
        }
      }
    }
    std::vector<std::size_t>& last = cuts.emplace_back();
    for (const auto& list : lists_) last.push_back(list->stacks().size());
    return cuts;
  }

  // Merges the lists between two cuts, adding equal stacks, and renders the lines.
  void render(std::vector<std::size_t> at, const std::vector<std::size_t>& end, std::string& text) const {
    Line line(ranks_, text);
    while (true) {
      const Stacks* from = nullptr;
      const Stack* first = nullptr;
      std::uint64_t value = 0;
      for (std::size_t i = 0; i < lists_.size(); ++i) {
        if (at[i] == end[i]) continue;
        const Stack& stack = lists_[i]->stacks()[at[i]];
        const int order = first == nullptr ? -1 : lists_[i]->compare(stack, *from, *first);
        if (order < 0) from = lists_[i].get(), first = &stack, value = stack.value;
        if (order == 0) value += stack.value;
      }
      if (first == nullptr) return;
      for (std::size_t i = 0; i < lists_.size(); ++i) {
        if (at[i] != end[i] && lists_[i]->compare(lists_[i]->stacks()[at[i]], *from, *first) == 0) ++at[i];
      }
      line.append(*from, *first, value);
    }
  }

  // Renders one line after the other. Sorted neighbours begin alike, so that much is copied from the line before.
  class Line {
   public:
    Line(const RankedFrames& ranks, std::string& text) : ranks_(ranks), text_(text) {}

    void append(const Stacks& list, const Stack& stack, std::uint64_t value) {
      const std::uint32_t kept = list_ == nullptr ? 0 : list_->common(*stack_, list, stack);
      const std::size_t line = text_.size();
      const std::size_t kept_bytes = kept == 0 ? 0 : ends_[kept - 1];
      ends_.resize(stack.depth);
      text_.reserve(text_.size() + kept_bytes);
      text_.append(text_, start_, kept_bytes);
      for (std::uint32_t i = kept; i < stack.depth; ++i) {
        text_ += ranks_.rendered(list.rank(stack, i));
        ends_[i] = text_.size() - line;
      }
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
      *end = '\n';
      text_.append(digits, end + 1);
      start_ = line;
      list_ = &list;
      stack_ = &stack;
    }

   private:
    const RankedFrames& ranks_;
    std::string& text_;
    std::size_t start_ = 0;          // of the line before
    std::vector<std::size_t> ends_;  // of its frames, from there
    const Stacks* list_ = nullptr;
    const Stack* stack_ = nullptr;
  };

  const RankedFrames& ranks_;
  const unsigned threads_;
  std::vector<std::unique_ptr<Stacks>> lists_;
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
