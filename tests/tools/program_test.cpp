#include "tools/program.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>

#include "tests/support/paths.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Outcome perfsift(const options::Arguments& arguments) {
  return outcome_of([&] { return run_program(arguments); });
}

TEST(Program, WithoutArgumentsListsTheCommandsAsWrongUsage) {
  const Outcome outcome = perfsift({});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_EQ(outcome.out, perfsift({"--help"}).out);
}

TEST(Program, HelpListsEveryCommandWithItsSummary) {
  for (const char* const asked : {"--help", "-h", "help"}) {
    const Outcome outcome = perfsift({asked});
    EXPECT_EQ(outcome.status, done);
    for (const Command* const command : commands()) {
      EXPECT_THAT(outcome.out, HasSubstr("\n  " + std::string(command->name) + " "));
      EXPECT_THAT(outcome.out, HasSubstr(std::string(command->summary) + "\n"));
    }
  }
}

TEST(Program, HelpOfACommandIsThatOfItsOption) {
  for (const Command* const command : commands()) {
    const std::string name(command->name);
    const Outcome outcome = perfsift({"help", name});
    EXPECT_EQ(outcome.status, done);
    EXPECT_THAT(outcome.out, StartsWith("Usage: perfsift " + name));
    EXPECT_EQ(outcome.out, perfsift({name, "--help"}).out);
    EXPECT_EQ(outcome.out, perfsift({name, "-h"}).out);
  }
}

TEST(Program, HelpOfWhatIsNoCommandIsAnsweredAsTheCommandIs) {
  EXPECT_EQ(perfsift({"help", "flod"}).err,
            "perfsift: 'flod': no such command, and no such file; did you mean `perfsift fold`?\n");
  EXPECT_THAT(perfsift({"help", "kmem"}).err, HasSubstr("use `perfsift report -e 'kmem:*'`"));
  EXPECT_EQ(perfsift({"help", "fold", "flame"}).status, wrong_usage);
}

TEST(Program, AMisspeltCommandGetsTheNearestName) {
  EXPECT_THAT(perfsift({"reprot"}).err, HasSubstr("did you mean `perfsift report`?"));
  EXPECT_THAT(perfsift({"scrpt"}).err, HasSubstr("did you mean `perfsift script`?"));
  EXPECT_THAT(perfsift({"hepl"}).err, HasSubstr("did you mean `perfsift help`?"));
  EXPECT_THAT(perfsift({"xylophone"}).err, HasSubstr("`perfsift --help` lists the commands"));
}

TEST(Program, AnOptionInFrontOfTheCommandIsRefused) {
  const Outcome outcome = perfsift({"--sort", "dso"});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, StartsWith("perfsift: '--sort': options follow the command or the file;"));
}

TEST(Program, ANameWithControlCharactersIsEscaped) {
  EXPECT_THAT(perfsift({"\x1b[31m\nx"}).err, StartsWith("perfsift: '\\x1b[31m\\nx': no such command"));
}

TEST(Program, AFileWithTheNameOfAForeignCommandIsAFile) {
  const test::TemporaryDirectory directory;
  const std::string here = std::filesystem::current_path();
  std::filesystem::copy(test::source_path("testdata/demo.data"), directory.path() / "archive");
  std::filesystem::current_path(directory.path());
  const Outcome outcome = perfsift({"archive", "--no-cache", "-q"});
  std::filesystem::current_path(here);
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("563 samples"));
}

TEST(Program, StandardInputIsAFile) { EXPECT_THAT(perfsift({"-", "--nonsense"}).err, HasSubstr("--nonsense")); }

}  // namespace
}  // namespace perfsift::tools
