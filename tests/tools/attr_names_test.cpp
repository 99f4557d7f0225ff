#include "reader/format/attr_names.h"

#include <gmock/gmock.h>

#include "reader/features/feature_names.h"
#include "reader/format/abi.h"

namespace perfsift::tools {
namespace {

using ::testing::ElementsAre;

namespace bit = reader::sample_bit;

// `perf evlist -v` prints: sample_type: IP|TID|TIME|ADDR|CPU|PERIOD|IDENTIFIER|DATA_SRC|WEIGHT
TEST(NamesOfBits, ComeInPerfsOrder) {
  EXPECT_THAT(
      reader::names_of_bits(bit::weight | bit::data_src | bit::identifier | bit::ip, reader::sample_type_names()),
      ElementsAre("IP", "IDENTIFIER", "DATA_SRC", "WEIGHT"));
}

TEST(NamesOfBits, NumberTheBitsNobodyKnows) {
  EXPECT_THAT(reader::names_of_bits(1u << 4 | 1u << 9, reader::read_format_names()), ElementsAre("LOST", "bit 9"));
  EXPECT_THAT(reader::names_of_bits(std::uint64_t{1} << 63, reader::attr_flag_names()), ElementsAre("bit 63"));
}

// The names of missing features in `perf report --header-only`.
TEST(FeatureName, IsPerfs) {
  EXPECT_EQ(reader::feature_name(1), "TRACING_DATA");
  EXPECT_EQ(reader::feature_name(17), "GROUP_DESC");
  EXPECT_EQ(reader::feature_name(30), "HYBRID_TOPOLOGY");
  EXPECT_EQ(reader::feature_name(34), "CLN_SIZE");
}

TEST(FeatureName, IsEmptyForNumbersNobodyKnows) {
  EXPECT_EQ(reader::feature_name(0), "");
  EXPECT_EQ(reader::feature_name(35), "");
}

}  // namespace
}  // namespace perfsift::tools
