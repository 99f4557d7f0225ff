// perf record's options, from record_options[] in tools/perf/builtin-record.c, and the cmdline in the output of `perf
// script --header`.
#include "reader/features/record_command.h"

#include <sstream>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift::reader {
namespace {

RecordCommand parsed(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> arguments;
  for (std::string argument; in >> argument;) arguments.push_back(argument);
  return parse_record_command(arguments);
}

TEST(RecordCommand, WithoutACommandLineNothingIsExcluded) {
  EXPECT_FALSE(parsed("").excludes_threads());
  EXPECT_FALSE(parsed("/usr/bin/perf record").excludes_threads());
}

TEST(RecordCommand, ProcessesOrThreadsAreNamedInFourWays) {
  for (const char* option : {"-p 5", "-p5", "-t 5", "--pid 5", "--pid=5", "--tid 5", "-gp 5"})
    EXPECT_TRUE(parsed("/usr/bin/perf record " + std::string(option)).excludes_threads()) << option;
}

TEST(RecordCommand, AllCpusWin) {
  for (const char* option : {"-a", "--all-cpus", "-ag", "-ga"}) {
    EXPECT_TRUE(parsed("/usr/bin/perf record " + std::string(option)).all_cpus) << option;
    EXPECT_FALSE(parsed("/usr/bin/perf record -p 5 " + std::string(option)).excludes_threads()) << option;
  }
  EXPECT_TRUE(parsed("/usr/bin/perf sched record -m 1024").all_cpus);
}

TEST(RecordCommand, ValuesAreNotOptions) {
  EXPECT_FALSE(parsed("/usr/bin/perf record -edata -C0-3 -F99 -oatp.data").all_cpus);
  EXPECT_FALSE(parsed("/usr/bin/perf record -e cpu-cycles -oatp.data --switch-events").some_threads);
}

TEST(RecordCommand, ArgumentsOfTheProgramAreNotPerfs) {
  const auto command = parsed("/usr/bin/perf record -g -- sched -a -p 5");
  EXPECT_FALSE(command.all_cpus);
  EXPECT_FALSE(command.some_threads);
}

}  // namespace
}  // namespace perfsift::reader
