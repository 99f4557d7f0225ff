// Runs the BPF programs. Only root can do this, on a kernel with types (BTF).
#include "record/waits/wait_programs.h"

#include <map>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include "base/error.h"

namespace perfsift::record {
namespace {

constexpr int messages = 5000;

void name_this(const char* name) { pthread_setname_np(pthread_self(), name); }

// Two threads on one CPU that wait for each other 5000 times.
void exchange_messages() {
  int there[2], back[2];
  ASSERT_EQ(pipe(there), 0);
  ASSERT_EQ(pipe(back), 0);
  const auto run = [](int in, int out, bool begins) {
    name_this("exchange");
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    sched_setaffinity(0, sizeof first, &first);
    char byte = 0;
    for (int i = 0; i < messages; ++i) {
      if (begins && write(out, &byte, 1) != 1) return;
      if (read(in, &byte, 1) != 1) return;
      if (!begins && write(out, &byte, 1) != 1) return;
    }
  };
  std::thread one(run, back[0], there[1], true), other(run, there[0], back[1], false);
  one.join();
  other.join();
  for (const int end : {there[0], there[1], back[0], back[1]}) close(end);
}

struct Measured {
  std::uint64_t waits = 0;
  double nanoseconds = 0;  // of a run of one of the programs
};

Measured measure(WaitPrograms& programs) {
  programs.attach();
  programs.start(programs.now());
  exchange_messages();
  programs.stop();
  Measured measured;
  for (const auto& [key, row] : programs.take_rows()) measured.waits += row.count;
  const wait_counts counts = programs.counts();
  EXPECT_GT(counts.switches, measured.waits);
  EXPECT_GT(counts.wakeups, measured.waits / 2);
  EXPECT_EQ(counts.left_out, 0u);
  const ProgramUse use = programs.use();
  EXPECT_GT(use.runs, counts.switches);
  measured.nanoseconds = static_cast<double>(use.nanoseconds) / static_cast<double>(use.runs);
  return measured;
}

// The programs of raw tracepoints, for kernels that refuse those with types, read each member by a call.
TEST(WaitPrograms, RawTracepointsMeasureWhatTypedOnesMeasure) {
  if (const std::string why = WaitPrograms::why_missing(); !why.empty())
    GTEST_SKIP() << "BPF programs cannot be loaded here: " << why;
  const WaitPlan plan{.comms = {"exchange"}, .count_programs = true};
  for (const auto tracepoints : {WaitPrograms::Tracepoints::typed, WaitPrograms::Tracepoints::raw}) {
    std::unique_ptr<WaitPrograms> programs;
    try {
      programs = WaitPrograms::load(plan, tracepoints);
    } catch (const Error& error) {
      GTEST_SKIP() << "BPF programs cannot be loaded here: " << error.what();
    }
    const Measured measured = measure(*programs);
    // Each message is a wait of the other thread; both are also preempted, wait to be joined, and begin.
    EXPECT_GE(measured.waits, 2 * messages * 95 / 100);
    EXPECT_LE(measured.waits, 2 * messages * 115 / 100);
    EXPECT_LT(measured.nanoseconds, 100'000);
    const bool is_raw = tracepoints == WaitPrograms::Tracepoints::raw;
    RecordProperty(is_raw ? "raw_nanoseconds" : "typed_nanoseconds", std::to_string(measured.nanoseconds));
  }
}

}  // namespace
}  // namespace perfsift::record
