// The BPF programs that measure waits: loads them, and reads their maps.
//
// Everything is held by descriptors of this process. If the process ends, also by SIGKILL, the kernel detaches the
// programs and frees the maps.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record/waits/programs/wait_types.h"
#include "record/waits/wait_plan.h"

namespace perfsift::record {

// The runs of the programs since they were loaded; 0 where the kernel does not count.
struct ProgramUse {
  std::uint64_t runs = 0, nanoseconds = 0;
};

using WaitStack = std::vector<std::uint64_t>;  // addresses, the leaf first

// Not thread-safe.
class WaitPrograms {
 public:
  using Row = std::pair<wait_key, wait_row>;
  using Thread = std::pair<std::uint32_t, wait_thread>;  // by tid

  // typed: or raw ones, where the kernel refuses them.
  enum class Tracepoints : std::uint8_t { typed, raw };
  // Loads the programs. Throws Error: the message says what is missing, and what to do.
  static std::unique_ptr<WaitPrograms> load(const WaitPlan& plan, Tracepoints tracepoints = Tracepoints::typed);
  // Why no programs can be loaded, whatever the plan: perfsift was built without them. Empty: they are there.
  static std::string why_missing();
  virtual ~WaitPrograms() = default;

  // A process that counts from now on, with what it starts.
  virtual void add_process(std::uint32_t pid) = 0;
  // Attaches the programs, which do nothing until start(). Throws Error.
  virtual void attach() = 0;
  // `begin`: now, of CLOCK_MONOTONIC.
  virtual void start(std::uint64_t begin) = 0;
  virtual void stop() = 0;

  // Gives the programs an empty table, and returns the rows of the other, which it empties.
  virtual std::vector<Row> take_rows() = 0;
  // Threads that are alive, or were when they were seen last.
  virtual std::vector<Thread> threads() = 0;
  // Moves the stacks out of the kernel. A stack comes again when it is used again.
  virtual void take_stacks(std::unordered_map<std::uint64_t, WaitStack>& stacks) = 0;
  // One stack, which stays there. Empty: it is not there.
  virtual WaitStack stack(std::uint64_t hash) = 0;
  // The sums over all CPUs, from the beginning.
  virtual wait_counts counts() = 0;
  virtual ProgramUse use() const = 0;
  // The time now, of the clock that the programs read: CLOCK_MONOTONIC.
  virtual std::uint64_t now() const = 0;
  // The descriptor of the ring buffer of wait_event; -1: there is none, because the plan has no threshold.
  virtual int events() const = 0;
};

}  // namespace perfsift::record
