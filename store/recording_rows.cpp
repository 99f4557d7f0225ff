#include "store/recording_rows.h"

#include <algorithm>
#include <ctime>
#include <mutex>
#include <utility>

#include "analysis/profile/quality_facts.h"
#include "base/clock_time.h"
#include "base/hash.h"
#include "base/index_table.h"
#include "base/random_key.h"
#include "store/access_rows.h"
#include "store/engine/row_binary.h"
#include "store/ids.h"
#include "store/stack_rows.h"
#include "store/wait_rows.h"

namespace perfsift::store {
namespace {

using analysis::Amount;
using analysis::SampleRow;

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
  const RowTimes times(facts.began, contents.clock_offset, contents.table.summary().times());
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

std::string_view service_of(const RecordingFacts& facts) {
  const auto service = facts.labels.find("service");
  return service != facts.labels.end() ? std::string_view(service->second) : "";
}

void write_samples(const RecordingFacts& facts, const RecordingContents& contents, std::uint64_t load,
                   StackRows& stacks, RecordingRows& to) {
  const ThreadNames threads(contents.table);
  RowWriter row(to.samples);
  const SampleSums sums = sum_samples(facts, contents, threads, stacks);
  for (const SampleSums::Sum& sum : sums.all()) {
    row.text(service_of(facts));
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
  StackRows stacks(contents.profile, contents.is_folded_text, rows);
  write_samples(facts, contents, load, stacks, rows);
  if (contents.waits != nullptr) write_waits(*contents.waits, service_of(facts), load, stacks, rows);
  if (contents.accesses != nullptr) write_accesses(*contents.accesses, service_of(facts), load, stacks, rows);
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
