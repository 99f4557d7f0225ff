// A filter: an expression that says which samples, or which intervals, are kept.
//
// ```cpp
// const Filter filter = Filter::parse(R"(comm == "worker" && sym =~ "lock")");
// FilterState state(filter);  // one per thread
// if (filter.keeps(facts, state)) ++kept;
// ```
//
// perfsift-filter(7) describes the language.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "filter/field.h"
#include "filter/sample_facts.h"
#include "filter/source_text.h"

namespace perfsift::filter {

class Predicate;
class FilterState;

// A field of a tracepoint in an expression.
struct TracepointField {
  std::string event;     // "sched:sched_switch"; empty: of any event that has the field
  std::string name;      // "prev_pid"
  std::size_t text = 0;  // which of the texts it is written in, and where
  Span place;
};

// The fields of a recording's tracepoints, so that names can be checked before the first sample.
class TracepointNames {
 public:
  virtual ~TracepointNames() = default;
  virtual bool has(const TracepointField& field) const = 0;
  // The names of all fields, for messages.
  virtual std::vector<std::string> all() const = 0;
};

// The times of a recording's first and last sample. Shares (10%) are parts of the time between them.
struct RecordingTimes {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  // The start of a share, and the last moment of a share that ends there, so that 0%..10% and 10%..20% have no moment
  // in common; rounded as set_percent_time() in tools/perf/util/time-utils.c does.
  std::uint64_t from(double share) const;
  std::uint64_t until(double share) const;
};

// Stretches of time, both ends included, ascending and without overlap.
struct TimeRange {
  std::uint64_t from = 0;
  std::uint64_t until = 0;
};
using TimeRanges = std::vector<TimeRange>;
using Windows = std::vector<TimeRanges>;

// Immutable, so thread-safe; copies share their contents.
class Filter {
 public:
  Filter() = default;  // keeps everything

  // Throws UsageError: the text, a caret under the column, what was expected, and the nearest name there is.
  static Filter parse(std::string_view text, std::string_view origin = "filter");
  // A filter that keeps the samples that all texts keep. Texts are evaluated from left to right if every() and first()
  // make the order matter.
  static Filter parse(const std::vector<FilterText>& texts, Subject subject = Subject::sample);

  bool keeps_all() const { return root_ == nullptr; }
  const Predicate* root() const { return root_.get(); }  // nullptr: keeps_all()

  // The times of samples that may be kept: no sample at another time is kept.
  TimeRanges times(const FilterState& state) const;

  // Whether the sample, or the interval, is kept. `state`: made for this filter, of this thread.
  bool keeps(SampleFacts& facts, FilterState& state) const;

  // Whether the filter asks for this fact, of the sample or of a frame.
  bool uses(Fact fact) const { return (needs_.facts >> static_cast<unsigned>(fact) & 1) != 0; }
  bool uses_stack() const { return needs_.stack; }
  bool uses_waker_stack() const { return needs_.waker_stack; }   // of intervals
  bool uses_shares() const { return needs_.shares; }             // FilterState then needs RecordingTimes
  bool uses_windows() const { return !needs_.windows.empty(); }  // FilterState then needs what WindowSearch finds
  // every(), first(): samples must come in the order of their times, and all to one FilterState.
  bool needs_order() const { return needs_.counters != 0; }

  // The fields of tracepoints that the filter asks for: SampleFacts::tracepoint() is called with an index into these.
  const std::vector<TracepointField>& tracepoint_fields() const { return needs_.tracepoint_fields; }
  // Throws UsageError for a field that no tracepoint of the recording has.
  void check(const TracepointNames& names) const;

  // The needs of the whole filter.
  struct Needs {
    std::uint64_t facts = 0;  // bits by Fact
    bool stack = false;
    bool waker_stack = false;
    bool shares = false;
    std::vector<TracepointField> tracepoint_fields;
    std::vector<const Predicate*> windows;  // what the samples are that open and close them: see WindowSearch
    std::size_t counters = 0;               // of every() and first()
    std::size_t memos = 0;                  // tables of answers that are remembered by texts
    std::size_t stack_memos = 0;            // the same by numbers of stacks, and of frames
  };
  const Needs& needs() const { return needs_; }

 private:
  std::shared_ptr<const Predicate> root_;
  std::shared_ptr<const std::vector<FilterText>> texts_;
  Needs needs_;
};
static_assert(fact_count <= 64);

// The state of a filter between samples. Not thread-safe: make one for each thread. The filter must outlive the state.
class FilterState {
 public:
  // `times`: only used if filter.uses_shares(); `windows`: the result of WindowSearch, by window, shared by all
  // threads; null if the filter has no windows.
  explicit FilterState(const Filter& filter, RecordingTimes times = {}, std::shared_ptr<const Windows> windows = {});

  // For predicates:
  const RecordingTimes& times() const { return times_; }
  bool is_in_window(std::size_t window, std::uint64_t time) const;
  const TimeRanges& window(std::size_t window) const { return (*windows_)[window]; }
  std::uint64_t& counter(std::size_t slot) { return counters_[slot]; }
  // The kept answer about a text; `answer()` computes it the first time.
  template <typename Answer>
  bool remembered(std::size_t slot, std::string_view text, Answer&& answer) {
    Memo& memo = memos_[slot];
    const Key key{text.data(), text.size()};
    Memo::Recent& recent = memo.recent[Hash()(key) % memo.recent.size()];
    if (recent.key == key) return recent.answer;
    const auto [known, is_new] = memo.answers.try_emplace(key, false);
    if (is_new) known->second = answer();
    recent = {key, known->second};
    return known->second;
  }
  // remembered() for the stack, or the frame, with this number.
  template <typename Answer>
  bool remembered_of_stack(std::size_t slot, std::uint32_t number, Answer&& answer) {
    return remembered_of(stack_memos_[slot], number, answer);
  }
  template <typename Answer>
  bool remembered_of_frame(std::size_t slot, std::uint32_t number, Answer&& answer) {
    return remembered_of(frame_memos_[slot], number, answer);
  }

 private:
  enum class Remembered : std::uint8_t { nothing, no, yes };
  template <typename Answer>
  static bool remembered_of(std::vector<Remembered>& memo, std::uint32_t number, Answer&& answer) {
    if (number >= memo.size()) memo.resize(std::max<std::size_t>(number + 1, 2 * memo.size()), Remembered::nothing);
    if (memo[number] == Remembered::nothing) memo[number] = answer() ? Remembered::yes : Remembered::no;
    return memo[number] == Remembered::yes;
  }

  struct Key {
    const char* text;
    std::size_t size;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return spread(reinterpret_cast<std::uintptr_t>(key.text) ^ key.size) >> 16;
    }
  };
  // All answers, and the latest in a table with one look-up: texts are few, and looked up by the million.
  struct Memo {
    struct Recent {
      Key key{nullptr, ~std::size_t{0}};  // no text
      bool answer = false;
    };
    std::unordered_map<Key, bool, Hash> answers;
    std::array<Recent, 1024> recent;
  };

  RecordingTimes times_;
  std::shared_ptr<const Windows> windows_;
  std::vector<std::uint64_t> counters_;
  std::vector<Memo> memos_;
  std::vector<std::vector<Remembered>> stack_memos_, frame_memos_;
};

}  // namespace perfsift::filter
