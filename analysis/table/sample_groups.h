// The sums of a profile's samples by stack, thread, CPU and CPU mode: the rows of outputs that separate these.
//
// Groups are in pieces by the nodes of their stacks, so several threads sort and write pieces at the same time. Only
// the place of each row in the table is stored: new memory costs more time than a second read of the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "analysis/table/sample_table.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

// The properties by which rows differ, besides the stack and the event.
struct GroupKeys {
  bool context = true;
  bool cpu = true;
  bool mode = true;
  bool time = false;  // each sample is a row
  bool run = false;   // the run of a stored profile, and the block of its time
};

// Samples with equal keys.
struct SampleGroup {
  static constexpr std::uint32_t no_context = SumRow::no_context;

  CallTree::Node node = CallTree::root;  // root: the stack has no frames
  EventId event = 0;
  std::uint32_t context = no_context;  // index into SampleGroups::contexts()
  std::int32_t cpu = -1;
  std::uint32_t mode = 0;  // reader::CpuMode
  std::uint64_t time = reader::no_time;
  std::uint32_t run = SumRow::no_run;
  std::uint32_t block = 0;
  Amount amount;
};

// Immutable.
class SampleGroups {
  struct Row;

 public:
  // `tree`: the tree of the table's profile, without event frames. The tree and the table must live longer.
  SampleGroups(const CallTree& tree, const SampleTable& table, const GroupKeys& keys, unsigned threads);

  // The contexts in an order that does not depend on the order of the rows.
  const std::vector<const SampleContext*>& contexts() const { return contexts_; }

  // The memory of one thread's pieces, which is used again for each piece.
  class Memory {
    friend class SampleGroups;
    std::vector<Row> rows_, scratch_;
    std::vector<SampleGroup> groups_;
  };

  std::size_t pieces() const { return ends_.size(); }
  // The groups of a piece, in the order of their nodes. Valid until the next call with this memory. The same profile
  // gives the same pieces. Thread-safe.
  std::span<const SampleGroup> piece(std::size_t number, Memory& memory) const;

 private:
  struct Row {
    std::uint64_t place = 0;  // node and context
    std::uint64_t what = 0;   // event, mode and CPU
    std::uint64_t time = 0;
    std::uint64_t run = 0;  // run and block
    Amount amount;
  };
  // The number of a sample of the table, or behind the samples, of a sum.
  using Entry = std::uint32_t;

  void number_contexts();
  void number_events();
  void split(unsigned threads);
  std::size_t entries() const { return table_.samples().size() + table_.sums().size(); }
  CallTree::Node node_of(Entry entry) const;
  void prefetch(Entry entry) const;
  Row row_of(Entry entry) const;
  template <typename TableRow>
  Row row_of(const TableRow& row, std::uint64_t time, std::uint64_t run, const Amount& amount) const;

  const CallTree& tree_;
  const SampleTable& table_;
  const GroupKeys keys_;
  std::vector<const SampleContext*> contexts_;
  std::vector<std::uint32_t> context_ranks_;  // by context of the table
  std::vector<EventId> events_;               // in the order of their names
  std::vector<std::uint32_t> event_ranks_;    // by EventId
  UnsetVector<Entry> entries_;                // the pieces, one after the other
  std::vector<std::size_t> ends_;             // by piece
};

}  // namespace perfsift::analysis
