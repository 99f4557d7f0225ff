#include "tools/record/drain_threads.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/eventfd.h>

#include "base/error.h"

namespace perfsift::tools {
namespace {

// The records of a group of rings, each ring's into a file of its own.
class GroupSink : public record::RecordSink {
 public:
  GroupSink(RecordedFolder& folder, const std::vector<std::size_t>& rings) : folder_(folder), rings_(rings) {}

  void records(std::size_t ring, Bytes records) override { folder_.ring(ring).write(records); }
  void round() override {
    for (const std::size_t ring : rings_) folder_.ring(ring).flush();
  }

 private:
  RecordedFolder& folder_;
  const std::vector<std::size_t>& rings_;
};

FileDescriptor new_eventfd() {
  FileDescriptor fd(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!fd) throw Error(fmt::format("eventfd: {}", std::strerror(errno)));
  return fd;
}

// For the calling thread. A set of CPUs of any size: CPU_ALLOC(3).
void run_on(const std::vector<unsigned>& cpus) {
  if (cpus.empty()) return;
  const std::size_t count = std::ranges::max(cpus) + std::size_t{1};
  const Owned<cpu_set_t, __sched_cpufree> set(CPU_ALLOC(count));
  const std::size_t size = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(size, set.get());
  for (const unsigned cpu : cpus) CPU_SET_S(cpu, size, set.get());
  if (sched_setaffinity(0, size, set.get()) != 0)
    throw Error(
        fmt::format("--threads: a thread may not run on CPU {}: {}", fmt::join(cpus, ","), std::strerror(errno)));
}

}  // namespace

DrainThreads::DrainThreads(record::Session& session, RecordedFolder& folder,
                           const std::vector<std::unique_ptr<record::SampleKeeper>>& keepers,
                           std::optional<std::uint64_t> wake_at)
    : folder_(folder), wake_at_(wake_at), ending_(new_eventfd()), asking_(new_eventfd()) {
  session.watch(asking_.get());
  const auto& groups = session.groups();
  for (const auto& group : groups) group->watch(ending_.get());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    record::SampleKeeper* const keeper = i < keepers.size() ? keepers[i].get() : nullptr;
    threads_.emplace_back([this, &group = *groups[i], keeper] { run(group, keeper); });
  }
}

DrainThreads::~DrainThreads() { end(); }

void DrainThreads::run(record::RingGroup& group, record::SampleKeeper* keeper) {
  try {
    run_on(group.affinity());
    drain(group, keeper);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    eventfd_write(asking_.get(), 1);
  }
}

// The end is looked at before a pass, so that the last pass is one after the end.
void DrainThreads::drain(record::RingGroup& group, record::SampleKeeper* keeper) {
  GroupSink files(folder_, group.rings());
  KeptSink sink(keeper, files);
  for (bool last = false; !last;) {
    group.wait();
    last = ended_;
    group.drain(sink);
    wake_at_limit();
  }
}

void DrainThreads::wake_at_limit() {
  if (wake_at_ && folder_.size() >= *wake_at_) eventfd_write(asking_.get(), 1);
}

void DrainThreads::end() {
  ended_ = true;
  eventfd_write(ending_.get(), 1);
  threads_.clear();  // joins
}

void DrainThreads::check() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void DrainThreads::finish() {
  end();
  check();
}

}  // namespace perfsift::tools
