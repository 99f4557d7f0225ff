// Tests perfsift symbolize from the command line to its output, on a program made by hand. The expected text is GNU
// addr2line's output.

#include <cstdio>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/owned.h"
#include "tests/support/dwarf_program.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using testing::HasSubstr;

class Symbolize : public testing::Test {
 protected:
  Outcome run(options::Arguments arguments) const {
    arguments.insert(arguments.end(), {"-e", program, "--debug-dir", directory.path()});
    return run_command("symbolize", arguments);
  }
  Outcome ask(const std::string& input, const options::Arguments& arguments) const {
    const std::string path = directory.write("input", input);
    const FileDescriptor saved(dup(STDIN_FILENO)), file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    dup2(file.get(), STDIN_FILENO);
    Outcome outcome = run(arguments);
    dup2(saved.get(), STDIN_FILENO);
    return outcome;
  }

  test::TemporaryDirectory directory;
  std::string program = directory.write("program", test::dwarf_program(5).elf());
};

TEST_F(Symbolize, TheInnermostPlaceIsTold) {
  EXPECT_EQ(run({"1014"}).out, "/src/a.c:30\n");
  EXPECT_EQ(run({"0x1014", "1004"}).out, "/src/a.c:30\n/src/a.c:1\n");
  EXPECT_EQ(run({"-s", "1014"}).out, "a.c:30\n");
  EXPECT_EQ(run({"-f", "1014"}).out, "innermost\n/src/a.c:30\n");
}

TEST_F(Symbolize, InlinedCallsFollowFromTheInnermostOutwards) {
  EXPECT_EQ(run({"-fi", "1014"}).out, "innermost\n/src/a.c:30\ninner\n/src/a.c:5\n_Z5outerv\n/src/a.c:12\n");
  EXPECT_EQ(run({"-fiCap", "1014"}).out,
            "0x0000000000001014: innermost at /src/a.c:30\n (inlined by) inner at /src/a.c:5\n (inlined by) outer() at "
            "/src/a.c:12\n");
  EXPECT_EQ(run({"-ia", "1004"}).out, "0x0000000000001004\n/src/a.c:1\n");
}

TEST_F(Symbolize, WhatIsUnknownHasQuestionMarks) {
  EXPECT_EQ(run({"5"}).out, "??:0\n");
  EXPECT_EQ(run({"-f", "5"}).out, "??\n??:0\n");
  EXPECT_EQ(run({"-fp", "5"}).out, "?? ??:0\n");
  EXPECT_EQ(run({"-fpa", "5"}).out, "0x0000000000000005: ?? ??:0\n");
}

TEST_F(Symbolize, AddressesMayCountFromASection) {
  EXPECT_EQ(run({"-a", "-j", ".text", "14"}).out, "0x0000000000000014\n/src/a.c:30\n");
  const Outcome outcome = run({"-j", ".nowhere", "14"});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("--section .nowhere"));
}

TEST_F(Symbolize, StandardInputIsAnsweredLineByLine) {
  const Outcome outcome = ask("1014\n0x1004\r\nnonsense\n\n1004", {});
  EXPECT_EQ(outcome.out, "/src/a.c:30\n/src/a.c:1\n??:0\n??:0\n/src/a.c:1\n");
  EXPECT_THAT(outcome.err, HasSubstr("line 3: 'nonsense' is not an address"));
  EXPECT_THAT(outcome.err, HasSubstr("2 lines of 5 are not addresses"));
  EXPECT_EQ(outcome.status, done);
}

TEST_F(Symbolize, JsonHasAllFrames) {
  using Json = nlohmann::json;
  const Outcome outcome = run({"--json", "1018", "5"});
  const std::size_t line = outcome.out.find('\n');
  EXPECT_EQ(Json::parse(outcome.out.substr(0, line)), Json::parse(R"json({"address": "0x1018", "frames": [
      {"function": "inner", "file": "/src/a.c", "line": 20, "inlined": true},
      {"function": "outer()", "symbol": "_Z5outerv", "file": "/src/a.c", "line": 12, "column": 7, "inlined": false}
    ]})json"));
  EXPECT_EQ(outcome.out.substr(line + 1), "{\"address\":\"0x5\",\"frames\":[]}\n");
}

TEST_F(Symbolize, WrongUsageIsSaid) {
  EXPECT_EQ(run({"10 04"}).status, wrong_usage);
  EXPECT_THAT(run({"xyz"}).err, HasSubstr("'xyz': not an address"));
  EXPECT_THAT(run_command("symbolize", {"1004"}).err, HasSubstr("-e FILE"));
  const Outcome outcome = run_command("symbolize", {"-e", "/nonexistent/program", "1004"});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("/nonexistent/program: the file is not on this machine"));
}

}  // namespace
}  // namespace perfsift::tools
