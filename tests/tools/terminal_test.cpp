// The tests run on a pseudo-terminal.

#include "tools/terminal.h"

#include <cstdlib>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>

#include "base/owned.h"
#include "tests/support/temporary.h"
#include "tools/diagnostics.h"

namespace perfsift::tools {
namespace {

using std::chrono::milliseconds;

class Terminal : public ::testing::Test {
 protected:
  void SetUp() override {
    winsize size{};
    size.ws_col = 20;
    int outside = -1, inside = -1;
    ASSERT_EQ(openpty(&outside, &inside, nullptr, nullptr, &size), 0);
    outside_ = FileDescriptor(outside);
    inside_ = FileDescriptor(inside);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
  }

  // Expects the text written since the last call to be `expected`. The kernel delivers the text with some delay.
  void expect_seen(std::string_view expected) const {
    constexpr int patience_ms = 5000, silence_ms = 20;
    std::string seen;
    pollfd ready{.fd = outside_.get(), .events = POLLIN, .revents = 0};
    while (poll(&ready, 1, seen.size() < expected.size() ? patience_ms : silence_ms) == 1) {
      char buffer[1000];
      const ssize_t size = read(outside_.get(), buffer, sizeof buffer);
      if (size <= 0) break;
      seen.append(buffer, static_cast<std::size_t>(size));
    }
    EXPECT_EQ(seen, expected);
  }
  int fd() const { return inside_.get(); }

 private:
  FileDescriptor outside_, inside_;
};

TEST_F(Terminal, ProgressIsOneLineThatIsErasedAtTheEnd) {
  Progress progress(fd(), milliseconds(0));
  progress.show([] { return "reading: 5 %"; });
  expect_seen("\r\x1b[Kreading: 5 %");
  progress.end();
  expect_seen("\r\x1b[K");
  progress.show([] { return "too late"; });
  expect_seen("");
}

TEST_F(Terminal, ProgressThatGoesIsErasedToo) {
  {
    Progress(fd(), milliseconds(0)).show([] { return "x"; });
  }
  expect_seen("\r\x1b[Kx\r\x1b[K");
}

TEST_F(Terminal, NoProgressIsShownOfWhatIsQuick) {
  {
    Progress progress(fd(), milliseconds(10'000));
    progress.show([]() -> std::string { throw "not even made"; });
  }
  expect_seen("");
}

TEST_F(Terminal, ProgressIsNotDrawnMoreOftenThanAnybodySees) {
  Progress progress(fd(), milliseconds(0));
  int made = 0;
  for (int i = 0; i < 1000; ++i) progress.show([&] { return std::to_string(++made); });
  EXPECT_LT(made, 100);
}

TEST_F(Terminal, ALineThatDoesNotFitIsCutSoThatItCanBeErased) {
  Progress progress(fd(), milliseconds(0));
  progress.show([] { return std::string(100, 'x'); });
  expect_seen("\r\x1b[K" + std::string(19, 'x'));
}

TEST_F(Terminal, NothingIsShownOnADumbTerminal) {
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(Progress(fd(), milliseconds(0)).possible());
  EXPECT_FALSE(takes_colour(fd()));
}

TEST_F(Terminal, NothingIsShownInAFile) {
  const test::TemporaryDirectory directory;
  const FileDescriptor file(open(directory.write("f", "").c_str(), O_WRONLY));
  EXPECT_FALSE(Progress(file.get(), milliseconds(0)).possible());
  EXPECT_FALSE(takes_colour(file.get()));
}

TEST_F(Terminal, NoColorTurnsColourOffUnlessItIsEmpty) {
  EXPECT_TRUE(takes_colour(fd()));
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(takes_colour(fd()));
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(takes_colour(fd()));
  unsetenv("NO_COLOR");
}

TEST_F(Terminal, WarningsAreColouredAndWithNoColorPlain) {
  const FileDescriptor saved(dup(STDERR_FILENO));
  dup2(fd(), STDERR_FILENO);
  Diagnostics(false).warning("f", "text");
  setenv("NO_COLOR", "1", 1);
  Diagnostics(false).warning("f", "text");
  unsetenv("NO_COLOR");
  EXPECT_TRUE(Progress(false).possible());
  EXPECT_FALSE(Progress(true).possible());
  dup2(saved.get(), STDERR_FILENO);
  expect_seen("perfsift: \x1b[1;33mwarning:\x1b[0m f: text\r\nperfsift: warning: f: text\r\n");
}

}  // namespace
}  // namespace perfsift::tools
