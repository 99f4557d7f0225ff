// What doctor says about names, perf and room, and how its lines are printed.

#include <chrono>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"
#include "tools/doctor/naming_findings.h"
#include "tools/doctor/program_findings.h"

namespace perfsift::tools::diagnosing {  // a unity build compiles other tests in the same file
namespace {

using record::Finding;
using record::Health;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class MadeMachine {
 public:
  void write(const std::string& name, std::string_view text) const { folder_.write(name, text); }
  std::string path() const { return folder_.path().string(); }

  Finding finding(std::string_view subject) const {
    symbolize::SymbolizeOptions options;
    options.symfs = path();
    for (Finding& each : naming_findings({.proc = path() + "/proc", .sysfs = path() + "/sys"}, options, false))
      if (each.subject == subject) return each;
    ADD_FAILURE() << "no line about " << subject;
    return {};
  }

 private:
  test::TemporaryDirectory folder_;
};

TEST(NamingFindings, KernelSymbolsNeedAddresses) {
  const MadeMachine machine;
  EXPECT_EQ(machine.finding("kernel symbols").health, Health::no);
  EXPECT_THAT(machine.finding("kernel symbols").fact, HasSubstr("cannot be read"));

  machine.write("proc/sys/kernel/kptr_restrict", "1\n");
  machine.write("proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T _stext\n");
  EXPECT_EQ(machine.finding("kernel symbols").health, Health::no);
  EXPECT_THAT(machine.finding("kernel symbols").fact, HasSubstr("kernel.kptr_restrict is 1"));
  EXPECT_THAT(machine.finding("kernel symbols").remedy, HasSubstr("sysctl kernel.kptr_restrict=0"));

  machine.write("proc/kallsyms", "ffffffff81000000 T _text\nffffffff81000010 T _stext\n");
  EXPECT_EQ(machine.finding("kernel symbols").health, Health::ok);
  EXPECT_THAT(machine.finding("kernel symbols").fact, HasSubstr("2 symbols"));
}

TEST(NamingFindings, ABareRootHasNothing) {
  const MadeMachine machine;
  EXPECT_EQ(machine.finding("kernel lines").health, Health::limited);
  EXPECT_EQ(machine.finding("kernel types").health, Health::limited);
  EXPECT_EQ(machine.finding("libraries").health, Health::limited);
}

TEST(NamingFindings, BtfIsThere) {
  const MadeMachine machine;
  machine.write("sys/kernel/btf/vmlinux", "BTF");
  EXPECT_EQ(machine.finding("kernel types").health, Health::ok);
}

TEST(NamingFindings, ALibraryThatIsNoElfFileHasNoRules) {
  const MadeMachine machine;
  machine.write("usr/lib64/libc.so.6", "/* GNU ld script */");
  EXPECT_EQ(machine.finding("frame pointers").health, Health::limited);
  EXPECT_THAT(machine.finding("frame pointers").fact, HasSubstr("not known"));
  EXPECT_EQ(machine.finding("unwinding rules").health, Health::no);
  EXPECT_EQ(machine.finding("debug files").health, Health::limited);
}

TEST(ProgramFindings, PerfsTrapsFollowFromItsVersion) {
  const auto meaning = [](const char* text, const char* release) {
    return perf_finding({.said = text}, release).meaning;
  };
  EXPECT_THAT(meaning("perf version 5.10.1\n", "5.10.0"), HasSubstr("loads no dlfilters"));
  EXPECT_THAT(meaning("perf version 5.14\n", "5.14.0"), Not(HasSubstr("loads no dlfilters")));
  EXPECT_THAT(meaning("perf version 6.1.192\n", "6.1.0-40-amd64"), HasSubstr("--keep"));
  EXPECT_THAT(meaning("perf version 6.1.192\n", "6.1.0-40-amd64"), Not(HasSubstr("6.18")));
  EXPECT_THAT(meaning("perf version 6.1.192\n", "6.18.1"), HasSubstr("--no-buildid-mmap"));
  EXPECT_EQ(perf_finding({.said = "perf version 7.2.0\n"}, "6.18.1").health, Health::ok);
  EXPECT_THAT(meaning("perf version 7.2.0\n", "6.18.1"), IsEmpty());
}

TEST(ProgramFindings, PerfMayBeMissingOrUnknown) {
  EXPECT_EQ(perf_finding({}, "6.1.0").fact, "perf is not installed");
  EXPECT_THAT(perf_finding({.said = "a wrapper\nof two lines\n"}, "6.1.0").fact, testing::EndsWith("a wrapper"));
}

// The program waits for its child, which nobody kills but the limit.
TEST(ProgramFindings, APerfThatHangsIsNotWaitedFor) {
  const auto begin = std::chrono::steady_clock::now();
  const LimitedRun hanging = run_limited({"sh", "-c", "sleep 60; true"}, std::chrono::milliseconds(50));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_TRUE(hanging.too_late);
  EXPECT_EQ(perf_finding(hanging, "6.1.0").fact, "perf --version did not answer in 2 s");
}

TEST(ProgramFindings, ProgramsAreAskedForTheirOutput) {
  constexpr std::chrono::seconds limit(30);
  EXPECT_EQ(run_limited({"echo", "perf version 6.1"}, limit).said, "perf version 6.1\n");
  EXPECT_EQ(run_limited({"true"}, limit).said, "");
  EXPECT_EQ(run_limited({"sh", "-c", "echo WARNING; exit 2"}, limit).said,
            std::nullopt);  // Ubuntu's without its kernel
  EXPECT_EQ(run_limited({"perfsift-nowhere"}, limit).said, std::nullopt);
  // A child that stays does not hold up the answer.
  EXPECT_EQ(run_limited({"sh", "-c", "sleep 5 & echo 6.1"}, std::chrono::seconds(30)).said, "6.1\n");
}

TEST(ProgramFindings, AFolderThatIsNotThereHasNoRoom) {
  EXPECT_EQ(disk_finding("/nowhere/at/all").health, Health::no);
  EXPECT_NE(disk_finding("/tmp").health, Health::no);
}

TEST(Doctor, PrintsEachLineAsTextAndAsJson) {
  const test::TemporaryDirectory folder;
  const Outcome json = run_command("doctor", {"--json", "--root", folder.path().string()});
  const auto findings = nlohmann::json::parse(json.out).at("findings");
  const Outcome text = run_command("doctor", {"--root", folder.path().string()});
  ASSERT_GT(findings.size(), 20);
  for (const auto& finding : findings) {
    EXPECT_THAT((std::vector<std::string>{"ok", "limited", "no"}), Contains(finding.at("health")));
    EXPECT_THAT(text.out, HasSubstr(finding.at("subject").get<std::string>()));
    EXPECT_TRUE(finding.at("health") == "ok" || !finding.at("fact").get<std::string>().empty());
  }
  EXPECT_EQ(json.status, text.status);
  EXPECT_THAT(text.err, IsEmpty());
}

TEST(Doctor, RefusesARootThatIsNotThere) {
  EXPECT_EQ(run_command("doctor", {"--root", "/nowhere/at/all"}).status, input_unusable);
}

}  // namespace
}  // namespace perfsift::tools::diagnosing
