// Collects the rows of a SampleTable from threads and inputs, in any order.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "analysis/table/sample_row.h"
#include "analysis/table/sample_table.h"
#include "analysis/table/table_summary.h"
#include "base/large_vector.h"
#include "filter/sample_facts.h"

namespace perfsift::analysis {

// The samples that a row of a recording represents.
enum class Grain : std::uint8_t {
  sample,   // one sample
  context,  // samples that differ only in their times, where only their sum is needed: see ContextSums
};

// The contents of a table.
struct TableShape {
  Grain grain = Grain::sample;
  bool in_order = false;                   // samples are in the order of their times; samples without a time come last
  bool labels = false;                     // labels of pprof profiles without a meaning here: SampleContext::labels
  std::vector<filter::Fact> numbers = {};  // of recordings: SampleContext::numbers
  // The names of those labels of a store's recordings that become SampleContext::labels.
  std::vector<std::string> labels_of_stores = {};
};

class TableBuilder {
 public:
  class Part;

  explicit TableBuilder(TableShape shape = {}) : shape_(std::move(shape)) {}

  const TableShape& shape() const { return shape_; }

  // The number of the context, which is added if it is new. Thread-safe.
  std::uint32_t context(const SampleContext& context);
  // See SampleTable::process_names(). Thread-safe.
  void name_process(std::int32_t pid, std::string name);
  // Makes room for about `samples` samples from `parts` parts. Samples beyond that are possible, but are copied.
  void expect(std::size_t samples, std::size_t parts);
  // Makes the samples of the parts, except unwanted ones, the samples of the table. All parts must be finished. Nothing
  // else may be added between the creation of the first part and this call.
  void join(std::span<Part* const> parts);
  // Adds rows, in any order. Thread-safe.
  void append(std::span<const SampleRow> samples);
  void append(const SumRow& sum);
  void append(UnsetVector<SumRow> sums);
  // Makes room for `count` more sums, which the caller must set before anything else is added.
  std::span<SumRow> room_for_sums(std::size_t count);
  // Increases the stack numbers of all sums by `more`. Must not be called while another thread adds.
  void add_to_stacks(std::uint32_t more);

  // Makes the table. Also adds the amounts of the profile's lists in [first_list, end_list) that the rows do not have.
  // These lists must have the stacks of all rows.
  SampleTable seal(const Profile& profile, std::size_t first_list, std::size_t end_list) &&;
  SampleTable seal(const Profile& profile) && { return std::move(*this).seal(profile, 0, profile.lists().size()); }
  // Makes the table from the rows alone, if they are complete or the profile has not kept their stacks.
  SampleTable seal() &&;

 private:
  using Block = std::span<SampleRow>;

  Block take_block();
  bool is_expected(Block block) const;
  void close(std::vector<Block> holes);
  void discard(const Part& part);
  void remove_discarded();
  void add_rest(const Profile& profile, std::size_t first_list, std::size_t end_list);
  void sort_by_time();

  const TableShape shape_;
  std::mutex mutex_;
  SampleTable table_;
  std::deque<UnsetVector<SampleRow>> unexpected_;  // blocks of parts for which the table has no room
  bool has_discarded_ = false;
  std::map<SampleContext, std::uint32_t> numbers_;
};

// The samples that one thread adds. They are in the memory of the table from the start, because new memory costs more
// time than all other work on a sample. A part that was not joined, because its input failed, leaves no samples. Not
// thread-safe. The builder must live longer, and must not be used until join().
class TableBuilder::Part {
 public:
  // The SampleRow::stack of samples that are removed from the table.
  static constexpr std::uint32_t unwanted = SampleRow::no_stack - 1;

  explicit Part(TableBuilder& builder) : builder_(builder) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    if (!is_joined_) builder_.discard(*this);
  }

  // Adds a sample, which keeps its address until join().
  SampleRow& add(const SampleRow& sample) {
    if (room_.empty()) blocks_.push_back(room_ = builder_.take_block());
    SampleRow& place = room_.front();
    place = sample;
    room_ = room_.subspan(1);
    return place;
  }
  bool empty() const { return blocks_.empty(); }
  // The summary of the samples. Must be called after finish().
  const TableSummary& summary() const { return summary_; }
  // Replaces the stack of each sample by stack_of(stack). Must be called after the last add().
  template <typename StackOf>
  void finish(StackOf&& stack_of) {
    for (const Block& block : blocks_) {
      const bool is_last = &block == &blocks_.back();
      for (SampleRow& sample : block.first(block.size() - (is_last ? room_.size() : 0))) {
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
  friend class TableBuilder;

  TableBuilder& builder_;
  std::vector<Block> blocks_;
  Block room_;  // the unused end of the last block
  TableSummary summary_;
  bool has_unwanted_ = false;
  bool is_joined_ = false;
};

}  // namespace perfsift::analysis
