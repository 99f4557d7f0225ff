// What threads and stacks are called.
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

// Each stack is named when it is first asked for. Where the names come from is for those who know: RecordingNames, and
// a dlfilter that asks perf. Not thread-safe; everything it is given must live as long.
class Names {
 public:
  Names(const Scheduler& scheduler, const StackTable& stacks)
      : scheduler_(scheduler), stacks_(stacks), frames_(std::make_unique<analysis::FrameTable>()) {}
  virtual ~Names() = default;
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  // The name perf shows for a thread, and that with its number: "worker[1234]". The thread's latest name, printable().
  std::string comm(ThreadNumber thread) const;
  std::string thread(ThreadNumber thread) const;
  // Whether the thread is one of the kernel's own, by its parent at the time `now`; where the parent is not recorded,
  // only the parent of all of them is known to be one.
  virtual bool is_kernel_thread(const ThreadClock& thread, std::uint64_t /*now*/) const {
    return thread.pid == kthreadd;
  }
  // The path of a cgroup as recorded; empty where the path is not known.
  virtual std::string cgroup(std::uint64_t /*id*/) const { return {}; }
  // What stands for the name of the stack's thread.
  std::uint32_t name_of_stack(StackId stack) const { return stacks_.owner(stack).comm; }
  // As it was called when the stack was recorded.
  std::string comm_of_stack(StackId stack) const;
  // The same as recorded: for formats that escape on their own.
  std::string recorded_comm(ThreadNumber thread) const;
  std::string recorded_comm(const ThreadClock& thread) const { return comm_of(thread.tid, thread.name); }
  std::string recorded_comm_of_stack(StackId stack) const;

  // Good until the next call.
  const NamedStack& stack(StackId stack);
  // "leaf;…;root", of the user's part below the kernel's; empty where no stack was recorded.
  std::string leaf_first(StackId stack, std::string_view separator = ";");

  analysis::FrameTable& frames() { return *frames_; }
  const analysis::FrameTable& frames() const { return *frames_; }
  const Scheduler& scheduler() const { return scheduler_; }

  // For a recording without end, whose stacks have been forgotten.
  virtual void forget();

 protected:
  // The thread that makes all other threads of the kernel.
  static constexpr std::int32_t kthreadd = 2;

  const StackTable& stacks() const { return stacks_; }

 private:
  // `name`: as the feed counts them in SwitchOut::name and StackOwner::comm.
  virtual std::string comm_of(std::int32_t tid, std::uint32_t name) const = 0;
  virtual void name(StackId id, NamedStack& named) = 0;

  const Scheduler& scheduler_;
  const StackTable& stacks_;
  std::unique_ptr<analysis::FrameTable> frames_;
  std::vector<NamedStack> named_;  // by StackId
};

}  // namespace perfsift::offcpu
