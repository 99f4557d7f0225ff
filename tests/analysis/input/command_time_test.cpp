#include "analysis/input/command_time.h"

#include <gmock/gmock.h>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"

namespace perfsift::analysis {
namespace {

using reader::RecordType;
using ::testing::Optional;

constexpr std::uint16_t exec = 1 << 13;  // PERF_RECORD_MISC_COMM_EXEC

// A recording in which process 7 runs the command.
class CommandTime : public ::testing::Test {
 protected:
  CommandTime() { in_.timed_event().round(); }

  void exec_at(std::uint64_t time, std::uint32_t pid) {
    in_.record_at(time, RecordType::comm, in_.bytes().u32(pid).u32(pid).padded("command"), exec);
  }
  void exit_at(std::uint64_t time, std::uint32_t pid, std::uint32_t tid) {
    in_.record_at(time, RecordType::exit, in_.bytes().u32(pid).u32(1).u32(tid).u32(1).u64(time));
  }
  std::optional<std::uint64_t> time() const {
    const test::TemporaryDirectory folder;
    return command_time(*reader::Recording::open(folder.write("perf.data", in_.file())));
  }

  test::RecordingBuilder in_;
};

TEST_F(CommandTime, IsFromTheExecToTheEndOfTheProcess) {
  exec_at(100, 7);
  exit_at(150, 7, 8);  // a thread
  exec_at(160, 9);     // a program that the command starts
  exit_at(170, 9, 9);
  exit_at(250, 7, 7);
  EXPECT_THAT(time(), Optional(150u));
}

// perf writes the buffers of the CPUs one after the other, so records are in the order of time on each CPU only.
TEST_F(CommandTime, NeedsNoOrder) {
  exit_at(250, 7, 7);
  exec_at(160, 9);
  exec_at(100, 7);
  EXPECT_THAT(time(), Optional(150u));
}

TEST_F(CommandTime, IsNotToTheEndOfAnEarlierProcessWithTheNumber) {
  exit_at(50, 7, 7);
  exec_at(100, 7);
  exit_at(250, 7, 7);
  EXPECT_THAT(time(), Optional(150u));
}

TEST_F(CommandTime, IsUnknownWithoutTheExecOrTheEnd) {
  EXPECT_EQ(time(), std::nullopt);
  exec_at(100, 7);
  EXPECT_EQ(time(), std::nullopt);
}

}  // namespace
}  // namespace perfsift::analysis
