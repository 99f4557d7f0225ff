// The names of threads and stacks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/offcpu/interval.h"
#include "analysis/offcpu/scheduler.h"
#include "analysis/offcpu/stack_table.h"
#include "analysis/samples/frame_table.h"

namespace perfsift::offcpu {

// The frames of a stack, from the leaf to the root.
struct NamedStack {
  bool named = false;
  std::vector<analysis::FrameId> kernel;
  std::vector<analysis::FrameId> user;
};

// Each stack is named on first use. Derived classes provide the names: RecordingNames, and a dlfilter that gets them
// from perf. Not thread-safe; all constructor arguments must live as long as this object.
class Names {
 public:
  Names(const Scheduler& scheduler, const StackTable& stacks)
      : scheduler_(scheduler), stacks_(stacks), frames_(std::make_unique<analysis::FrameTable>()) {}
  virtual ~Names() = default;
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  // The name that perf shows for a thread, and the name with the tid: "worker[1234]". Both use the thread's latest name
  // and are printable().
  std::string comm(ThreadNumber thread) const;
  virtual std::string thread(ThreadNumber thread) const;
  // Whether the thread is a kernel thread, by its parent at the time `now`. Without recorded parents, only kthreadd,
  // the parent of all kernel threads, is recognized.
  virtual bool is_kernel_thread(const ThreadClock& thread, std::uint64_t /*now*/) const {
    return thread.pid == kthreadd;
  }
  // The recorded path of a cgroup; empty where the path is unknown.
  virtual std::string cgroup(std::uint64_t /*id*/) const { return {}; }
  // The number of the name of the stack's thread.
  std::uint32_t name_of_stack(StackId stack) const { return stacks_.owner(stack).comm; }
  // The name of the stack's thread when the stack was recorded.
  std::string comm_of_stack(StackId stack) const;
  // The recorded names without escaping, for formats that escape them in their own way.
  std::string recorded_comm(ThreadNumber thread) const;
  std::string recorded_comm(const ThreadClock& thread) const { return comm_of(thread.tid, thread.name); }
  std::string recorded_comm_of_stack(StackId stack) const;

  // The named frames of a stack. Valid until the next call.
  const NamedStack& stack(StackId stack);
  // "leaf;…;root": the kernel part, then the user part; empty where no stack was recorded.
  std::string leaf_first(StackId stack, std::string_view separator = ";");

  analysis::FrameTable& frames() { return *frames_; }
  const analysis::FrameTable& frames() const { return *frames_; }
  const Scheduler& scheduler() const { return scheduler_; }

  // Must be called when the stacks of an endless stream have been forgotten.
  virtual void forget();

 protected:
  // The pid of the thread that creates all other kernel threads.
  static constexpr std::int32_t kthreadd = 2;

  const StackTable& stacks() const { return stacks_; }

 private:
  // `name`: the feed's number of a name, as in SwitchOut::name and StackOwner::comm.
  virtual std::string comm_of(std::int32_t tid, std::uint32_t name) const = 0;
  virtual void name(StackId id, NamedStack& named) = 0;

  const Scheduler& scheduler_;
  const StackTable& stacks_;
  std::unique_ptr<analysis::FrameTable> frames_;
  std::vector<NamedStack> named_;  // by StackId
};

}  // namespace perfsift::offcpu
