#include "analysis/rewrite/name_mask.h"

#include <set>

#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/support/temporary.h"

namespace perfsift::analysis {
namespace {

using testing::MatchesRegex;

// The test vector of the paper "SipHash: a fast short-input PRF", appendix A. The key is the bytes 00 to 0f, and the
// text is the bytes 00 to 0e.
TEST(KeyedHash, IsSipHash24) {
  std::string text;
  for (char c = 0; c < 15; ++c) text += c;
  EXPECT_EQ(keyed_hash({0x0706050403020100, 0x0f0e0d0c0b0a0908}, text), 0xa129ca6149be45e5);
}

TEST(KeyedHash, AKeyFileGivesTheSameKeyWheneverItHasTheSameContent) {
  const test::TemporaryDirectory folder;
  const auto first = folder.write("first", std::string_view("sixteen letters!")),
             second = folder.write("second", std::string_view("sixteen letters!")),
             other = folder.write("other", std::string_view("sixteen letters?"));
  EXPECT_EQ(key_in_file(first), key_in_file(second));
  EXPECT_NE(key_in_file(first), key_in_file(other));
  EXPECT_THROW(key_in_file(folder.write("short", std::string_view("fifteen letters"))), InputError);
  EXPECT_THROW(key_in_file(folder.path() / "missing"), InputError);
}

TEST(NameMask, EqualNamesGetEqualMasksUnderOneKey) {
  const NameMask mask({1, 2}), same({1, 2}), other({1, 3});
  EXPECT_THAT(mask.name("postgres"), MatchesRegex("[0-9a-f]{12}"));
  EXPECT_EQ(mask.name("postgres"), same.name("postgres"));
  EXPECT_NE(mask.name("postgres"), mask.name("postgre"));
  EXPECT_NE(mask.name("postgres"), other.name("postgres"));
  EXPECT_EQ(mask.name(""), "");
}

TEST(NameMask, FilesOfOneFolderStayTogether) {
  const NameMask mask({1, 2});
  const std::string usr = mask.name("usr"), lib = mask.name("lib");
  EXPECT_EQ(mask.path("/usr/lib/libc.so.6"), "/" + usr + "/" + lib + "/" + mask.name("libc.so.6"));
  EXPECT_EQ(mask.path("/usr/lib"), "/" + usr + "/" + lib);
  EXPECT_EQ(mask.path("lib"), lib);
  EXPECT_EQ(mask.path("/"), "/");
  EXPECT_EQ(mask.path("/lib (deleted)"), "/" + lib + " (deleted)");
}

TEST(NameMask, WhatTheKernelCallsMemoryStays) {
  const NameMask mask({1, 2});
  for (const char* name : {"[heap]", "[stack]", "[vdso]", "//anon", "/dev/zero (deleted)", "/SYSV00000000 (deleted)",
                           "/anon_hugepage (deleted)", "[kernel.kallsyms]_text"}) {
    EXPECT_EQ(mask.path(name), name);
  }
  EXPECT_THAT(mask.path("[anon:my allocator]"), MatchesRegex("[0-9a-f]{12}"));
}

TEST(NameMask, BuildIdsKeepTheirLength) {
  const NameMask mask({1, 2});
  const std::byte bytes[8] = {};
  const BuildId id{Bytes(bytes)};
  EXPECT_EQ(mask.build_id(id).size, 8);
  EXPECT_NE(mask.build_id(id), id);
  EXPECT_EQ(mask.build_id(id), mask.build_id(id));
  EXPECT_TRUE(mask.build_id({}).empty());
}

}  // namespace
}  // namespace perfsift::analysis
