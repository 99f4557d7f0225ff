#include "tools/record/output_options.h"

#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"

namespace perfsift::tools {
namespace {

record::RingPlan rings_of(const std::string& sizes) {
  RecordOutputOptions output;
  options::po::options_description description;
  output.add_to(description);
  options::parse({"-m", sizes}, "", description);
  output.complete();
  record::SessionPlan plan;
  output.apply(plan);
  return plan.rings;
}

constexpr std::size_t usual_ring = std::size_t{4} << 20;

// record__parse_mmap_pages() in tools/perf/builtin-record.c
TEST(MmapPages, SizeBehindTheCommaIsThatOfAuxAreas) {
  EXPECT_EQ(rings_of("8M,16M").bytes, 8u << 20);
  EXPECT_EQ(rings_of("8M,16M").aux_bytes, 16u << 20);
}

TEST(MmapPages, EitherSizeMayBeMissing) {
  EXPECT_EQ(rings_of(",512K").bytes, usual_ring);
  EXPECT_EQ(rings_of(",512K").aux_bytes, 512u << 10);
  EXPECT_EQ(rings_of("512K").bytes, 512u << 10);
  EXPECT_EQ(rings_of("512K").aux_bytes, 0u);  // the session decides
}

TEST(MmapPages, NumbersWithoutAUnitArePages) {
  EXPECT_EQ(rings_of("16,32").aux_bytes, 32 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

TEST(MmapPages, OtherTextsAreRefused) {
  for (const char* text : {"8M,", ",", "8M,x", "8M,0", "8M,16M,1M", "8M;16M", ",99999G"}) {
    EXPECT_THROW(rings_of(text), UsageError) << text;
  }
}

TEST(RealTime, PriorityIsOneOfTheKernel) {
  for (const char* text : {"0", "100", "-1", "x"}) {
    RecordOutputOptions output;
    options::po::options_description description;
    output.add_to(description);
    EXPECT_THROW(options::parse({"-r", text}, "", description), UsageError) << text;
  }
}

}  // namespace
}  // namespace perfsift::tools
