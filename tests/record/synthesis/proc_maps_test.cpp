// Lines of /proc/PID/maps, as Linux 6.1 to 6.18 write them.
#include "record/synthesis/proc_maps.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace perfsift::record {
namespace {

TEST(ProcMaps, HaveTheFieldsOfAMapping) {
  const auto mapping =
      parse_mapping("7f3b2c000000-7f3b2c021000 r-xp 0001c000 fd:1f 41038                      /usr/bin/my cat");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->start, 0x7f3b2c000000u);
  EXPECT_EQ(mapping->end, 0x7f3b2c021000u);
  EXPECT_EQ(mapping->offset, 0x1c000u);
  EXPECT_EQ(mapping->protection, static_cast<unsigned>(PROT_READ | PROT_EXEC));
  EXPECT_EQ(mapping->flags, static_cast<unsigned>(MAP_PRIVATE));
  EXPECT_EQ(mapping->device_major, 0xfdu);
  EXPECT_EQ(mapping->device_minor, 0x1fu);
  EXPECT_EQ(mapping->inode, 41038u);
  EXPECT_EQ(mapping->path, "/usr/bin/my cat");
}

TEST(ProcMaps, MayHaveNoPath) {
  const auto mapping = parse_mapping("00400000-00401000 -w-s 00000000 00:00 0 ");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->protection, static_cast<unsigned>(PROT_WRITE));
  EXPECT_EQ(mapping->flags, static_cast<unsigned>(MAP_SHARED));
  EXPECT_EQ(mapping->inode, 0u);
  EXPECT_EQ(mapping->path, "");
}

TEST(ProcMaps, TheHighestMappingHasSixteenDigits) {
  const auto mapping =
      parse_mapping("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->start, 0xffffffffff600000u);
  EXPECT_EQ(mapping->protection, static_cast<unsigned>(PROT_EXEC));
  EXPECT_EQ(mapping->path, "[vsyscall]");
}

TEST(ProcMaps, OtherLinesAreNoMappings) {
  for (const char* line : {"", "-", "400000", "400000-", "400000-401000", "400000-401000 r-x",
                           "400000-401000 r-xp 0 fd:1", "400000-401000 r-xp 0 fd:1 x", "401000-400000 r-xp 0 fd:1 3",
                           "x00000-401000 r-xp 00000000 fd:01 3 /bin/a", "Name:\tcat"})
    EXPECT_FALSE(parse_mapping(line)) << line;
}

TEST(ProcMaps, NamesAreThoseOfTheKernelsOwnRecords) {
  EXPECT_EQ(recorded_name("/usr/bin/my cat"), "/usr/bin/my cat");
  EXPECT_EQ(recorded_name("/tmp/two\\012lines\\012"), "/tmp/two\nlines\n");
  EXPECT_EQ(recorded_name("/tmp/gone (deleted)"), "/tmp/gone (deleted)");
  EXPECT_EQ(recorded_name("/memfd:code (deleted)"), "/memfd:code (deleted)");
  EXPECT_EQ(recorded_name("[vdso]"), "[vdso]");
  EXPECT_EQ(recorded_name("[heap]"), "[heap]");
  EXPECT_EQ(recorded_name(""), "//anon");
  EXPECT_EQ(recorded_name("[anon:v8]"), "//anon");
  EXPECT_EQ(recorded_name("[anon_shmem:v8]"), "//anon");
}

}  // namespace
}  // namespace perfsift::record
