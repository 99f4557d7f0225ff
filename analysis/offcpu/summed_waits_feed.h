// Sums of waits as intervals, for the listeners that recordings have, too.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/offcpu/names.h"
#include "analysis/offcpu/scheduler.h"
#include "analysis/offcpu/stack_table.h"
#include "analysis/offcpu/summed_waits.h"
#include "analysis/offcpu/wait_kinds.h"

namespace perfsift::offcpu {

// The names of the threads, stacks and control groups of sums.
class SummedWaitsNames : public Names {
 public:
  // All arguments must live longer.
  SummedWaitsNames(const SummedWaits& waits, const Scheduler& scheduler, const StackTable& stacks)
      : Names(scheduler, stacks), waits_(waits) {}

  // Threads with the same name are one: there is no tid to show.
  std::string thread(ThreadNumber thread) const override { return comm(thread); }
  std::string cgroup(std::uint64_t id) const override { return id == 0 ? std::string() : waits_.cgroups[id - 1]; }

 private:
  std::string comm_of(std::int32_t tid, std::uint32_t name) const override;
  void name(StackId id, NamedStack& named) override;

  const SummedWaits& waits_;
};

// Symbols are not needed: the sums have the kinds of wait.
class NoSymbols : public StackSymbols {
 public:
  void for_each_symbol(StackId, bool, const EachSymbol&) override {}
};

// Calls listener.interval() for the parts of each sum. The scheduler gets a thread for each name, the stacks those of
// the sums, and `kinds` the kinds of their waits. `duration`: nanoseconds, of all recordings together. Throws
// InputError for sums with more names than there can be threads.
void feed(const SummedWaits& waits, std::uint64_t duration, Scheduler& scheduler, StackTable& stacks, WaitKinds& kinds,
          SchedulerListener& listener);

}  // namespace perfsift::offcpu
