#include "store/recording_rows.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analysis/profile/quality_facts.h"
#include "base/clock_time.h"
#include "base/duration.h"
#include "base/hash.h"
#include "base/index_table.h"
#include "base/random_key.h"
#include "store/engine/row_binary.h"
#include "store/ids.h"

namespace perfsift::store {
namespace {

using analysis::Amount;
using analysis::FrameId;
using analysis::Profile;
using analysis::SampleRow;
using analysis::StackList;

// Samples of one recording that are further apart have a damaged clock. They get the time of the recording.
constexpr std::uint64_t longest_recording = 400 * 86'400 * one_second;

struct HashOfId {
  std::size_t operator()(const Hash128& id) const { return id.low; }
};

// The functions and stacks of a profile, each once.
class StackRows {
 public:
  StackRows(const Profile& profile, bool is_folded_text, RecordingRows& to)
      : profile_(profile), is_folded_text_(is_folded_text), stacks_(profile.stacks()), to_(to) {
    functions_.resize(profile.frames().size());
    places_.resize(stacks_.size(), unknown);
    for (const StackList& list : profile.lists()) callers_.emplace_back(list.callers().size());
  }

  // The place of the stack in ids(), by its number in the profile.
  std::uint32_t place_of(std::uint32_t stack) {
    if (stack == SampleRow::no_stack) return empty_ ? *empty_ : *(empty_ = place_of_id(StackId(), {}));
    std::uint32_t& place = places_[stack];
    if (place == unknown) place = add(*stacks_[stack]);
    return place;
  }
  const Hash128& id(std::uint32_t place) const { return to_.stacks.rows[place].id; }

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  std::uint32_t add(const StackList::Entry& stack) {
    std::optional<StackId>& known = callers_[stack.callers.list][stack.callers.index];
    if (!known) {
      known.emplace();
      for (const FrameId frame : profile_.callers(stack.callers).frames) known->add(function(frame));
    }
    StackId id = *known;
    id.add(function(stack.leaf));
    return place_of_id(id, &stack);
  }

  std::uint32_t place_of_id(const StackId& whole, const StackList::Entry* stack) {
    const Hash128 id = whole.id();
    const auto [known, is_new] = by_id_.try_emplace(id, static_cast<std::uint32_t>(to_.stacks.rows.size()));
    if (is_new) write(id, stack);
    return known->second;
  }

  void write(const Hash128& id, const StackList::Entry* stack) {
    RowWriter row(to_.stacks.bytes);
    row.id(id);
    if (stack == nullptr) {
      row.count(0);
    } else {
      const auto callers = profile_.callers(stack->callers).frames;
      row.count(callers.size() + 1);
      for (const FrameId frame : callers) row.id(function(frame));
      row.id(function(stack->leaf));
    }
    to_.stacks.rows.push_back({.id = id, .end = to_.stacks.bytes.size()});
  }

  const Hash128& function(FrameId frame) {
    std::optional<Hash128>& known = functions_[frame];
    if (!known) known = add_function(frame);
    return *known;
  }

  Hash128 add_function(FrameId frame) {
    const analysis::FrameTable& frames = profile_.frames();
    const analysis::FrameOrigin& origin = frames.origin(frame);
    const std::string build_id =
        origin.binary == analysis::FrameOrigin::none ? std::string() : frames.binaries()[origin.binary].build_id.hex();
    const std::string marks = is_folded_text_ ? marks_of(origin) : std::string();
    const StoredFunction function{.name = frames.text(frame),
                                  .kind = origin.kind,
                                  .inlined = origin.inlined,
                                  .unnamed = origin.unnamed,
                                  .marks = marks,
                                  .binary = frames.binary_of(frame),
                                  .build_id = build_id,
                                  .file = frames.file_of(frame),
                                  .line = origin.line};
    const Hash128 id = id_of(function);
    write(id, function);
    return id;
  }

  static std::string marks_of(const analysis::FrameOrigin& origin) {
    std::string marks = origin.inlined ? "_[i]" : "";
    if (origin.kind == analysis::FrameKind::kernel) marks += "_[k]";
    if (origin.kind == analysis::FrameKind::jit) marks += "_[j]";
    return marks;
  }

  void write(const Hash128& id, const StoredFunction& function) {
    RowWriter row(to_.functions.bytes);
    row.id(id);
    row.text(function.name);
    row.text(word_of(function.kind));
    row.boolean(function.inlined);
    row.boolean(function.unnamed);
    row.text(function.marks);
    row.text(function.binary);
    row.text(function.build_id);
    row.text(function.file);
    row.u32(function.line);
    to_.functions.rows.push_back({.id = id, .end = to_.functions.bytes.size()});
  }

  const Profile& profile_;
  const bool is_folded_text_;
  const std::vector<const StackList::Entry*> stacks_;
  RecordingRows& to_;
  std::vector<std::optional<Hash128>> functions_;             // by FrameId
  std::vector<std::vector<std::optional<StackId>>> callers_;  // by CallersId
  std::vector<std::uint32_t> places_;                         // by number of the stack
  std::optional<std::uint32_t> empty_;                        // the place of the stack without frames
  std::unordered_map<Hash128, std::uint32_t, HashOfId> by_id_;
};

// The sums of samples by stack, thread, control group, event, and ten seconds.
class SampleSums {
 public:
  struct Sum {
    std::uint32_t stack = 0;
    std::uint32_t thread = 0;
    std::uint32_t event = 0;
    std::uint32_t time = 0;  // seconds since 1970
    Amount amount;
  };

  void add(const Sum& sum) {
    const std::uint64_t hash =
        mix(std::uint64_t{sum.stack} << 32 | sum.thread, odd_1) ^ mix(std::uint64_t{sum.event} << 32 | sum.time, odd_2);
    const auto known = table_.find(spread(hash), [&](std::size_t i) {
      const Sum& other = sums_[i];
      return other.stack == sum.stack && other.thread == sum.thread && other.event == sum.event &&
             other.time == sum.time;
    });
    if (known) {
      sums_[*known].amount += sum.amount;
    } else {
      table_.add(spread(hash));
      sums_.push_back(sum);
    }
  }
  const std::vector<Sum>& all() const { return sums_; }

 private:
  IndexTable table_;
  std::vector<Sum> sums_;
};

// The times of rows.
class RowTimes {
 public:
  RowTimes(const RecordingFacts& facts, const RecordingContents& contents)
      : offset_(static_cast<std::uint64_t>(contents.clock_offset)),
        began_(row_of(facts.began)),
        usable_(contents.table.summary().times().length() < longest_recording) {}

  // In seconds. `time`: of a sample.
  std::uint32_t of(std::uint64_t time) const {
    return time == reader::no_time || !usable_ ? began_ : row_of(time + offset_);
  }
  std::uint32_t of_recording() const { return began_; }

 private:
  static std::uint32_t row_of(std::uint64_t nanoseconds) {
    constexpr std::uint64_t last = std::numeric_limits<std::uint32_t>::max() / seconds_of_row * seconds_of_row;
    return static_cast<std::uint32_t>(std::min(nanoseconds / one_second / seconds_of_row * seconds_of_row, last));
  }

  const std::uint64_t offset_;
  const std::uint32_t began_;
  const bool usable_;
};

// The threads and control groups of a table's contexts, each pair once.
class ThreadNames {
 public:
  explicit ThreadNames(const analysis::SampleTable& table) {
    for (const analysis::SampleContext& context : table.contexts())
      numbers_.push_back(number_of({context.comm, context.cgroup}));
    none_ = number_of({});
  }

  std::uint32_t of(std::uint32_t context) const {
    return context == analysis::SumRow::no_context ? none_ : numbers_[context];
  }
  const std::pair<std::string, std::string>& names(std::uint32_t number) const { return *names_[number]; }

 private:
  std::uint32_t number_of(const std::pair<std::string, std::string>& names) {
    const auto [known, is_new] = known_.try_emplace(names, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(&known->first);
    return known->second;
  }

  std::map<std::pair<std::string, std::string>, std::uint32_t> known_;
  std::vector<const std::pair<std::string, std::string>*> names_;
  std::vector<std::uint32_t> numbers_;  // by context
  std::uint32_t none_ = 0;
};

SampleSums sum_samples(const RecordingFacts& facts, const RecordingContents& contents, const ThreadNames& threads,
                       StackRows& stacks) {
  SampleSums sums;
  const RowTimes times(facts, contents);
  for (const SampleRow& row : contents.table.samples()) {
    sums.add({.stack = stacks.place_of(row.stack),
              .thread = threads.of(row.context),
              .event = row.event,
              .time = times.of(row.time),
              .amount = {.samples = 1, .value = row.value}});
  }
  for (const analysis::SumRow& row : contents.table.sums()) {
    sums.add({.stack = stacks.place_of(row.stack),
              .thread = threads.of(row.context),
              .event = row.event,
              .time = times.of_recording(),
              .amount = row.amount});
  }
  return sums;
}

void write_samples(const RecordingFacts& facts, const RecordingContents& contents, std::uint64_t load,
                   RecordingRows& to) {
  const auto service = facts.labels.find("service");
  const std::string_view service_name = service != facts.labels.end() ? std::string_view(service->second) : "";
  StackRows stacks(contents.profile, contents.is_folded_text, to);
  const ThreadNames threads(contents.table);
  RowWriter row(to.samples);
  const SampleSums sums = sum_samples(facts, contents, threads, stacks);
  for (const SampleSums::Sum& sum : sums.all()) {
    row.text(service_name);
    row.text(contents.profile.events()[sum.event]);
    row.u32(sum.time);
    row.id(stacks.id(sum.stack));
    row.text(threads.names(sum.thread).first);
    row.text(threads.names(sum.thread).second);
    row.u64(load);
    row.u64(sum.amount.samples);
    row.u64(sum.amount.value);
    ++to.sample_rows;
    to.sample_count += sum.amount.samples;
  }
}

void write_events(const RecordingContents& contents, std::uint64_t load, RecordingRows& to) {
  RowWriter row(to.events);
  std::uint32_t place = 0;
  for (const analysis::EventId event : contents.events) {
    const analysis::EventType& type = contents.profile.event_type(event);
    row.u64(load);
    row.u32(place++);
    row.text(contents.profile.events()[event]);
    row.text(type.unit);
    row.text(type.count);
    row.text(type.value);
  }
}

void write_quality(const analysis::Quality& quality, std::uint64_t load, RecordingRows& to) {
  RowWriter row(to.quality);
  for (const analysis::QualityFact& fact : analysis::quality_facts(quality)) {
    row.u64(load);
    row.text(fact.fact);
    row.text(fact.reason);
    row.text(fact.place);
    row.u64(fact.count);
  }
}

std::string recording_row(const RecordingFacts& facts, std::uint64_t load, bool removed, std::uint64_t samples) {
  std::string bytes;
  RowWriter row(bytes);
  row.id(facts.id);
  row.u64(load);
  row.boolean(removed);
  row.count(facts.labels.size());
  for (const auto& [name, value] : facts.labels) {
    row.text(name);
    row.text(value);
  }
  row.text(facts.path);
  row.u64(facts.began);
  row.u64(facts.duration);
  row.u32(static_cast<std::uint32_t>(std::time(nullptr)));
  row.u64(samples);
  row.boolean(false);  // rolled_up
  row.u32(0);          // bucket
  row.u64(1);          // recordings
  return bytes;
}

}  // namespace

RecordingRows rows_of(const RecordingFacts& facts, const RecordingContents& contents, std::uint64_t load) {
  RecordingRows rows;
  write_samples(facts, contents, load, rows);
  write_events(contents, load, rows);
  write_quality(contents.quality, load, rows);
  rows.recording = recording_row(facts, load, false, rows.sample_count);
  return rows;
}

std::string removed_row(const Hash128& id, std::uint64_t load) { return recording_row({.id = id}, load, true, 0); }

// The time, whose last microseconds are random. Clocks of machines differ: a load that replaces others is later.
std::uint64_t new_load(std::uint64_t after) {
  constexpr std::uint64_t random_bits = 0xfff;
  static std::mutex mutex;
  static std::uint64_t last = 0;
  const std::lock_guard lock(mutex);
  const std::uint64_t least = (std::max(clock_time(CLOCK_REALTIME), after) & ~random_bits) + random_bits + 1;
  const std::uint64_t now = least | (random_key().front() & random_bits);
  return last = std::max(last + 1, now);
}

Hash128 recording_id(const Hash128& content, const Labels& labels) {
  SipHash hash(key_of_ids);
  hash.take(content.low);
  hash.take(content.high);
  for (const auto& [name, value] : labels) {
    hash.take(name);
    hash.take(value);
  }
  return hash.finish();
}

}  // namespace perfsift::store
