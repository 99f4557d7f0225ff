// perfsift top on a terminal: a pseudo-terminal gets what it writes, and says how it was left.

#include "tools/top/screen.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/page_size.h"
#include "symbolize/files/mapped_file.h"
#include "tests/record/live.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"
#include "tools/shorter_inputs.h"
#include "tools/top/interval_text.h"

namespace perfsift::tools::top_tests {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view left_screen = "\x1b[?1049l";

TEST(Screen, APageHasTheRowsOfTheTerminal) {
  EXPECT_EQ(page_of("a\nb\n", "keys", 4), "\x1b[Ha\x1b[K\r\nb\x1b[K\r\n\x1b[K\r\nkeys\x1b[J");
  EXPECT_EQ(page_of("a\nb\nc\nd\n", "keys\nmore", 2), "\x1b[Ha\x1b[K\r\nkeys\x1b[J");
}

TEST(Screen, TablesAndWhatStandsAroundThemFitIntoTheTerminal) {
  const IntervalSummary summary{.seconds = 2, .samples = 100};
  for (const std::size_t tables : {1u, 2u, 3u}) {
    std::vector<analysis::ReportTable> shown(tables);
    for (analysis::ReportTable& table : shown) {
      table.event_name = "cycles";
      for (int i = 0; i < 100; ++i) table.rows.push_back({.cells = {"f", "app"}, .self = {1, 1}, .total = {1, 1}});
    }
    const std::vector<std::string> notes{"lost: 3 samples"};
    const std::size_t rows = rows_that_fit(50, tables, notes.size());
    const std::string text = interval_text(summary, shown, {analysis::Key::symbol, analysis::Key::dso}, rows, notes,
                                           {.columns = 80, .colour = false, .unicode = false});
    const auto lines = std::ranges::count(text, '\n');
    EXPECT_LE(lines, 49);  // and the line of keys
    EXPECT_GT(lines, 49 - static_cast<std::ptrdiff_t>(tables) - 2);
  }
  EXPECT_EQ(rows_that_fit(5, 1, 0), 1u);
}

TEST(Screen, HostileNamesAndNumbersArePrintable) {
  analysis::ReportTable table{.event_name = "ev\x1b[2J", .unit = {}, .all = {7, 7}, .rows = {}};
  table.rows.push_back({.cells = {"f\n\x1b]0;title\x07", "app\x9b"}, .self = {7, 7}, .total = {7, 7}});
  const analysis::Keys keys{analysis::Key::symbol, analysis::Key::dso};
  const IntervalSummary summary{.seconds = 0.5, .samples = 7, .lost = 7, .left_out = 2, .own_cpu = 0.011};
  const std::string text = interval_text(summary, {table}, keys, 0, {}, {});
  EXPECT_THAT(text, HasSubstr("7 samples in 0.5 s (14/s), 7 lost (50.00 %), 2 left out"));
  EXPECT_THAT(text, HasSubstr("perfsift takes 1.1 % of a CPU"));
  EXPECT_THAT(text, AllOf(HasSubstr("f\\n\\x1b]0;title\\x07"), Not(HasSubstr("\x1b")), Not(HasSubstr("\x9b"))));
  const std::string json = interval_json(summary, {table}, keys, 0, {});
  EXPECT_EQ(std::ranges::count(json, '\n'), 1);
  const auto parsed = output::Json::parse(json);
  EXPECT_EQ(parsed["lost"], 7);
  EXPECT_EQ(parsed["events"][0]["rows"][0]["self"]["samples"], 7);
}

// perfsift top in a terminal of its own, which samples a process that is busy.
class TopOnTerminal {
 public:
  // `beside`: what the process of top does before.
  explicit TopOnTerminal(const std::function<void()>& beside = [] {})
      : busy_([] {
          while (true) test::fault(100), usleep(1000);
        }) {
    busy_.release();
    winsize size{.ws_row = 30, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    setenv("TERM", "xterm", 1);
    for (const int usual : {SIGINT, SIGTERM, SIGHUP}) std::signal(usual, SIG_DFL);
    end_at_shorter_inputs();
    beside();
    const options::Arguments words{"-e", "page-faults:u", "-c", "10", "-d", "100ms", "-p", std::to_string(busy_.pid())};
    _exit(with_errors_told([&] { return tools::run_command(*find_command("top"), words); }));
  }
  ~TopOnTerminal() {
    if (!ended_) kill(pid_, SIGKILL);
    if (!ended_) waitpid(pid_, nullptr, 0);
    close(terminal_);
  }

  void press(char key) { EXPECT_EQ(write(terminal_, &key, 1), 1); }
  void send(int number) { kill(pid_, number); }
  void resize(unsigned short rows) {
    winsize size{.ws_row = rows, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
    ioctl(terminal_, TIOCSWINSZ, &size);
  }
  // Reads what is written until a text comes, from now on.
  bool shows(std::string_view text) {
    for (std::string got; got.find(text) == std::string::npos;) {
      pollfd ready{.fd = terminal_, .events = POLLIN, .revents = 0};
      if (poll(&ready, 1, 60'000) <= 0) return false;
      char some[4096];
      const ssize_t size = read(terminal_, some, sizeof some);
      if (size <= 0) return false;
      got.append(some, static_cast<std::size_t>(size));
    }
    return true;
  }
  int status() {
    while (shows("nothing ever writes this")) {
    }
    int status = -1;
    waitpid(pid_, &status, 0);
    ended_ = true;
    return status;
  }
  bool takes_lines() const {
    termios settings{};
    tcgetattr(terminal_, &settings);
    return (settings.c_lflag & ICANON) != 0 && (settings.c_lflag & ECHO) != 0;
  }

 private:
  test::Child busy_;
  int terminal_ = -1;
  pid_t pid_ = -1;
  bool ended_ = false;
};

TEST(TopOnTerminal, KeysAreObeyedAndTheTerminalIsLeftAsItWas) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  TopOnTerminal top;
  ASSERT_TRUE(top.shows("q: quit  p: pause  z: sum up"));
  EXPECT_FALSE(top.takes_lines());
  top.press('z');
  EXPECT_TRUE(top.shows("z: the last interval alone"));
  top.press('p');
  EXPECT_TRUE(top.shows("paused"));
  top.press(' ');
  EXPECT_TRUE(top.shows("p: pause"));
  top.resize(12);
  EXPECT_TRUE(top.shows("\x1b[H"));
  top.press('q');
  EXPECT_TRUE(top.shows(left_screen));
  EXPECT_TRUE(top.takes_lines());
  EXPECT_EQ(top.status(), 0);
}

TEST(TopOnTerminal, SignalsLeaveTheTerminalAsItWas) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    TopOnTerminal top;
    ASSERT_TRUE(top.shows("q: quit"));
    top.send(number);
    EXPECT_TRUE(top.shows(left_screen)) << number;
    EXPECT_TRUE(top.takes_lines()) << number;
    EXPECT_EQ(top.status(), 0) << number;
  }
}

TEST(TopOnTerminal, ACrashLeavesTheTerminalAsItWas) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  TopOnTerminal top;
  ASSERT_TRUE(top.shows("q: quit"));
  top.send(SIGABRT);
  EXPECT_TRUE(top.shows(left_screen));
  EXPECT_TRUE(top.takes_lines());
  const int status = top.status();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << status;
}

// A program that runs is linked again while its names are read.
TEST(TopOnTerminal, AFileThatBecomesShorterIsReadAsZeros) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  const test::TemporaryDirectory folder;
  TopOnTerminal top([&] {
    const std::string file = folder.write("program", std::string(page_size(), 'x'));
    const auto mapped = symbolize::MappedFile::open(file);
    std::filesystem::resize_file(file, 0);
    std::thread([mapped, &folder] {
      usleep(300'000);  // by then top has its screen
      const auto zeros = std::ranges::count(mapped->bytes(), std::byte{0});
      folder.write("zeros", std::to_string(zeros));
    }).detach();
  });
  for (int page = 0; page < 15; ++page) ASSERT_TRUE(top.shows("q: quit"));  // one every 100 ms
  top.press('q');
  EXPECT_EQ(top.status(), 0);
  EXPECT_EQ(test::content_of(folder.path() / "zeros"), std::to_string(page_size()));
}

}  // namespace
}  // namespace perfsift::tools::top_tests
