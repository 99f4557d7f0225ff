#include "tools/completion/offers.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/support/paths.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"
#include "tools/program.h"

namespace perfsift::tools {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

Words offered(const Words& typed) {
  Words words;
  for (const Offer& offer : offers_for(typed).words) words.push_back(offer.text);
  return words;
}

bool offers_files(const Words& typed) { return offers_for(typed).files; }

TEST(Offers, OfTheFirstWordAreCommandsAndFiles) {
  EXPECT_THAT(offered({"fl"}), ElementsAre("flame", "fleet"));
  EXPECT_THAT(offered({"he"}), ElementsAre("help"));
  EXPECT_THAT(offered({"--v"}), ElementsAre("--version"));
  EXPECT_TRUE(offers_files({"perf.d"}));
  EXPECT_FALSE(offers_files({"-"}));
  EXPECT_EQ(offered({""}).size(), commands().size() + 1);
}

TEST(Offers, AreNothingForNoWords) { EXPECT_THAT(offered({}), IsEmpty()); }

TEST(Offers, BehindHelpAreCommands) {
  EXPECT_THAT(offered({"help", "rep"}), ElementsAre("report"));
  EXPECT_THAT(offered({"help", "report", ""}), IsEmpty());
}

TEST(Offers, OfADashAreTheOptionsOfTheCommand) {
  EXPECT_THAT(offered({"fold", "--we"}), ElementsAre("--weight"));
  EXPECT_THAT(offered({"fold", "x.data", "--pid"}), ElementsAre("--pid", "--pids"));
  EXPECT_THAT(offered({"perf.data", "--ord"}), ElementsAre("--order"));  // the report of a file
  EXPECT_THAT(offers_for(Words{"fold", "--wei"}).words.front().about, "the weight of a sample (period)");
}

TEST(Offers, EveryCommandListsItsOptions) {
  for (const Command* const command : commands()) {
    EXPECT_THAT(offered({std::string(command->name), "--h"}), Contains("--help")) << command->name;
  }
}

TEST(Offers, OfAnOptionAreItsValues) {
  EXPECT_THAT(offered({"fold", "--weight", ""}), ElementsAre("samples", "period"));
  EXPECT_THAT(offered({"fold", "--weight", "p"}), ElementsAre("period"));
  EXPECT_THAT(offered({"fold", "--weight=p"}), ElementsAre("--weight=period"));
  EXPECT_THAT(offered({"export", "--to", "per"}), ElementsAre("perfetto"));
  EXPECT_THAT(offered({"flame", "--palette", "w"}), ElementsAre("wakeup"));
  EXPECT_THAT(offered({"offcpu", "--sort", "p"}), ElementsAre("p99.9"));
  EXPECT_THAT(offered({"script", "--perf-style", ""}), ElementsAre("6.1", "new"));
  EXPECT_THAT(offered({"fold", "--no-such", "x"}), IsEmpty());
  EXPECT_THAT(offered({"fold", "--no-such=x"}), IsEmpty());
  EXPECT_THAT(offered({"fold", "--comms", "x"}), IsEmpty());
  EXPECT_FALSE(offers_files({"fold", "--comms", "x"}));
}

TEST(Offers, OfAListContinueIt) {
  EXPECT_THAT(offered({"report", "-s", "comm,ds"}), ElementsAre("comm,dso"));
  EXPECT_THAT(offered({"report", "--sort=comm,ds"}), ElementsAre("--sort=comm,dso"));
  EXPECT_THAT(offered({"script", "-F", "ip,srcl"}), ElementsAre("ip,srcline"));
  EXPECT_THAT(offered({"script", "-F", "+srcl"}), ElementsAre("+srcline"));
  EXPECT_THAT(offered({"fold", "--annotate", "kernel,i"}), ElementsAre("kernel,inline"));
}

TEST(Offers, OfAnExpressionAreItsFields) {
  EXPECT_THAT(offered({"fold", "--filter", "com"}), ElementsAre("comm"));
  EXPECT_THAT(offered({"fold", "--filter", "comm == \"a\" && leaf."}), ElementsAre("comm == \"a\" && leaf.dso"));
  EXPECT_THAT(offered({"offcpu", "--filter", "blo"}), ElementsAre("blocked"));
  EXPECT_THAT(offered({"explain", "com"}), ElementsAre("comm"));
}

TEST(Offers, OfFilesAreFiles) {
  EXPECT_TRUE(offers_files({"fold", ""}));
  EXPECT_TRUE(offers_files({"fold", "-o", ""}));
  EXPECT_TRUE(offers_files({"fold", "--symfs", ""}));
  EXPECT_TRUE(offers_files({"fold", "--no-inline", ""}));  // takes no value
  EXPECT_TRUE(offers_files({"fold", "--delimiter", ""}));  // takes its value only after =
  EXPECT_FALSE(offers_files({"fold", "--max-depth", ""}));
  EXPECT_FALSE(offers_files({"symbolize", "-e", "program", "12"}));
}

TEST(Offers, OfEventsAreThoseOfTheRecordingOnTheLine) {
  EXPECT_THAT(offered({"fold", test::source_path("testdata/demo.data"), "-e", ""}), ElementsAre("cpu-clock:u"));
  EXPECT_THAT(offered({"fold", "/no/such.data", "-e", ""}), IsEmpty());
  EXPECT_THAT(offered({"fold", test::source_path("README.md"), "-e", ""}), IsEmpty());
}

TEST(Offers, OfVerbsAndShells) {
  EXPECT_THAT(offered({"dlfilter", ""}), ElementsAre("list", "info", "test"));
  EXPECT_TRUE(offers_files({"dlfilter", "test", ""}));
  EXPECT_THAT(offered({"completion", "f"}), ElementsAre("fish"));
}

// A PATH in which no program is found.
class NoPrograms {
 public:
  NoPrograms() { setenv("PATH", "/nonexistent", 1); }
  ~NoPrograms() { setenv("PATH", before_.c_str(), 1); }
  NoPrograms(const NoPrograms&) = delete;
  NoPrograms& operator=(const NoPrograms&) = delete;

 private:
  const std::string before_ = std::getenv("PATH");
};

// The values are also written where they are checked. A command must know every offered value, so that the lists cannot
// differ.
TEST(Offers, AreValuesThatTheCommandsTake) {
  const test::TemporaryDirectory directory;
  const std::string demo = test::source_path("testdata/demo.data"), out = directory.path() / "out";
  const NoPrograms no_perf;  // bench checks its options before it searches for perf
  for (const Command* const command : commands()) {
    const std::string name(command->name);
    for (const options::OptionFact& option : options_of(*command)) {
      const OptionValues values = values_of(name, option, "");
      if (values.kind != ValueKind::one && values.kind != ValueKind::list) continue;
      for (const Offer& value : values.offers) {
        options::Arguments line = {name, option.name, value.text};
        if (name == "top") line.insert(line.end(), {"-q", "-p", std::to_string(getpid()), "-n", "1", "-d", "50ms"});
        if (name != "completion" && name != "top") line.insert(line.end(), {name == "symbolize" ? "0" : demo});
        if (name == "diff" || name == "check" || name == "bench") line.push_back(demo);
        if (name == "diff" && option.name == "--background") line.insert(line.end(), {"-o", out + ".svg"});
        if (name == "merge") line.insert(line.end(), {"-o", out + ".pb.gz"});
        if (name == "script") line.push_back("--skip-missing-fields");
        if (name == "mem" && option.name == "--weight") line.insert(line.end(), {"--folded", out});
        if (name == "view") line.insert(line.end(), {"--save", out});
        if (name == "filter") line.insert(line.end(), {"-o", out});
        if (name == "filter" && option.name == "--split") line.back() += "-%n";
        if (name == "store") line = {name, "roll-up", option.name, value.text, "chdb:" + out};
        if (name == "export" && option.name != "--to") line.insert(line.end(), {"--to", "pprof"});
        if (name == "export") line.insert(line.end(), {"-o", out});
        // `record` has the same option as `offcpu`, and ends before it measures, because the output cannot be opened.
        if (option.name == "--stacks" && name == "offcpu") continue;
        if (option.name == "--stacks")
          line = {name, "--preset", "offcpu", "--in-kernel", "-a", option.name, value.text, "-o", out + "/no/such"};
        const Outcome outcome = outcome_of([&] { return run_program(line); });
        // demo.data has no control groups, for example, and no labels as the recordings of a store.
        const bool lacks_it = outcome.err.find("were recorded") != std::string::npos ||
                              outcome.err.find("only the recordings in a store") != std::string::npos;
        const bool refused = outcome.status == wrong_usage && !lacks_it;
        EXPECT_FALSE(refused) << name << " " << option.name << " " << value.text << "\n" << outcome.err;
      }
    }
  }
}

}  // namespace
}  // namespace perfsift::tools
