#include "tools/diagnostics.h"

#include <sstream>

#include <gtest/gtest.h>

namespace perfsift::tools {
namespace {

using reader::RecordType;

TEST(Diagnostics, ADamagedRecordingIsToldAndPartlyRead) {
  std::ostringstream out;
  Diagnostics diagnostics(false, out);
  reader::ReadStats stats;
  stats.damage.push_back(
      {.file = "x/data.1", .offset = 400, .bytes = 312, .records = 1, .what = "cut inside a record"});
  diagnostics.report("x", stats);
  EXPECT_EQ(out.str(),
            "perfsift: warning: x/data.1: cut inside a record: 312 bytes not read from offset 400 on (1 record)\n");
  EXPECT_EQ(diagnostics.status(), partly_read);
}

TEST(Diagnostics, MalformedRecordsAreCountedByType) {
  std::ostringstream out;
  Diagnostics diagnostics(false, out);
  reader::ReadStats stats;
  stats.malformed[RecordType::comm] = 1;
  stats.malformed[RecordType::mmap2] = 2;
  diagnostics.report("perf.data", stats);
  EXPECT_EQ(out.str(), "perfsift: warning: perf.data: malformed records, not used: 1 COMM, 2 MMAP2\n");
  EXPECT_EQ(diagnostics.status(), partly_read);
}

TEST(Diagnostics, RecordsOfANewerPerfAreNoDamage) {
  std::ostringstream out;
  Diagnostics diagnostics(false, out);
  reader::ReadStats stats;
  stats.unknown[static_cast<RecordType>(99)] = 3;
  diagnostics.report("perf.data", stats);
  EXPECT_EQ(out.str(), "perfsift: warning: perf.data: records of unknown types, skipped: 3 type 99\n");
  EXPECT_EQ(diagnostics.status(), done);
}

TEST(Diagnostics, TheWorstDecidesTheStatusAndIsToldEvenWhenQuiet) {
  std::ostringstream out;
  Diagnostics diagnostics(true, out);
  reader::ReadStats stats;
  stats.damage.push_back({.file = "x", .what = "cut"});
  diagnostics.report("x", stats);
  diagnostics.check_failed("20 % lost");
  EXPECT_EQ(diagnostics.status(), check_failed);
  diagnostics.unusable("y: cannot open");
  EXPECT_EQ(diagnostics.status(), input_unusable);
  EXPECT_EQ(out.str(), "perfsift: 20 % lost\nperfsift: y: cannot open\n");
}

TEST(Diagnostics, QuietPrintsNothingButKeepsTheStatus) {
  std::ostringstream out;
  Diagnostics diagnostics(true, out);
  reader::ReadStats stats;
  stats.damage.push_back({.file = "x", .what = "cut"});
  diagnostics.report("x", stats);
  EXPECT_EQ(out.str(), "");
  EXPECT_EQ(diagnostics.status(), partly_read);
}

}  // namespace
}  // namespace perfsift::tools
