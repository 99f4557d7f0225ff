#include "symbolize/symbols/packed_names.h"

#include <string>

#include <gmock/gmock.h>

namespace perfsift::symbolize::packing {  // a unity build compiles other tests in the same file
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A table with one symbol of a strange name, and one that no address needs.
std::unique_ptr<SymbolTable> table() {
  auto table = std::make_unique<SymbolTable>();
  table->add({.start = 0x1000, .end = 0x1100, .name = "a\tb%\nc", .binding = Binding::weak});
  table->add({.start = 0x2000, .end = 0x2100, .name = "unused", .binding = Binding::global});
  table->set_mangled(true);
  table->set_entry(0x1040);
  table->set_missing(Missing::stripped);
  table->finish();
  return table;
}

std::vector<std::string> names_at(const SymbolFile& names, std::uint64_t offset) {
  std::vector<SourceFrame> frames;
  names.append_source_frames(offset, frames);
  std::vector<std::string> texts;
  for (const SourceFrame& frame : frames) texts.emplace_back(frame.name);
  return texts;
}

TEST(PackedNames, AreReadAsTheyWereWritten) {
  const auto again = read_packed_names(packed_names(*table(), {0x1010, 0x1500}));
  ASSERT_NE(again, nullptr);
  const Symbol* const symbol = again->find(0x1010);
  ASSERT_NE(symbol, nullptr);
  EXPECT_EQ(symbol->name, "a\tb%\nc");
  EXPECT_EQ(symbol->start, 0x1000);
  EXPECT_EQ(symbol->end, 0x1100);
  EXPECT_EQ(symbol->binding, Binding::weak);
  EXPECT_EQ(again->find(0x1500), nullptr);
  EXPECT_EQ(again->find(0x2010), nullptr);  // not asked for
  EXPECT_EQ(again->why_missing(), Missing::stripped);
  EXPECT_TRUE(again->mangled());
  EXPECT_TRUE(again->is_entry(0x1040));
}

TEST(PackedNames, OnlyWhatIsAskedForIsNoted) {
  const auto names = table();
  const auto asked = std::make_shared<AskedOffsets>();
  names->note_queries(asked);
  names->find(0x1010);
  std::vector<SourceFrame> frames;
  names->append_source_frames(0x1020, frames);
  EXPECT_THAT(asked->all(), ElementsAre(0x1010, 0x1020));
}

TEST(PackedNames, FramesAreInnermostFirst) {
  const auto names = read_packed_names(
      "perfsift-names\t1\nA\t10\nF\t1\t0\t7\t3\t/src/a.cpp\tinner\nF\t0\t1\t20\t0\t/src/b.cpp\touter\n");
  ASSERT_NE(names, nullptr);
  EXPECT_THAT(names_at(*names, 0x10), ElementsAre("inner", "outer"));
  EXPECT_THAT(names_at(*names, 0x11), IsEmpty());
  std::vector<SourceFrame> frames;
  names->append_source_frames(0x10, frames);
  EXPECT_TRUE(frames[0].inlined);
  EXPECT_EQ(frames[0].place.line, 7);
  EXPECT_EQ(frames[0].place.column, 3);
  EXPECT_EQ(frames[1].place.file, "/src/b.cpp");
  EXPECT_EQ(frames[1].place.line, 0x20);
}

TEST(PackedNames, OtherFormsAndLaterVersionsAreNotRead) {
  EXPECT_EQ(read_packed_names(""), nullptr);
  EXPECT_EQ(read_packed_names("perfsift-names\t2\nS\t0\t1\t0\tf\n"), nullptr);
  EXPECT_EQ(read_packed_names("S\t0\t1\t0\tf\n"), nullptr);
}

TEST(PackedNames, DamagedLinesArePassedOver) {
  const auto names = read_packed_names(
      "perfsift-names\t1\nS\t20\t10\t0\tends before it starts\nS\tx\t1\t0\tno number\nS\t0\t1\t9\tno "
      "binding\nS\nF\t0\t0\t0\t0\t\t\n"
      "A\tzz\nF\t0\t0\t1\t0\t/a\tno address\nS\t30\t40\t1\tgood\n");
  ASSERT_NE(names, nullptr);
  ASSERT_EQ(names->symbols().size(), 1);
  EXPECT_EQ(names->find(0x30)->name, "good");
}

}  // namespace
}  // namespace perfsift::symbolize::packing
