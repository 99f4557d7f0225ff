#include "symbolize/dwarf/debug_info.h"

#include <thread>

#include <dwarf.h>
#include <gmock/gmock.h>

#include "tests/symbolize/dwarf/frames.h"

namespace perfsift::symbolize::dwarf {
namespace {

using test::dwarf_program;
using test::DwarfProgram;
using test::frames_at;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t in_outer = 0x1004, in_inner = 0x1010, in_innermost = 0x1014, after_inner = 0x1020;

class EveryVersion : public testing::TestWithParam<int> {
 protected:
  DwarfProgram program = dwarf_program(static_cast<std::uint16_t>(GetParam()));

  std::vector<std::byte>& section(const std::string& name) { return program.sections.at(name); }
  // Overwrites bytes.
  template <typename T>
  void put(const std::string& name, std::size_t offset, T value) {
    std::memcpy(section(name).data() + offset, &value, sizeof value);
  }
};
INSTANTIATE_TEST_SUITE_P(Dwarf, EveryVersion, testing::Values(4, 5));

TEST_P(EveryVersion, TheCallsAroundAnAddressAreToldFromTheInnermostOutwards) {
  EXPECT_THAT(frames_at(program, in_outer), ElementsAre("_Z5outerv at /src/a.c:1:0"));
  EXPECT_THAT(frames_at(program, in_inner), ElementsAre("inlined inner at /src/a.c:3:0", "_Z5outerv at /src/a.c:12:7"));
  EXPECT_THAT(
      frames_at(program, in_innermost),
      ElementsAre("inlined innermost at /src/a.c:30:0", "inlined inner at /src/a.c:5:3", "_Z5outerv at /src/a.c:12:7"));
  EXPECT_THAT(frames_at(program, in_innermost + 4),
              ElementsAre("inlined inner at /src/a.c:20:0", "_Z5outerv at /src/a.c:12:7"));
  EXPECT_THAT(frames_at(program, after_inner), ElementsAre("_Z5outerv at /src/a.c:20:0"));
}

TEST_P(EveryVersion, BeforeAndAfterTheCodeThereIsNothing) {
  EXPECT_THAT(frames_at(program, 0xfff), IsEmpty());
  EXPECT_THAT(frames_at(program, 0x1100), IsEmpty());
  EXPECT_THAT(frames_at(program, 0), IsEmpty());
  EXPECT_THAT(frames_at(program, ~std::uint64_t{0}), IsEmpty());
}

TEST_P(EveryVersion, AnEntryThatIsItsOwnOriginHasNoName) {
  for (const std::size_t at : program.origins) put(".debug_info", at, static_cast<std::uint32_t>(at - 1));
  EXPECT_THAT(frames_at(program, in_innermost),
              ElementsAre("inlined  at /src/a.c:30:0", "inlined  at /src/a.c:5:3", "_Z5outerv at /src/a.c:12:7"));
}

TEST_P(EveryVersion, WhereverTheSectionsEndNothingIsReadBeyond) {
  for (const char* name : test::dwarf_sections) {
    if (!program.sections.contains(name)) continue;
    const std::vector<std::byte> whole = section(name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      section(name).assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      for (const std::uint64_t address : {in_outer, in_inner, in_innermost}) {
        EXPECT_LE(frames_at(program, address).size(), 3U) << name << ' ' << size;
      }
    }
    section(name) = whole;
  }
}

TEST_P(EveryVersion, WhateverAByteIsNothingWorseIsLostThanAName) {
  for (const char* name : test::dwarf_sections) {
    if (!program.sections.contains(name)) continue;
    const std::vector<std::byte> whole = section(name);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const unsigned value : {0x00U, 0x01U, 0x7fU, 0x80U, 0xffU}) {
        section(name)[at] = static_cast<std::byte>(value);
        EXPECT_LE(frames_at(program, in_innermost).size(), 3U) << name << ' ' << at << ' ' << value;
      }
      section(name)[at] = whole[at];
    }
  }
}

TEST_P(EveryVersion, AFunctionThatTheLinkerDroppedHidesNoOther) {
  // A second unit with the same content at address 0, where linkers leave a dropped function.
  std::vector<std::byte>& info = section(".debug_info");
  const std::vector<std::byte> sound = info;
  const std::uint64_t code = DwarfProgram::code;
  for (std::size_t at = 0; at + 8 <= info.size(); ++at)
    if (std::memcmp(info.data() + at, &code, 8) == 0) put(".debug_info", at, std::uint64_t{0});
  info.insert(info.end(), sound.begin(), sound.end());
  EXPECT_THAT(frames_at(program, in_outer), ElementsAre("_Z5outerv at /src/a.c:1:0"));
}

TEST_P(EveryVersion, AUnitOfAnUnknownVersionIsSkipped) {
  std::vector<std::byte>& info = section(".debug_info");
  const auto unknown = test::BytesBuilder().u32(6).u16(99).u32(0xffffffff).take();
  info.insert(info.begin(), unknown.begin(), unknown.end());
  EXPECT_THAT(frames_at(program, in_outer), ElementsAre("_Z5outerv at /src/a.c:1:0"));
}

TEST_P(EveryVersion, ThreadsMayAskForTheSameUnitAtOnce) {
  const auto info = test::debug_info_of(ElfFile::from_memory(program.elf(), "/nowhere/program"));
  std::vector<std::vector<std::string>> seen(4);
  std::vector<std::thread> threads;
  for (auto& slot : seen) threads.emplace_back([&] { slot = frames_at(*info, in_innermost); });
  for (auto& thread : threads) thread.join();
  for (const auto& slot : seen) EXPECT_EQ(slot, frames_at(program, in_innermost));
}

TEST(DebugInfo, DeepNestingCostsNoStack) {
  // A million nested lexical blocks, one byte each.
  DwarfProgram program = dwarf_program(4);
  test::BytesBuilder abbreviations;
  abbreviations.u8(1).u8(DW_TAG_compile_unit).u8(1).u8(DW_AT_low_pc).u8(DW_FORM_addr).u8(DW_AT_high_pc);
  abbreviations.u8(DW_FORM_data4).u8(0).u8(0).u8(2).u8(DW_TAG_lexical_block).u8(1).u8(0).u8(0).u8(0);
  constexpr std::uint32_t depth = 1'000'000;
  test::BytesBuilder info;
  info.u32(2 + 4 + 1 + 13 + depth).u16(4).u32(0).u8(8).u8(1).u64(DwarfProgram::code).u32(0x100);
  for (std::uint32_t i = 0; i < depth; ++i) info.u8(2);
  program.sections[".debug_abbrev"] = abbreviations.take();
  program.sections[".debug_info"] = info.take();
  EXPECT_THAT(frames_at(program, in_outer), IsEmpty());
}

TEST(DebugInfo, AListThatAMillionEntriesShareIsNotReadAMillionTimes) {
  // Every entry has the same list of 100,000 ranges. Reading the list for each entry would take 100,000 x 100,000
  // steps.
  DwarfProgram program = dwarf_program(4);
  test::BytesBuilder abbreviations;
  abbreviations.u8(1).u8(DW_TAG_compile_unit).u8(1).u8(DW_AT_low_pc).u8(DW_FORM_addr).u8(DW_AT_high_pc);
  abbreviations.u8(DW_FORM_data4).u8(0).u8(0).u8(2).u8(DW_TAG_subprogram).u8(0).u8(DW_AT_ranges).u8(DW_FORM_data1);
  abbreviations.u8(0).u8(0).u8(0);
  constexpr std::uint32_t entries = 100'000;
  test::BytesBuilder info, ranges;
  info.u32(2 + 4 + 1 + 13 + 2 * entries).u16(4).u32(0).u8(8).u8(1).u64(DwarfProgram::code).u32(0x100);
  for (std::uint32_t i = 0; i < entries; ++i) info.u8(2).u8(0);
  for (std::uint32_t i = 0; i < entries; ++i) ranges.u64(1).u64(2);
  program.sections[".debug_abbrev"] = abbreviations.take();
  program.sections[".debug_info"] = info.take();
  program.sections[".debug_ranges"] = ranges.take();
  EXPECT_THAT(frames_at(program, in_outer), IsEmpty());
}

TEST(DebugInfo, AFileWithoutItIsNone) {
  const auto elf = test::ElfBuilder().section(".text", test::BytesBuilder().u8(1).view()).take();
  EXPECT_EQ(test::debug_info_of(ElfFile::from_memory(elf, "")), nullptr);
  EXPECT_EQ(test::debug_info_of(nullptr), nullptr);
}

}  // namespace
}  // namespace perfsift::symbolize::dwarf
