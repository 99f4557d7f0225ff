#include "tools/record/control.h"

#include <array>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "tests/support/temporary.h"

namespace perfsift::tools {
namespace {

class ControlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mkfifo(commands_.c_str(), 0600), 0);
    ASSERT_EQ(mkfifo(acks_.c_str(), 0600), 0);
  }
  void say(const std::string& text) const {
    const FileDescriptor pipe(open(commands_.c_str(), O_WRONLY));
    ASSERT_EQ(write(pipe.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  test::TemporaryDirectory directory_;
  std::string commands_ = directory_.path() / "commands", acks_ = directory_.path() / "acks";
};

using Command = Control::Command;

TEST_F(ControlTest, EachLineIsACommand) {
  Control control("fifo:" + commands_);
  EXPECT_EQ(control.next(), std::nullopt);
  say("enable\ndisable\nsnap");
  EXPECT_EQ(control.next(), Command::enable);
  EXPECT_EQ(control.next(), Command::disable);
  EXPECT_EQ(control.next(), std::nullopt);
  say("shot\nping\nnonsense\nstop\n");  // by another writer
  EXPECT_EQ(control.next(), Command::snapshot);
  EXPECT_EQ(control.next(), Command::ping);
  EXPECT_EQ(control.next(), Command::unknown);
  EXPECT_EQ(control.next(), Command::stop);
}

TEST_F(ControlTest, ACommandIsAcknowledged) {
  Control control(fmt::format("fifo:{},{}", commands_, acks_));
  const FileDescriptor answers(open(acks_.c_str(), O_RDONLY | O_NONBLOCK));
  control.acknowledge();
  std::array<char, 8> text{};
  EXPECT_EQ(read(answers.get(), text.data(), text.size()), 4);
  EXPECT_STREQ(text.data(), "ack\n");
}

TEST_F(ControlTest, AnAnswerThatNobodyReadsDoesNotBlock) {
  Control control(fmt::format("fifo:{},{}", commands_, acks_));
  for (int i = 0; i < 100'000; ++i) control.acknowledge();
}

TEST_F(ControlTest, AnEndlessLineIsNoCommandAndTakesNoMemory) {
  Control control("fifo:" + commands_);
  say(std::string(20'000, 'x') + "\nstop\n");
  std::optional<Command> last;
  while (const auto command = control.next()) last = command;
  EXPECT_EQ(last, Command::stop);
}

TEST_F(ControlTest, WrongTextsAreRefused) {
  EXPECT_THROW(Control("pipe:x"), UsageError);
  EXPECT_THROW(Control("fifo:"), UsageError);
  EXPECT_THROW(Control("fd:999"), UsageError);
  EXPECT_THROW(Control("fifo:" + directory_.write("file", "")), UsageError);
  EXPECT_THROW(Control("fifo:/nonexistent"), Error);
}

}  // namespace
}  // namespace perfsift::tools
