#include "symbolize/jit/perf_map.h"

#include <gtest/gtest.h>

#include "tests/support/temporary.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

using test::name_at;

TEST(PerfMap, NamesAreKeptToTheEndOfTheLine) {
  const auto map = parse_perf_map("1000 20 LazyCompile:~main app.js:1\n0x2000 0X10 with prefix\r\n3000 8 x");
  EXPECT_EQ(name_at(*map, 0x101f), "LazyCompile:~main app.js:1");
  EXPECT_EQ(name_at(*map, 0x1020), "");
  EXPECT_EQ(name_at(*map, 0x2000), "with prefix");
  EXPECT_EQ(name_at(*map, 0x3007), "x");
  EXPECT_FALSE(map->mangled());
}

TEST(PerfMap, WhatWasWrittenLaterHidesWhatWasWrittenBefore) {
  const auto map = parse_perf_map(
      "1000 100 first\n"
      "1080 100 second\n"
      "10c0 10 third\n");
  EXPECT_EQ(name_at(*map, 0x107f), "first");
  EXPECT_EQ(name_at(*map, 0x1080), "second");
  EXPECT_EQ(name_at(*map, 0x10cf), "third");
  EXPECT_EQ(name_at(*map, 0x10d0), "second");
  EXPECT_EQ(name_at(*map, 0x117f), "second");
  EXPECT_EQ(name_at(*map, 0x1180), "");
}

TEST(PerfMap, AnEntryThatCoversEarlierOnesHidesThem) {
  const auto map = parse_perf_map("1040 10 old\n1060 10 old too\n1000 100 new\n");
  EXPECT_EQ(name_at(*map, 0x1040), "new");
  EXPECT_EQ(name_at(*map, 0x1065), "new");
}

TEST(PerfMap, OfEntriesAtOneStartTheLastOneCounts) {
  const auto map = parse_perf_map("1000 40 old\n1000 20 new\n");
  EXPECT_EQ(name_at(*map, 0x1000), "new");
  EXPECT_EQ(name_at(*map, 0x1020), "old");
}

TEST(PerfMap, AnEntryWithoutSizeCoversItsStartAlone) {
  const auto map = parse_perf_map("1000 0 stub\n");
  EXPECT_EQ(name_at(*map, 0x1000), "stub");
  EXPECT_EQ(name_at(*map, 0x1001), "");
}

TEST(PerfMap, BrokenLinesAreDropped) {
  const auto map = parse_perf_map(
      "\n"
      "hello\n"
      "1000\n"
      "1000 10\n"
      "1000 10 \n"
      "1000 zz name\n"
      "10000000000000000 10 too large\n"
      "1000 10x name\n");
  EXPECT_TRUE(map->symbols().empty());
}

TEST(PerfMap, AnEntryBeyondTheLastAddressEndsThere) {
  const auto map = parse_perf_map("fffffffffffffff0 ffffffffffffffff high\n0 ffffffffffffffff all\n");
  EXPECT_EQ(name_at(*map, 0xfffffffffffffffe), "all");
  const auto one = parse_perf_map("fffffffffffffff0 ffffffffffffffff high\n");
  EXPECT_EQ(name_at(*one, 0xfffffffffffffffe), "high");
}

TEST(PerfMap, IsReadBelowTheSymfs) {
  const test::TemporaryDirectory directory;
  directory.write("tmp/perf-42.map", std::string_view("1000 10 jitted\n"));
  Binary binary;
  binary.kind = BinaryKind::perf_map;
  binary.path = "/tmp/perf-42.map";
  binary.pid = 42;
  SymbolizeOptions options = test::nowhere_else();
  options.symfs = directory.path();
  Symbolizer symbolizer(options);
  EXPECT_EQ(name_at(symbolizer.file(binary), 0x1008), "jitted");
  binary.path = "/tmp/perf-43.map";
  binary.pid = 43;
  EXPECT_EQ(symbolizer.file(binary).why_missing(), Missing::map_missing);
}

}  // namespace
}  // namespace perfsift::symbolize
