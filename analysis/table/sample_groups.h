// The samples of a profile added up by stack, thread, CPU and CPU mode: the rows of outputs that keep these apart.
//
// Groups lie in pieces by the nodes of their stacks, so that several threads sort and write pieces at the same time. Of
// each row only its place in the table is kept: memory that is new costs more time than to read the table again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "analysis/table/sample_table.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

// What rows tell apart besides the stack and the event.
struct GroupKeys {
  bool context = true;
  bool cpu = true;
  bool mode = true;
  bool time = false;  // each sample is a row
  bool run = false;   // the run of a stored profile, and the part of its time
};

// Samples with equal keys.
struct SampleGroup {
  static constexpr std::uint32_t no_context = SumRow::no_context;

  CallTree::Node node = CallTree::root;  // root: a stack without frames
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
  // `tree`: of the profile whose samples are in the table, without event frames. The tree and the table must live
  // longer.
  SampleGroups(const CallTree& tree, const SampleTable& table, const GroupKeys& keys, unsigned threads);

  // In their order, which does not depend on the order of the rows.
  const std::vector<const SampleContext*>& contexts() const { return contexts_; }

  // The memory of a piece, for many pieces.
  class Memory {
    friend class SampleGroups;
    std::vector<Row> rows_, scratch_;
    std::vector<SampleGroup> groups_;
  };

  std::size_t pieces() const { return ends_.size(); }
  // The groups of a piece, in the order of their nodes, until the next call with this memory. The same profile gives
  // the same pieces. Thread-safe.
  std::span<const SampleGroup> piece(std::size_t number, Memory& memory) const;

 private:
  struct Row {
    std::uint64_t place = 0;  // node and context
    std::uint64_t what = 0;   // event, mode and CPU
    std::uint64_t time = 0;
    std::uint64_t run = 0;  // and block
    Amount amount;
  };
  // Samples of the table, then sums.
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
  std::vector<std::uint32_t> context_ranks_;  // by the number in the table
  std::vector<EventId> events_;               // in the order of their names
  std::vector<std::uint32_t> event_ranks_;    // by EventId
  UnsetVector<Entry> entries_;                // piece by piece
  std::vector<std::size_t> ends_;             // of pieces
};

}  // namespace perfsift::analysis
