#include "reader/format/record_names.h"

#include <gtest/gtest.h>

namespace perfsift::reader {
namespace {

TEST(RecordName, IsPerfsOwn) {
  EXPECT_EQ(record_name(RecordType::mmap), "MMAP");
  EXPECT_EQ(record_name(RecordType::switch_cpu_wide), "SWITCH_CPU_WIDE");
  EXPECT_EQ(record_name(RecordType::header_attr), "ATTR");
  EXPECT_EQ(record_name(RecordType::header_feature), "FEATURE");
  EXPECT_EQ(record_name(RecordType::finished_round), "FINISHED_ROUND");
  EXPECT_EQ(record_name(RecordType::compressed2), "COMPRESSED2");
}

TEST(RecordName, OnlyTheTypesBetweenTheKernelsLastAndPerfsFirstHaveNoName) {
  for (std::uint32_t type = 1; type <= 22; ++type) EXPECT_NE(record_name(RecordType{type}), "UNKNOWN") << type;
  for (std::uint32_t type = 64; type <= 86; ++type) EXPECT_NE(record_name(RecordType{type}), "UNKNOWN") << type;
  for (const std::uint32_t type : {0u, 23u, 63u, 87u, ~0u}) EXPECT_EQ(record_name(RecordType{type}), "UNKNOWN") << type;
}

}  // namespace
}  // namespace perfsift::reader
