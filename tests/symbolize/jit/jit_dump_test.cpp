#include "symbolize/jit/jit_dump.h"

#include <gtest/gtest.h>

#include "tests/support/jit_dump.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

using test::JitDumpBuilder;
using test::name_at;

std::string text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

JitSymbols symbols_of(const JitDumpBuilder& dump) {
  const auto bytes = std::make_shared<const std::vector<std::byte>>(dump.view().begin(), dump.view().end());
  return {parse_jit_dump(*bytes).value(), bytes, nullptr};
}

std::string name_then(const JitSymbols& symbols, std::uint64_t address, std::uint64_t time) {
  const Symbol* symbol = symbols.find_at(address, time);
  return symbol == nullptr ? "" : std::string(symbol->name);
}

TEST(JitDump, LoadsAreReadInEitherByteOrder) {
  for (const ByteOrder order : {ByteOrder::native, ByteOrder::swapped}) {
    const auto builder = JitDumpBuilder(order).load(7, 0x1000, 32, 1, "first").load(9, 0x2000, 16, 2, "second");
    const auto dump = parse_jit_dump(builder.view());
    ASSERT_TRUE(dump);
    ASSERT_EQ(dump->codes.size(), 2u);
    EXPECT_EQ(dump->codes[0].name, "first");
    EXPECT_EQ(dump->codes[0].start, 0x1000u);
    EXPECT_EQ(dump->codes[0].end(), 0x1020u);
    EXPECT_EQ(dump->codes[0].since, 7u);
    EXPECT_EQ(dump->codes[1].name, "second");
    EXPECT_EQ(dump->bad_records, 0u);
    EXPECT_FALSE(dump->arch_timestamps);
  }
}

TEST(JitDump, WhatIsNoneIsRefused) {
  EXPECT_FALSE(parse_jit_dump({}));
  const auto with_header = [](std::uint32_t magic, std::uint32_t version, std::uint32_t size, std::uint64_t flags) {
    test::BytesBuilder bytes;
    bytes.u32(magic).u32(version).u32(size).u32(62).u32(0).u32(100).u64(1).u64(flags);
    return parse_jit_dump(bytes.view()).has_value();
  };
  EXPECT_TRUE(with_header(0x4a695444, 1, 40, 0));
  EXPECT_TRUE(with_header(0x4a695444, 1, 40, 1));
  EXPECT_FALSE(with_header(0x4a695445, 1, 40, 0));
  EXPECT_FALSE(with_header(0x4a695444, 2, 40, 0)) << "a newer version";
  EXPECT_FALSE(with_header(0x4a695444, 1, 39, 0)) << "a header shorter than version 1 has";
  EXPECT_FALSE(with_header(0x4a695444, 1, 41, 0)) << "a header longer than the file";
  EXPECT_FALSE(with_header(0x4a695444, 1, 40, 2)) << "a flag that may change everything";
}

TEST(JitDump, ALongerHeaderIsSkipped) {
  test::BytesBuilder bytes;
  bytes.u32(0x4a695444).u32(1).u32(48).u32(62).u32(0).u32(100).u64(1).u64(0).u64(~0ull);
  bytes.bytes(JitDumpBuilder().load(7, 0x1000, 32, 1, "first").view().subspan(40));
  EXPECT_EQ(parse_jit_dump(bytes.view()).value().codes.size(), 1u);
}

TEST(JitDump, OfATailThatWasCutEverythingWholeIsKept) {
  const auto whole = JitDumpBuilder().load(7, 0x1000, 32, 1, "first").load(9, 0x2000, 16, 2, "second");
  const std::size_t first_ends = 40 + 16 + 40 + sizeof "first" + 32;
  for (std::size_t size = 40; size <= whole.view().size(); ++size) {
    const auto dump = parse_jit_dump(whole.view().first(size));
    ASSERT_TRUE(dump);
    EXPECT_EQ(dump->codes.size(), size == whole.view().size() ? 2u : size >= first_ends ? 1u : 0u) << size;
    EXPECT_EQ(dump->bad_records, 0u);
  }
}

TEST(JitDump, TheInstructionsAreThoseOfTheLoadAlsoAfterAMove) {
  const auto code = std::as_bytes(std::span("\x55\xc3"));
  const auto whole = JitDumpBuilder().load(7, 0x1000, 3, 1, "code", code).move(8, 0x1000, 0x2000, 3, 1);
  const auto dump = parse_jit_dump(whole.view()).value();
  ASSERT_EQ(dump.codes.size(), 2u);
  for (const JitCode& piece : dump.codes) EXPECT_EQ(text_of(piece.bytes), text_of(code));
}

TEST(JitDump, CodeWhoseInstructionsWereNotWrittenHasItsName) {
  test::BytesBuilder load;
  load.u32(100).u32(101).u64(0x1000).u64(0x1000).u64(~0ull).u64(1).text("code").u8(0);
  const auto whole = JitDumpBuilder().record(0, 7, load.view());
  const auto dump = parse_jit_dump(whole.view()).value();
  ASSERT_EQ(dump.codes.size(), 1u);
  EXPECT_EQ(dump.codes[0].name, "code");
  EXPECT_TRUE(dump.codes[0].bytes.empty());
}

TEST(JitDump, RecordsNobodyKnowsAreSkipped) {
  auto dump = JitDumpBuilder().record(3, 8, {}).record(77, 8, std::as_bytes(std::span("what is this")));
  EXPECT_EQ(parse_jit_dump(dump.load(9, 0x1000, 16, 1, "code").view()).value().codes.size(), 1u);
}

TEST(JitDump, BadRecordsAreCountedAndThoseBehindThemRead) {
  auto builder = JitDumpBuilder()
                     .record(0, 8, {})                                                // a load without data
                     .move(8, 0x1000, 0x2000, 16, 5)                                  // moves code that was not loaded
                     .record(4, 8, test::BytesBuilder().u64(8).u64(9).u64(0).view())  // header longer than the data
                     .load(9, 0x1000, 16, 1, "code");
  const auto dump = parse_jit_dump(builder.view()).value();
  EXPECT_EQ(dump.bad_records, 3u);
  ASSERT_EQ(dump.codes.size(), 1u);
  EXPECT_EQ(dump.codes[0].name, "code");
}

TEST(JitDump, ARecordWithoutRoomForItsOwnHeaderIsTheEnd) {
  test::BytesBuilder bytes;
  bytes.bytes(JitDumpBuilder().load(7, 0x1000, 32, 1, "first").view()).u32(0).u32(15).u64(0);
  const auto dump = parse_jit_dump(bytes.view()).value();
  EXPECT_EQ(dump.codes.size(), 1u);
  EXPECT_EQ(dump.bad_records, 1u);
}

TEST(JitDump, ReusedMemoryHasTheNameOfWhatLayThereAtTheTime) {
  const auto symbols = symbols_of(JitDumpBuilder().load(10, 0x1000, 32, 1, "old").load(20, 0x1010, 32, 2, "new"));
  EXPECT_EQ(name_then(symbols, 0x1018, 15), "old");
  EXPECT_EQ(name_then(symbols, 0x1018, 20), "new");
  EXPECT_EQ(name_then(symbols, 0x1008, 25), "old");
  EXPECT_EQ(name_at(symbols, 0x1018), "new") << "without a time the latest counts";
  ASSERT_EQ(symbols.changes().size(), 1u);
  EXPECT_EQ(symbols.changes()[0], 20u);
}

TEST(JitDump, MovedCodeKeepsItsNameAndLines) {
  const auto symbols = symbols_of(JitDumpBuilder()
                                      .debug_info(0x1000, {{0x1000, 3, "a.js"}, {0x1008, 4, "a.js"}})
                                      .load(10, 0x1000, 16, 1, "moved")
                                      .move(20, 0x1000, 0x5000, 16, 1)
                                      .load(21, 0x1000, 16, 2, "next"));
  EXPECT_EQ(name_then(symbols, 0x1008, 15), "moved");
  EXPECT_EQ(name_then(symbols, 0x5008, 25), "moved");
  EXPECT_EQ(name_then(symbols, 0x1008, 25), "next");
  ASSERT_NE(symbols.line_at(0x500a, 25), nullptr);
  EXPECT_EQ(symbols.line_at(0x500a, 25)->line, 4u);
  EXPECT_EQ(symbols.code_at(0x500a, 25)->start, 0x5000u);
  EXPECT_EQ(symbols.line_at(0x1008, 25), nullptr) << "lines are of the code that follows them, and of no other";
}

TEST(JitDump, RecordsOutOfOrderAreTakenByTheirTimes) {
  const auto symbols = symbols_of(JitDumpBuilder().load(20, 0x1000, 16, 2, "new").load(10, 0x1000, 16, 1, "old"));
  EXPECT_EQ(name_then(symbols, 0x1000, 15), "old");
  EXPECT_EQ(name_then(symbols, 0x1000, 20), "new");
}

TEST(JitDump, TimesOfAProcessorsCounterAreNotCompared) {
  const auto symbols =
      symbols_of(JitDumpBuilder(ByteOrder::native, 1).load(10, 0x1000, 16, 1, "old").load(20, 0x1000, 16, 2, "new"));
  EXPECT_EQ(name_then(symbols, 0x1000, 15), "new");
}

TEST(JitDump, ALineReachesToTheNextOne) {
  const auto symbols = symbols_of(
      JitDumpBuilder()
          .debug_info(0x1000, {{0x1004, 3, "a.js"}, {0x1008, 7, "b.js"}, {0x100c, 8, "\xff"}})  // the first file again
          .load(10, 0x1000, 16, 1, "code"));
  EXPECT_EQ(symbols.line_at(0x1003, 10), nullptr);
  EXPECT_EQ(symbols.line_at(0x1004, 10)->line, 3u);
  EXPECT_EQ(symbols.line_at(0x1007, 10)->file, "a.js");
  EXPECT_EQ(symbols.line_at(0x100f, 10)->line, 8u);
  EXPECT_EQ(symbols.line_at(0x100f, 10)->file, "b.js");
  EXPECT_EQ(symbols.line_at(0x1010, 10), nullptr);
}

TEST(JitDump, UnwindingInformationIsOfTheCodeThatFollowsIt) {
  const auto builder =
      JitDumpBuilder().unwinding("frames", "hdr").load(10, 0x1000, 13, 1, "code").load(11, 0x2000, 16, 2, "other");
  const auto dump = parse_jit_dump(builder.view()).value();
  EXPECT_EQ(text_of(dump.codes[0].unwinding.eh_frame), "frames");
  EXPECT_EQ(text_of(dump.codes[0].unwinding.eh_frame_hdr), "hdr");
  EXPECT_EQ(dump.codes[0].eh_frame_address(), 0x1010u);
  EXPECT_TRUE(dump.codes[1].unwinding.eh_frame.empty());
}

class JitDumpFile : public testing::Test {
 protected:
  JitDumpFile() {
    options.symfs = directory.path();
    binary.kind = BinaryKind::jit_dump;
    binary.path = "/run/jit-7.dump";
    binary.pid = 42;
  }

  const test::TemporaryDirectory directory;
  SymbolizeOptions options = test::nowhere_else();
  Binary binary;
};

TEST_F(JitDumpFile, IsReadBelowTheSymfs) {
  directory.write("run/jit-7.dump", JitDumpBuilder().load(10, 0x1000, 16, 1, "jitted").view());
  Symbolizer symbolizer(options);
  EXPECT_EQ(name_at(symbolizer.file(binary), 0x1008), "jitted");
  EXPECT_EQ(symbolizer.file(binary).source(), directory.path() / "run/jit-7.dump");
  EXPECT_FALSE(symbolizer.file(binary).mangled());
}

TEST_F(JitDumpFile, WhatItDoesNotKnowThePerfMapOfTheProcessMayName) {
  directory.write("run/jit-7.dump", JitDumpBuilder().load(10, 0x1000, 16, 1, "jitted").view());
  directory.write("tmp/perf-42.map", std::string_view("1000 40 in the map\n"));
  Symbolizer symbolizer(options);
  EXPECT_EQ(name_at(symbolizer.file(binary), 0x1008), "jitted");
  EXPECT_EQ(name_at(symbolizer.file(binary), 0x1018), "in the map");
}

TEST_F(JitDumpFile, ThatIsGoneOrNoneLeavesThePerfMap) {
  EXPECT_EQ(Symbolizer(options).file(binary).why_missing(), Missing::map_missing);
  directory.write("run/jit-7.dump", std::string_view("no jitdump, but longer than the header of one would be"));
  directory.write("tmp/perf-42.map", std::string_view("1000 40 in the map\n"));
  Symbolizer symbolizer(options);
  EXPECT_EQ(name_at(symbolizer.file(binary), 0x1008), "in the map");
}

}  // namespace
}  // namespace perfsift::symbolize
