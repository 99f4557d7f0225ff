// Scheduler recordings with one changed byte. The times of each thread must add up, even if switches are damaged.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/instrumented.h"
#include "tests/support/sched_recording.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using test::millisecond;

test::SchedRecording some_switches() {
  test::SchedRecording in;
  in.comm_at(1, 7, "server").fork_at(2, 9, 7).switch_at(10 * millisecond, 7, test::S, 8);
  in.waking_at(13 * millisecond, 8, 7).switch_at(14 * millisecond, 8, test::preempted, 7);
  in.switch_record_at(15 * millisecond, 7, true).lost_at(16 * millisecond, 3);
  in.switch_at(20 * millisecond, 7, test::X, 9).switch_at(21 * millisecond, 9, test::D, 8);
  return in;
}

// With sanitizers, a run takes five times as long. No size of a field is a multiple of 5.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t between_changes = 5;
#else
constexpr std::size_t between_changes = 1;
#endif

TEST(OffcpuOfDamaged, TimesOfEachThreadAddUpWhicheverByteIsChanged) {
  const test::TemporaryDirectory directory;
  const std::vector<std::byte> whole = some_switches().bytes();
  std::size_t tried = 0, told = 0;
  for (std::size_t at = 0; at < whole.size(); at += between_changes, ++tried) {
    std::vector<std::byte> changed = whole;
    changed[at] = ~changed[at];
    const Outcome outcome = run_command("offcpu", {"-q", "--json", directory.write("changed.data", Bytes(changed))});
    if (outcome.out.empty()) continue;  // not a recording
    ++told;
    const auto report = nlohmann::json::parse(outcome.out);
    for (const auto& thread : report["threads"]) {
      std::uint64_t sum = 0;
      for (const auto& time : thread["times"]) sum += time.get<std::uint64_t>();
      ASSERT_EQ(sum, thread["observed"]) << "byte " << at << ": " << thread;
      ASSERT_LE(sum, report["end"].get<std::uint64_t>() - report["start"].get<std::uint64_t>()) << "byte " << at;
    }
  }
  EXPECT_GT(told, tried / 2);
}

}  // namespace
}  // namespace perfsift::tools
