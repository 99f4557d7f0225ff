// The samples of a profile added up by stack, thread, CPU and CPU mode: the rows of outputs that keep these apart.
//
// Rows lie in pieces by the nodes of their stacks, so that several threads sort and write pieces at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "analysis/profile/sample_log.h"
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
  static constexpr std::uint32_t no_context = ~std::uint32_t{0};

  CallTree::Node node = CallTree::root;  // root: a stack without frames
  EventId event = 0;
  std::uint32_t context = no_context;  // index into SampleGroups::contexts()
  std::int32_t cpu = -1;
  std::uint32_t mode = 0;  // reader::CpuMode
  std::uint64_t time = reader::no_time;
  std::uint32_t run = LoggedAmount::no_run;
  std::uint32_t block = 0;
  Amount amount;
};

// Immutable. The sum over all groups is the sum over all stacks of the profile: what is not in the log (folded text,
// losses) becomes groups without context.
class SampleGroups {
 public:
  // `tree`: of the profile whose samples are in the log, without event frames.
  SampleGroups(const CallTree& tree, const SampleLog& log, const GroupKeys& keys);

  // In their order, which does not depend on the order of the log.
  const std::vector<const SampleContext*>& contexts() const { return contexts_; }

  std::size_t pieces() const { return ends_.size(); }
  // The groups of a piece, in the order of their nodes. The same profile gives the same pieces. Thread-safe.
  std::vector<SampleGroup> piece(std::size_t number) const;

 private:
  struct Row {
    std::uint64_t place = 0;  // node and context
    std::uint64_t what = 0;   // event, mode and CPU
    std::uint64_t time = 0;
    std::uint64_t run = 0;  // and block
    Amount amount;
  };

  void number_contexts(const SampleLog& log);
  void number_events(const Profile& profile);
  LargeVector<Row> logged_rows(const CallTree& tree, const SampleLog& log, const GroupKeys& keys) const;
  void add_unlogged_rows(const CallTree& tree, const SampleLog& log, LargeVector<Row>& rows) const;
  void split(const LargeVector<Row>& rows, std::uint32_t nodes);

  std::vector<const SampleContext*> contexts_;
  std::vector<std::uint32_t> context_ranks_;  // by the number in the log
  std::vector<EventId> events_;               // in the order of their names
  std::vector<std::uint32_t> event_ranks_;    // by EventId
  LargeVector<Row> rows_;                     // piece by piece
  std::vector<std::size_t> ends_;             // of pieces
};

}  // namespace perfsift::analysis
