#include "record/workload.h"

#include <cerrno>
#include <csignal>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "tests/support/temporary.h"

namespace perfsift::record {
namespace {

using ::testing::HasSubstr;

int status_at_the_end(Workload& workload) {
  std::optional<int> status;
  while (!(status = workload.status())) {
    if (workload.end_fd() < 0) continue;
    pollfd end{workload.end_fd(), POLLIN, 0};
    poll(&end, 1, -1);
  }
  return *status;
}

TEST(Workload, ExitStatusIsKept) {
  Workload workload({"sh", "-c", "exit 7"});
  workload.execute();
  const int status = status_at_the_end(workload);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(workload.status(), status);
}

TEST(Workload, ProgramRunsOnlyAfterExecute) {
  const test::TemporaryDirectory folder;
  const std::string file = folder.path() / "ran";
  {
    Workload never({"touch", file});
    EXPECT_EQ(never.status(), std::nullopt);
  }
  EXPECT_NE(access(file.c_str(), F_OK), 0);
  Workload workload({"touch", file});
  workload.execute();
  EXPECT_EQ(status_at_the_end(workload), 0);
  EXPECT_EQ(access(file.c_str(), F_OK), 0);
}

TEST(Workload, ProgramThatDoesNotExistIsAUsageErrorWithTheReason) {
  Workload workload({"/no/such/program"});
  try {
    workload.execute();
    FAIL() << "the program was executed";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "/no/such/program: cannot be executed: No such file or directory");
  }
}

TEST(Workload, FileThatMayNotBeExecutedIsAUsageError) {
  Workload workload({"/etc/passwd"});
  EXPECT_THROW(workload.execute(), UsageError);
}

TEST(Workload, SignalsReachTheProgram) {
  Workload workload({"sleep", "1000"});
  workload.execute();
  workload.signal(SIGUSR1);
  const int status = status_at_the_end(workload);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGUSR1);
}

TEST(Workload, ProgramHasNoBlockedSignals) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  Workload workload({"sh", "-c", "grep -q '^SigBlk:.0000000000000000$' /proc/self/status"});
  workload.execute();
  sigprocmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(status_at_the_end(workload), 0);
}

TEST(Workload, NoChildIsLeft) {
  const test::TemporaryDirectory folder;
  const std::string ignores = folder.path() / "ignores";
  std::int32_t pid = 0;
  {
    Workload workload({"sh", "-c", "trap '' TERM; : > \"$0\"; while :; do :; done", ignores});
    workload.execute();
    pid = workload.pid();
    while (access(ignores.c_str(), F_OK) != 0) sched_yield();
  }
  EXPECT_EQ(waitpid(pid, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Workload, ChildThatWasKilledWhileItWaitedIsNoError) {
  Workload workload({"true"});
  kill(workload.pid(), SIGKILL);
  const int status = status_at_the_end(workload);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_NO_THROW(workload.execute());
}

}  // namespace
}  // namespace perfsift::record
