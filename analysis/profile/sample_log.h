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

#include "analysis/profile/profile.h"
#include "analysis/samples/sample_number.h"
#include "base/large_vector.h"
#include "reader/format/record.h"

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
  std::vector<std::optional<std::uint64_t>> numbers = {};
  std::vector<OtherLabel> labels = {};  // if the log keeps them
  auto operator<=>(const SampleContext&) const = default;
};

struct LoggedSample {
  static constexpr std::uint32_t no_stack = ~std::uint32_t{0};

  std::uint64_t time = reader::no_time;  // nanoseconds; no_time: not recorded
  std::uint64_t value = 0;               // see Weight
  std::uint64_t position = 0;            // of its record in a recording: see reader::Moment
  std::uint32_t stack = no_stack;        // number in the profile; no_stack: without frames
  std::uint32_t context = 0;             // index into SampleLog::contexts()
  std::int32_t cpu = -1;                 // -1: not recorded
  std::uint32_t event : 24 = 0;          // EventId
  std::uint32_t mode : 8 = 0;            // reader::CpuMode
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
  explicit SampleLog(std::vector<SampleNumber> numbers = {}) : wanted_(std::move(numbers)) {}

  const std::vector<SampleNumber>& numbers() const { return wanted_; }
  // Samples of pprof profiles shall keep their other labels. Call it before anything is added.
  void keep_labels() { keeps_labels_ = true; }
  bool keeps_labels() const { return keeps_labels_; }

  // The number of a context. Thread-safe.
  std::uint32_t context(const SampleContext& context);
  // The name of a process is that of its first thread at the end of the input. Thread-safe.
  void name_process(std::int32_t pid, std::string name);
  // Makes room for about so many samples that some parts will add. More are possible, but are copied.
  void expect(std::size_t samples, std::size_t parts);
  // Once no part adds any more: makes their samples those of the log, except samples with the stack `unwanted`. Nothing
  // else may be added between the first part and this call.
  void join(std::span<const Part* const> parts, std::optional<std::uint32_t> unwanted);
  // Adds samples, in any order. Thread-safe.
  void append(std::span<const LoggedSample> samples);
  void append(const LoggedAmount& amount);
  void append(LargeVector<LoggedAmount> amounts);
  // The stacks of all amounts are so many numbers later in the profile. Must not be called while another thread adds.
  void add_to_stacks(std::uint32_t more);
  // Puts the samples in the order of their times; samples without a time come last. Samples of one time are in the
  // order of their records, so that the order does not depend on the threads that added the samples.
  void sort_by_time();

  // Must not be called while another thread adds.
  std::span<const LoggedSample> samples() const { return samples_; }
  std::span<const LoggedAmount> amounts() const { return amounts_; }
  const std::vector<SampleContext>& contexts() const { return contexts_; }
  // By pid; of processes with samples, where the input tells.
  const std::map<std::int32_t, std::string>& process_names() const { return process_names_; }

 private:
  using Block = std::span<LoggedSample>;

  Block take_block();
  bool is_expected(Block block) const;
  void close(std::vector<Block> holes);

  const std::vector<SampleNumber> wanted_;
  bool keeps_labels_ = false;
  std::mutex mutex_;
  UnsetVector<LoggedSample> samples_;
  std::deque<UnsetVector<LoggedSample>> unexpected_;  // blocks of parts for which samples_ has no room
  LargeVector<LoggedAmount> amounts_;
  std::vector<SampleContext> contexts_;
  std::map<SampleContext, std::uint32_t> numbers_;
  std::map<std::int32_t, std::string> process_names_;
};

// The samples that one thread adds. They lie in the log from the start, because new memory costs more time than all
// else that is done with a sample. Not thread-safe. The log must live longer, and must not be used until join().
class SampleLog::Part {
 public:
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
  // Calls use(sample) in the order in which the samples were added.
  template <typename Use>
  void for_each(Use&& use) const {
    for (const Block& block : blocks_) {
      const bool is_last = &block == &blocks_.back();
      for (LoggedSample& sample : block.first(block.size() - (is_last ? room_.size() : 0))) use(sample);
    }
  }

 private:
  friend class SampleLog;

  SampleLog& log_;
  std::vector<Block> blocks_;
  Block room_;  // the end of the last block, which has no samples yet
};

}  // namespace perfsift::analysis
