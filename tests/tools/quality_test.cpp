#include "analysis/profile/quality.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "options/budget_options.h"
#include "reader/callchain.h"
#include "tests/support/bytes.h"
#include "tools/command.h"

namespace perfsift::tools {
namespace {

using reader::RecordType;
using symbolize::Missing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// 2 of 100 samples and 3 of 103 records are lost, a quarter of 200 frames has no name, and 1 of 8 stacks is cut.
analysis::Quality some_quality() {
  analysis::Quality quality{.kernel_records = 100,
                            .lost_records = 3,
                            .sample_records = 98,
                            .lost_samples = 2,
                            .samples = 98,
                            .callchains = 8,
                            .truncated_stacks = 1,
                            .frames = 200};
  quality.unresolved[{"/opt/app", Missing::stripped}] = 40;
  quality.unresolved[{"/opt/lib.so", Missing::stripped}] = 6;
  quality.unresolved[{"[unknown]", Missing::no_mapping}] = 4;
  return quality;
}

analysis::QualityBudget budget_of(std::vector<std::string> arguments) {
  analysis::QualityBudget budget;
  options::po::options_description options;
  options::add_budget(budget, options);
  EXPECT_TRUE(options::parse(arguments, "", options));
  return budget;
}

TEST(QualityOfARecording, CountsLostRecordsAmongThoseOfTheKernelAndLostSamplesAmongSamples) {
  reader::ReadStats stats;
  stats.records = {{RecordType::sample, 90}, {RecordType::mmap2, 6}, {RecordType::finished_round, 1000}};
  stats.losses.lost_records = 4;
  stats.losses.lost_samples = 10;
  stats.losses.bpf_dropped_samples = 500;
  analysis::Quality quality;
  quality.add_recorded(stats);
  EXPECT_DOUBLE_EQ(quality.lost_records_percent(), 4);   // 4 of 90 + 6 + 4
  EXPECT_DOUBLE_EQ(quality.lost_samples_percent(), 10);  // 10 of 90 + 10
}

TEST(QualityOfARecording, CountsWhatCouldNotBeReadAmongTheBytesOfRecords) {
  reader::ReadStats stats;
  stats.bytes = 300;
  stats.skipped_bytes = 100;
  analysis::Quality quality;
  quality.add_recorded(stats);
  quality.add_recorded(stats);
  EXPECT_DOUBLE_EQ(quality.skipped_percent(), 25);  // 200 of 800
  EXPECT_THAT(budget_of({"--max-lost", "24"}).check(quality),
              ElementsAre("25 % of the bytes of records were skipped (200 of 800), more than --max-lost 24 allows"));
  EXPECT_THAT(budget_of({"--max-lost", "25"}).check(quality), IsEmpty());
}

TEST(QualityOfARecording, WithoutSamplesIsWhole) {
  EXPECT_EQ(analysis::Quality().lost_samples_percent(), 0);
  EXPECT_EQ(analysis::Quality().unresolved_percent(), 0);
  EXPECT_EQ(analysis::Quality().truncated_percent(), 0);
}

TEST(QualityOfARecording, WhoseSamplesWereAllLostIsWhollyLost) {
  EXPECT_EQ(analysis::Quality{.lost_samples = 7}.lost_samples_percent(), 100);
}

TEST(QualityOfARecording, AddsUpPlaceByPlace) {
  analysis::Quality sum = some_quality();
  sum.add(some_quality());
  EXPECT_EQ(sum.frames, 400u);
  EXPECT_EQ(sum.unresolved_frames(), 100u);
  EXPECT_EQ((sum.unresolved[{"/opt/lib.so", Missing::stripped}]), 12u);
  EXPECT_EQ(sum.lost_records, 6u);
  EXPECT_EQ(sum.truncated_stacks, 2u);
}

// A callchain with `kernel` and `user` frames and the markers that perf record writes before them.
struct ChainSample {
  explicit ChainSample(unsigned kernel, unsigned user) {
    bytes.u64(reader::callchain_context::kernel);
    for (unsigned i = 0; i < kernel; ++i) bytes.u64(0xffffffff81000000 + i);
    bytes.u64(reader::callchain_context::user);
    for (unsigned i = 0; i < user; ++i) bytes.u64(0x400000 + i);
    ByteReader in(bytes.view());
    sample.has_callchain = true;
    sample.callchain = in.array<std::uint64_t>(kernel + user + 2);
    sample.event = &event;
  }
  test::BytesBuilder bytes;
  reader::Event event;
  reader::Sample sample;
};

TEST(TruncatedStacks, HaveAsManyFramesAsTheEventAllows) {
  ChainSample chain(2, 3);
  chain.event.attr.sample_max_stack = 5;
  EXPECT_TRUE(is_truncated(chain.sample));
}

TEST(TruncatedStacks, DoNotCountContextMarkersAsFrames) {
  ChainSample chain(2, 3);
  chain.event.attr.sample_max_stack = 6;
  EXPECT_FALSE(is_truncated(chain.sample));
}

TEST(TruncatedStacks, Have127FramesWhereTheEventDoesNotSay) {
  EXPECT_TRUE(is_truncated(ChainSample(27, 100).sample));
  EXPECT_FALSE(is_truncated(ChainSample(26, 100).sample));
}

TEST(UnresolvedTable, ListsTheMostFrequentReasonFirstAndSaysWhatToDo) {
  const std::string stripped(symbolize::advice(Missing::stripped));
  const std::string unmapped(symbolize::advice(Missing::no_mapping));
  EXPECT_EQ(analysis::unresolved_table(some_quality()),
            "the file is stripped, and no debug file was found: 46 frames, 23 %\n"
            "          40  /opt/app\n"
            "           6  /opt/lib.so\n"
            "  -> " +
                stripped +
                "\n"
                "nothing was mapped at the address: 4 frames, 2 %\n"
                "           4  [unknown]\n"
                "  -> " +
                unmapped + "\n");
}

TEST(UnresolvedTable, AdvisesToInstallTheSymbolsOfLibcForLibcAlone) {
  const auto table = [](const std::vector<std::string>& binaries) {
    analysis::Quality quality{.frames = 100};
    for (const std::string& binary : binaries) quality.unresolved[{.binary = binary, .reason = Missing::stripped}] = 1;
    return analysis::unresolved_table(quality);
  };
  for (const char* libc : {"/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/libm.so.6", "/lib/libc-2.31.so",
                           "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "/lib/ld-2.31.so"}) {
    EXPECT_THAT(table({libc}), HasSubstr("libc6-dbg")) << libc;
    EXPECT_THAT(table({libc}), Not(HasSubstr("-dbgsym"))) << libc;
  }
  for (const char* other : {"/opt/app", "/usr/lib/libcrypto.so.3", "/usr/lib/libcurl.so.4", "/usr/lib/libmagic.so.1"}) {
    EXPECT_THAT(table({other}), Not(HasSubstr("libc6-dbg"))) << other;
  }
  EXPECT_THAT(table({"/opt/app", "/lib/libc.so.6"}), AllOf(HasSubstr("libc6-dbg"), HasSubstr("-dbgsym")));
}

TEST(UnresolvedTable, IsEmptyWhereEveryFrameHasAName) { EXPECT_EQ(analysis::unresolved_table({.frames = 9}), ""); }

TEST(Budget, WithoutLimitsIsNeverExceeded) { EXPECT_THAT(budget_of({}).check(some_quality()), IsEmpty()); }

TEST(Budget, IsKeptByFiguresEqualToTheLimit) {
  EXPECT_THAT(budget_of({"--max-unresolved=25", "--max-truncated=12.5"}).check(some_quality()), IsEmpty());
}

TEST(Budget, ComparesLostSamplesAndLostRecordsEachWithTheLimit) {
  EXPECT_THAT(budget_of({"--max-lost=2.5"}).check(some_quality()),
              ElementsAre("2.913 % of the records were lost (3 of 103), more than --max-lost 2.5 allows"));
  EXPECT_THAT(budget_of({"--max-lost=1"}).check(some_quality()),
              ElementsAre("2 % of the samples were lost (2 of 100), more than --max-lost 1 allows",
                          "2.913 % of the records were lost (3 of 103), more than --max-lost 1 allows"));
}

TEST(Budget, ComparesALossThatIsToldTwiceOnce) {
  analysis::Quality quality = some_quality();
  quality.lost_samples = quality.told_twice = quality.lost_records;
  EXPECT_THAT(budget_of({"--max-lost=1"}).check(quality),
              ElementsAre("2.97 % of the samples were lost (3 of 101), more than --max-lost 1 allows"));
}

TEST(Budget, NamesTheFigureAndTheLimit) {
  EXPECT_THAT(budget_of({"--max-unresolved=10", "--max-truncated=0"}).check(some_quality()),
              ElementsAre("25 % of the frames have no name (50 of 200), more than --max-unresolved 10 allows",
                          "12.5 % of the stacks were cut (1 of 8), more than --max-truncated 0 allows"));
}

TEST(Budget, OfWhatIsNoPercentageIsWrongUsage) {
  EXPECT_THROW(budget_of({"--max-lost=101"}), UsageError);
  EXPECT_THROW(budget_of({"--max-lost=-1"}), UsageError);
  EXPECT_THROW(budget_of({"--max-lost=nan"}), UsageError);
  EXPECT_THROW(budget_of({"--max-lost=some"}), UsageError);
}

}  // namespace
}  // namespace perfsift::tools
