#include "symbolize/search/live_process.h"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/emulated.h"

namespace perfsift::symbolize {
namespace {

// A copy of this process in its own mount namespace, where the system permits this.
class LiveProcess : public testing::Test {
 protected:
  void SetUp() override {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      const char done = unshare(CLONE_NEWNS) == 0 ? 'y' : 'n';
      if (write(ready[1], &done, 1) == 1) pause();
      _exit(0);
    }
    char done = 'n';
    const bool told = read(ready[0], &done, 1) == 1;
    close(ready[0]);
    close(ready[1]);
    if (!told || done != 'y') GTEST_SKIP() << "no mount namespace can be made here";
    binary_.same_kernel = true;
    binary_.mapper = {.pid = child_, .address = code_address()};
  }
  void TearDown() override { end_child(); }

  void end_child() {
    if (child_ <= 0) return;  // kill(-1) would signal all processes
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }

  static std::uint64_t code_address() { return reinterpret_cast<std::uint64_t>(&_exit); }
  std::string root_of_child() const { return "/proc/" + std::to_string(child_) + "/root"; }

  pid_t child_ = -1;
  Binary binary_;
  SymbolizeOptions options_;
};

TEST_F(LiveProcess, InAnotherMountNamespaceHasFilesOfItsOwn) {
  if (test::emulated()) GTEST_SKIP() << "under an emulator";
  EXPECT_EQ(foreign_root(binary_, options_), root_of_child());
}

TEST_F(LiveProcess, InOurMountNamespaceHasOurFiles) {
  binary_.mapper.pid = getpid();
  EXPECT_EQ(foreign_root(binary_, options_), "");
}

TEST_F(LiveProcess, WithoutCodeWhereItWasRecordedIsAnotherOne) {
  int no_code = 0;
  binary_.mapper.address = reinterpret_cast<std::uint64_t>(&no_code);
  EXPECT_EQ(foreign_root(binary_, options_), "");
  binary_.mapper.address = 0x10;
  EXPECT_EQ(foreign_root(binary_, options_), "");
}

TEST_F(LiveProcess, InAnotherNamespaceThanRecordedIsAnotherOne) {
  if (test::emulated()) GTEST_SKIP() << "under an emulator";
  struct stat namespace_of_child;
  ASSERT_EQ(stat(("/proc/" + std::to_string(child_) + "/ns/mnt").c_str(), &namespace_of_child), 0);
  binary_.mapper.mount_namespace = namespace_of_child.st_ino;
  EXPECT_EQ(foreign_root(binary_, options_), root_of_child());
  binary_.mapper.mount_namespace += 1;
  EXPECT_EQ(foreign_root(binary_, options_), "");
}

TEST_F(LiveProcess, IsNotLookedAtForRecordingsOfElsewhere) {
  options_.symfs = "/somewhere";
  EXPECT_EQ(foreign_root(binary_, options_), "");
  options_.symfs = "";
  binary_.same_kernel = false;
  EXPECT_EQ(foreign_root(binary_, options_), "");
}

TEST_F(LiveProcess, ThatHasEndedHasNoFiles) {
  end_child();
  EXPECT_EQ(foreign_root(binary_, options_), "");
}

TEST(InnerPid, IsThePidItselfOutsideOfContainers) {
  EXPECT_EQ(inner_pid(getpid()), getpid());
  EXPECT_EQ(inner_pid(-5), -5) << "no such process";
}

}  // namespace
}  // namespace perfsift::symbolize
