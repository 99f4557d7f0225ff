// The samples of a profile one by one: when each was taken, in which thread, on which CPU, and with which stack.
//
// A Profile adds equal stacks up. Pictures over time, of one thread or of one CPU, and outputs that keep threads apart
// need each sample: 40 bytes for each.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/profile/log_summary.h"
#include "analysis/profile/logged_sample.h"
#include "analysis/profile/profile.h"
#include "base/large_vector.h"
#include "filter/sample_facts.h"

namespace perfsift::analysis {

// A label of a pprof profile to which perfsift gives no meaning: a text, or a number with its unit.
struct OtherLabel {
  std::string key, text;
  std::int64_t number = 0;
  std::string unit;
  auto operator<=>(const OtherLabel&) const = default;
};

// The thread of a sample, and what else the log has been asked for.
struct SampleContext {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::string comm;    // at the time of the sample
  std::string cgroup;  // path; empty: not recorded
  // In the order of SampleLog::numbers(); empty where the input has none.
  std::vector<std::optional<filter::Number>> numbers = {};
  std::vector<OtherLabel> labels = {};  // if the log keeps them
  auto operator<=>(const SampleContext&) const = default;
};

// Samples of an input that has only their sums, such as a pprof profile: without times.
struct LoggedAmount {
  static constexpr std::uint32_t no_run = ~std::uint32_t{0};

  Amount amount;
  std::uint32_t stack = LoggedSample::no_stack;
  std::uint32_t context = 0;
  std::int32_t cpu = -1;
  std::uint32_t event : 24 = 0;
  std::uint32_t mode : 8 = 0;
  std::uint32_t run = no_run;  // of a stored profile that keeps its runs apart
  std::uint32_t block = 0;     // the part of the run's time
};

class SampleLog {
 public:
  class Part;

  // `numbers`: also to be logged, for recordings.
  explicit SampleLog(std::vector<filter::Fact> numbers = {}) : wanted_(std::move(numbers)) {}

  const std::vector<filter::Fact>& numbers() const { return wanted_; }
  // Samples of pprof profiles shall keep their other labels. Call it before anything is added.
  void keep_labels() { keeps_labels_ = true; }
  bool keeps_labels() const { return keeps_labels_; }
  // Samples of recordings may be added up where they agree in all but their times: see SampleSums. Call it before
  // anything is added.
  void keep_sums() { keeps_sums_ = true; }
  bool keeps_sums() const { return keeps_sums_; }

  // The number of a context. Thread-safe.
  std::uint32_t context(const SampleContext& context);
  // The name of a process is that of its first thread at the end of the input. Thread-safe.
  void name_process(std::int32_t pid, std::string name);
  // Makes room for about so many samples that some parts will add. More are possible, but are copied.
  void expect(std::size_t samples, std::size_t parts);
  // Once all parts are finished: makes their samples those of the log, except unwanted ones. Nothing else may be added
  // between the first part and this call.
  void join(std::span<const Part* const> parts);
  // Adds samples, in any order. Thread-safe.
  void append(std::span<const LoggedSample> samples);
  void append(const LoggedAmount& amount);
  void append(UnsetVector<LoggedAmount> amounts);
  // Makes room for so many amounts more, which the caller sets. Nothing may be added before they are set.
  std::span<LoggedAmount> room_for_amounts(std::size_t count);
  // The stacks of all amounts are so many numbers later in the profile. Must not be called while another thread adds.
  void add_to_stacks(std::uint32_t more);
  // Puts the samples in the order of their times; samples without a time come last. Samples of one time are in the
  // order of their records, so that the order does not depend on the threads that added the samples.
  void sort_by_time();

  // Must not be called while another thread adds.
  std::span<const LoggedSample> samples() const { return samples_; }
  // Of samples().
  const LogSummary& summary() const { return summary_; }
  std::span<const LoggedAmount> amounts() const { return amounts_; }
  const std::vector<SampleContext>& contexts() const { return contexts_; }
  // By pid; of processes with samples, where the input tells.
  const std::map<std::int32_t, std::string>& process_names() const { return process_names_; }

 private:
  using Block = std::span<LoggedSample>;

  Block take_block();
  bool is_expected(Block block) const;
  void close(std::vector<Block> holes);

  const std::vector<filter::Fact> wanted_;
  bool keeps_labels_ = false, keeps_sums_ = false;
  std::mutex mutex_;
  UnsetVector<LoggedSample> samples_;
  LogSummary summary_;
  std::deque<UnsetVector<LoggedSample>> unexpected_;  // blocks of parts for which samples_ has no room
  UnsetVector<LoggedAmount> amounts_;
  std::vector<SampleContext> contexts_;
  std::map<SampleContext, std::uint32_t> numbers_;
  std::map<std::int32_t, std::string> process_names_;
};

// The samples that one thread adds. They lie in the log from the start, because new memory costs more time than all
// else that is done with a sample. Not thread-safe. The log must live longer, and must not be used until join().
class SampleLog::Part {
 public:
  // LoggedSample::stack of samples that the log is not to have.
  static constexpr std::uint32_t unwanted = LoggedSample::no_stack - 1;

  explicit Part(SampleLog& log) : log_(log) {}

  // The sample keeps its address until join().
  LoggedSample& add(const LoggedSample& sample) {
    if (room_.empty()) blocks_.push_back(room_ = log_.take_block());
    LoggedSample& place = room_.front();
    place = sample;
    room_ = room_.subspan(1);
    return place;
  }
  bool empty() const { return blocks_.empty(); }
  // After finish().
  const LogSummary& summary() const { return summary_; }
  // After the last add(): the stack of a sample becomes stack_of(stack).
  template <typename StackOf>
  void finish(StackOf&& stack_of) {
    for (const Block& block : blocks_) {
      const bool is_last = &block == &blocks_.back();
      for (LoggedSample& sample : block.first(block.size() - (is_last ? room_.size() : 0))) {
        sample.stack = stack_of(sample.stack);
        if (sample.stack == unwanted) {
          has_unwanted_ = true;
        } else {
          summary_.add(sample);
        }
      }
    }
  }

 private:
  friend class SampleLog;

  SampleLog& log_;
  std::vector<Block> blocks_;
  Block room_;  // the end of the last block, which has no samples yet
  LogSummary summary_;
  bool has_unwanted_ = false;
};

}  // namespace perfsift::analysis
