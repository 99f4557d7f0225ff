// perfsift dlfilter.

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/paths.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string dlfilter_path(const std::string& name) {
  return test::build_path("tests/dlfilters/dlfilter_" + name + ".so");
}

const std::string demo_recording = test::source_path("testdata/demo.data");

Outcome run(options::Arguments arguments) { return run_command("dlfilter", arguments); }

Outcome test_told(const std::string& order) {
  return run({"test", "--dlarg", order, dlfilter_path("misbehaving"), demo_recording});
}

TEST(DlfilterCommand, ListsTheFiltersOfAFolder) {
  const test::TemporaryDirectory folder;
  std::filesystem::copy_file(dlfilter_path("api_v0_on_v0"), folder.path() / "first.so");
  std::filesystem::copy_file(dlfilter_path("misbehaving"), folder.path() / "second.so");
  folder.write("broken.so", std::string_view("no shared object"));
  folder.write("other.txt", std::string_view("x"));
  const Outcome outcome = run({"list", "-v", folder.path()});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("List of available dlfilters:\n  broken.so                            dlfilter "));
  EXPECT_THAT(outcome.out, HasSubstr("  first.so                             tests the interface\n"
                                     "                                       It knows what it will be given.\n"
                                     "                                       And refuses everything else.\n"
                                     "  second.so                            \n"));
}

TEST(DlfilterCommand, SaysWhatAFilterIs) {
  EXPECT_EQ(run({"info", dlfilter_path("api_v1_on_v1")}).out,
            "file          " + dlfilter_path("api_v1_on_v1") +
                "\n"
                "description   tests the interface\n"
                "              It knows what it will be given.\n"
                "              And refuses everything else.\n"
                "entry points  start, filter_event_early, filter_event, stop, filter_description\n"
                "table         perf_dlfilter_fns, 1024 bytes\n");
}

TEST(DlfilterCommand, SaysWhatPerfWouldNotFind) {
  const Outcome outcome = run({"info", dlfilter_path("unexported")});
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("problem       filter_event has a C++ name, so that perf does not find it: declare it "
                      "extern \"C\"\n"),
            HasSubstr("problem       perf_dlfilter_fns is hidden: perf does not find it\n"), Not(HasSubstr("start"))));
}

TEST(DlfilterCommand, CannotSayWhatAFileThatIsNoFilterIs) {
  const Outcome outcome = run({"info", demo_recording});
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("invalid ELF header"));
}

// 563 is the count of `perf script -i demo.data | grep -c cpu-clock`.
TEST(DlfilterCommand, FindsNothingWrongWithAFilterThatIsWellMade) {
  const Outcome outcome = test_told("nothing");
  EXPECT_EQ(outcome.status, done);
  for (const char* const version : {"5.14", "6.0", "6.6"}) {
    EXPECT_THAT(outcome.out, HasSubstr(std::string("ok       with perf ") + version + ": 563 samples, 563 kept, "));
  }
  EXPECT_THAT(outcome.out, HasSubstr("ok       stop() without start(): survived\n"));
}

TEST(DlfilterCommand, FindsWhatPerfDoesNotCheck) {
  const auto finds = [](const std::string& order, const std::string& problem) {
    const Outcome outcome = test_told(order);
    EXPECT_EQ(outcome.status, check_failed) << order;
    EXPECT_THAT(outcome.out, HasSubstr("PROBLEM  with perf 6.6: " + problem)) << order;
  };
  finds("crash", "crashed: Aborted\n");
  finds("ask in start", "resolve_ip() was called 1 times where it does not answer");
  finds("null pointers", "insn() was called 563 times with a null pointer\n");
  finds("odd size", "resolve_address() was called 563 times with a location whose size is of no version\n");
  finds("no cleanup", "563 of 563 locations of resolve_address() were not given to al_cleanup(): perf leaks them\n");
  finds("throw", "dlfilter " + dlfilter_path("misbehaving") + ": filter_event() let an exception out: thrown\n");
  finds("start fails", "dlfilter " + dlfilter_path("misbehaving") + ": start() returned 7\n");
}

TEST(DlfilterCommand, FindsMembersThatOldVersionsDoNotHave) {
  const Outcome outcome = test_told("read machine_pid");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("PROBLEM  with perf 5.14: "), HasSubstr("ok       with perf 6.0: ")));
}

TEST(DlfilterCommand, FindsTablesOnWhichPerfCrashes) {
  EXPECT_THAT(run({"test", dlfilter_path("const_table"), demo_recording}).out,
              HasSubstr("PROBLEM  entry points: perf_dlfilter_fns cannot be written to: it must not be const\n"));
  EXPECT_THAT(run({"test", dlfilter_path("unexported"), demo_recording}).out,
              HasSubstr("PROBLEM  entry points: it has neither filter_event nor filter_event_early\n"));
}

TEST(DlfilterCommand, SaysItsFormsWhenItDoesNotUnderstand) {
  EXPECT_EQ(run({"tset", "x.so"}).status, wrong_usage);
  EXPECT_EQ(run({"info"}).status, wrong_usage);
}

}  // namespace
}  // namespace perfsift::tools
