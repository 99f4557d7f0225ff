// A command must not overwrite its input, and must not write a file twice.

#include "output/files/run_files.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "tests/support/full_recording.h"
#include "tests/support/sched_recording.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

class RunFilesOfCommand : public testing::Test {
 protected:
  RunFilesOfCommand() : input_(test::SchedRecording().switch_at(100, 7, test::S, 8).write(directory_)) {}

  std::string path(const std::string& name) const { return directory_.path() / name; }

  // Expects a usage error and an unchanged file.
  void expect_refused(std::string_view command, const options::Arguments& arguments, const std::string& kept,
                      const std::string& why = "is read") {
    const std::string before = bytes_of(kept);
    const Outcome outcome = run_command(command, arguments);
    EXPECT_EQ(outcome.status, wrong_usage) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(bytes_of(kept), before);
  }

  test::TemporaryDirectory directory_;
  const std::string input_;
};

TEST_F(RunFilesOfCommand, TheRecordingIsNoOutput) {
  expect_refused("fold", {input_, "-o", input_}, input_);
  expect_refused("fold", {input_, "-o", input_, "--compat", "flamegraph"}, input_);
  expect_refused("offcpu", {input_, "-o", input_}, input_);
  expect_refused("offcpu", {input_, "--csv", input_}, input_);
  expect_refused("offcpu", {input_, "--live", "--prometheus", input_}, input_);
  expect_refused("offcpu", {input_, "--spikes-over", "1ms", "--cut-to", input_}, input_);
  expect_refused("filter", {input_, "-o", input_}, input_);
}

TEST_F(RunFilesOfCommand, LinksAreTheFilesTheyLeadTo) {
  fs::create_symlink(input_, path("symbolic"));
  fs::create_hard_link(input_, path("hard"));
  expect_refused("fold", {input_, "-o", path("symbolic")}, input_);
  expect_refused("fold", {path("symbolic"), "-o", path("hard")}, input_);
  expect_refused("fold", {input_, "-o", directory_.path() / "." / "perf.data"}, input_);
}

TEST_F(RunFilesOfCommand, OtherFilesThatAreReadAreNoOutputs) {
  const std::string list = directory_.write("list", std::string_view(input_ + "\n"));
  const std::string expression = directory_.write("expression", std::string_view("pid == 7"));
  const std::string kallsyms = directory_.write("kallsyms", std::string_view("ffffffff81000000 T _text\n"));
  expect_refused("fold", {"--files-from", list, "-o", list}, list);
  expect_refused("fold", {input_, "--filter-file", expression, "-o", expression}, expression);
  expect_refused("offcpu", {input_, "--kallsyms", kallsyms, "-o", kallsyms}, kallsyms);
  const std::string idle = directory_.write("idle", std::string_view("comm func\n"));
  expect_refused("offcpu", {input_, "--idle-list", idle, "--csv", idle}, idle);
  const std::string key = directory_.write("key", std::string_view("0123456789abcdef"));
  expect_refused("filter", {input_, "--anonymize", "--anonymize-key", key, "-o", key}, key);
}

TEST_F(RunFilesOfCommand, FilesOfADirectoryRecordingAreNoOutputs) {
  const std::string data = directory_.write("threads/data", std::string_view("PERFILE2"));
  const std::string part = directory_.write("threads/data.1", std::string_view("records"));
  expect_refused("fold", {path("threads"), "-o", part}, part);
  expect_refused("offcpu", {path("threads"), "--csv", data}, data);
}

TEST_F(RunFilesOfCommand, CodeIsNoOutput) {
  const std::string program = directory_.write("server", std::string_view("\x7f"
                                                                          "ELF and more"));
  expect_refused("fold", {input_, "-o", program}, program, "is a program");
}

TEST_F(RunFilesOfCommand, TwoOutputsAreTwoFiles) {
  const std::string both = path("both");
  expect_refused("offcpu", {input_, "-o", both, "--csv", both}, input_, "two outputs");
  expect_refused("offcpu", {input_, "-o", both, "--csv", directory_.path() / "." / "both"}, input_, "two outputs");
  expect_refused("offcpu", {input_, "--spikes-over", "1ms", "--cut-to", path("cut%n"), "--csv", path("cut12")}, input_,
                 "two outputs");
  EXPECT_FALSE(fs::exists(both));
}

TEST_F(RunFilesOfCommand, NumberedOutputsAreNoInputs) {
  const std::string numbered = path("spike3.data");
  fs::rename(input_, numbered);
  expect_refused("offcpu", {numbered, "--spikes-over", "1ms", "--cut-to", path("spike%n.data")}, numbered);
}

TEST_F(RunFilesOfCommand, StandardOutputThatIsAppendedToTheRecordingIsRefused) {
  const std::string before = bytes_of(input_);
  const int saved = dup(STDOUT_FILENO);
  for (const std::string_view command : {"fold", "info", "script", "offcpu"}) {
    const int appended = open(input_.c_str(), O_WRONLY | O_APPEND);
    dup2(appended, STDOUT_FILENO);
    close(appended);
    testing::internal::CaptureStderr();
    const int status = tools::with_errors_told([&] { return run_command(*find_command(command), {input_}); });
    const std::string error = testing::internal::GetCapturedStderr();
    dup2(saved, STDOUT_FILENO);
    EXPECT_EQ(status, wrong_usage);
    EXPECT_THAT(error, HasSubstr("standard output: is read"));
  }
  close(saved);
  EXPECT_EQ(bytes_of(input_), before);
}

TEST_F(RunFilesOfCommand, DevicesMayBeReadAndWritten) {
  EXPECT_EQ(run_command("fold", {input_, "-o", "/dev/null"}).status, done);
  EXPECT_EQ(run_command("offcpu", {input_, "-o", "/dev/null", "--csv", "/dev/null"}).status, done);
}

TEST_F(RunFilesOfCommand, RecordingsHaveTheModeOfTheirInput) {
  for (const mode_t mode : {0600, 0640}) {
    chmod(input_.c_str(), mode);
    const std::string whole = path("whole." + std::to_string(mode));
    const std::string cut = path("cut." + std::to_string(mode));
    EXPECT_EQ(run_command("filter", {input_, "-o", whole}).status, done);
    EXPECT_EQ(run_command("offcpu", {input_, "--spikes-over", "1us", "--cut-to", cut}).status, done);
    EXPECT_EQ(mode_of(whole), mode);
    EXPECT_EQ(mode_of(cut), mode);
  }
}

// perf record -o - writes into a pipe.
TEST_F(RunFilesOfCommand, RecordingsOfStreamsAreTheirOwnersAlone) {
  const std::string stream = path("stream");
  ASSERT_EQ(mkfifo(stream.c_str(), 0644), 0);
  std::jthread writer([&] {
    const auto bytes = test::full_recording().pipe();
    std::ofstream(stream, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  });
  EXPECT_EQ(run_command("filter", {stream, "-o", path("out.data")}).status, done);
  EXPECT_EQ(mode_of(path("out.data")), 0600u);
}

// A dlfilter module does not know perf's input, but perf has the input open.
TEST(RunFiles, WhatTheProcessHasOpenIsRead) {
  test::TemporaryDirectory directory;
  const std::string path = directory.write("perf.data", std::string_view("PERFILE2"));
  const int opened = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_THROW(output::check_output_of_module(path), UsageError);
  close(opened);
  EXPECT_NO_THROW(output::check_output_of_module(path));
}

}  // namespace
}  // namespace perfsift::tools
