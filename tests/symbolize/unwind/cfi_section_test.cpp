// CFI bytes made by hand. See DWARF 5, 6.4 and 7.24, and "Exception Frames" in the LSB.
#include "symbolize/unwind/cfi_section.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbolize/unwind/cfi_program.h"
#include "symbolize/unwind/rule_compiler.h"
#include "tests/support/bytes.h"

namespace perfsift::symbolize {
namespace {

using test::BytesBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

// Appends an entry in its 32-bit form: a length and the content.
void add_entry(BytesBuilder& to, const BytesBuilder& content) {
  to.u32(static_cast<std::uint32_t>(content.size())).bytes(content.view());
}

// .eh_frame with one CIE for x86-64, "zR" with this encoding, and one FDE.
struct EhFrame {
  std::string augmentation = "zR";
  std::string augmentation_data = bytes({0x00});           // DW_EH_PE_absptr
  std::string cie_program = bytes({0x0c, 7, 8, 0x90, 1});  // def_cfa rsp+8; offset rip at cfa-8
  std::string fde_address = bytes({0x00, 0x10, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0});  // 0x1000, 0x20 bytes
  std::string fde_program;

  std::vector<std::byte> build() const {
    BytesBuilder cie;
    cie.u32(0).u8(1).text(augmentation).u8(0);
    if (augmentation == "eh") cie.u64(0);
    cie.u8(1).u8(0x78).u8(16);  // code alignment 1, data alignment -8, return address rip
    if (augmentation.starts_with('z'))
      cie.u8(static_cast<std::uint8_t>(augmentation_data.size())).text(augmentation_data);
    cie.text(cie_program);
    BytesBuilder section;
    add_entry(section, cie);
    BytesBuilder fde;
    fde.u32(static_cast<std::uint32_t>(section.size() + 4)).text(fde_address);
    if (augmentation.starts_with('z')) fde.u8(0);
    fde.text(fde_program);
    add_entry(section, fde);
    return section.u32(0).take();
  }
};

struct Range {
  std::uint64_t start, size;
  bool operator==(const Range&) const = default;
};

std::vector<Range> ranges_of(const CfiSection& section) {
  std::vector<Range> ranges;
  CfiReader(section).for_each_fde([&](std::uint64_t, const Fde& fde) { ranges.push_back({fde.start, fde.size}); });
  return ranges;
}

std::vector<Range> ranges_of(const EhFrame& frame, std::uint64_t address = 0) {
  const auto content = frame.build();
  return ranges_of(CfiSection{.bytes = content, .address = address, .text_address = 0x40000, .data_address = 0x80000});
}

// "1000: 7+8 16@-8": from this address on, CFA = register 7 + 8, and register 16 is at CFA - 8.
std::string text_of(std::uint64_t start, const FrameState& state) {
  char address[32];
  std::snprintf(address, sizeof address, "%llx:", static_cast<unsigned long long>(start));
  std::string text = address;
  text += state.has_cfa_expression ? " exp" + std::to_string(state.cfa_expression.size())
                                   : " " + std::to_string(state.cfa_register) + "+" + std::to_string(state.cfa_offset);
  for (unsigned r = 0; r < max_registers; ++r) {
    if ((state.ruled >> r & 1) == 0) continue;
    const auto& rule = state.registers[r];
    const char* const how[] = {"@", "=cfa+", "=r", "@exp", "=exp", "undefined"};
    text += " " + std::to_string(r) + how[static_cast<int>(rule.how)];
    if (rule.how == Recovery::undefined) continue;
    text += std::to_string(rule.expression.empty() ? rule.value : static_cast<std::int64_t>(rule.expression.size()));
  }
  return text;
}

std::vector<std::string> rows_of(const std::string& program, Architecture architecture = Architecture::x86_64) {
  EhFrame frame;
  frame.fde_program = program;
  const auto content = frame.build();
  const CfiSection section{.bytes = content};
  std::vector<std::string> rows;
  CfiReader reader(section);
  reader.for_each_fde([&](std::uint64_t, const Fde& fde) {
    const bool whole = run_cfi_program(
        fde, section, facts_of(architecture),
        [&](std::uint64_t start, std::uint64_t, const FrameState& state) { rows.push_back(text_of(start, state)); });
    if (!whole) rows.emplace_back("stopped");
  });
  return rows;
}

TEST(CfiSection, AddressesMayBeAbsolute) { EXPECT_THAT(ranges_of(EhFrame{}), ElementsAre(Range{0x1000, 0x20})); }

TEST(CfiSection, AddressesMayCountFromWhereTheyLie) {
  EhFrame frame{.augmentation_data = bytes({0x1b}), .fde_address = bytes({0x00, 0x01, 0, 0, 0x20, 0, 0, 0})};
  // Before the FDE's address are the CIE (4 + 18 bytes), the FDE's length and the distance to the CIE.
  EXPECT_THAT(ranges_of(frame, 0x5000), ElementsAre(Range{0x5000 + 22 + 8 + 0x100, 0x20}));
}

TEST(CfiSection, AddressesMayBeNegativeDistances) {
  EhFrame frame{.augmentation_data = bytes({0x1b}), .fde_address = bytes({0x00, 0xff, 0xff, 0xff, 0x20, 0, 0, 0})};
  EXPECT_THAT(ranges_of(frame, 0x5000), ElementsAre(Range{0x5000 + 22 + 8 - 0x100, 0x20}));
}

TEST(CfiSection, AddressesMayCountFromTextOrData) {
  EhFrame frame{.augmentation_data = bytes({0x23}), .fde_address = bytes({0x10, 0, 0, 0, 0x20, 0, 0, 0})};
  EXPECT_THAT(ranges_of(frame), ElementsAre(Range{0x40010, 0x20}));
  frame.augmentation_data = bytes({0x33});
  EXPECT_THAT(ranges_of(frame), ElementsAre(Range{0x80010, 0x20}));
}

TEST(CfiSection, AddressesMayBeOfAnyForm) {
  EhFrame frame{.augmentation_data = bytes({0x02}), .fde_address = bytes({0x34, 0x12, 0x20, 0})};
  EXPECT_THAT(ranges_of(frame), ElementsAre(Range{0x1234, 0x20}));
  frame = {.augmentation_data = bytes({0x01}), .fde_address = bytes({0xb4, 0x24, 0x20})};
  EXPECT_THAT(ranges_of(frame), ElementsAre(Range{0x1234, 0x20}));
  frame = {.augmentation_data = bytes({0x0c}), .fde_address = EhFrame{}.fde_address};
  EXPECT_THAT(ranges_of(frame), ElementsAre(Range{0x1000, 0x20}));
}

TEST(CfiSection, AnAddressThatIsElsewhereInMemoryIsNone) {
  EXPECT_THAT(ranges_of(EhFrame{.augmentation_data = bytes({0x80})}), IsEmpty());
}

TEST(CfiSection, PersonalityAndLanguageDataArePassedOver) {
  EhFrame frame{.augmentation = "zPLR"};
  frame.augmentation_data = bytes({0x9b, 1, 2, 3, 4, 0x1b, 0x00});
  EXPECT_THAT(ranges_of(frame), ElementsAre(Range{0x1000, 0x20}));
}

TEST(CfiSection, LettersOfTheFutureDoNotMatter) {
  EhFrame frame{.augmentation = "zR?", .augmentation_data = bytes({0x00, 0x77})};
  EXPECT_THAT(ranges_of(frame), ElementsAre(Range{0x1000, 0x20}));
}

TEST(CfiSection, AnOldCompilersExceptionTableIsPassedOver) {
  EXPECT_THAT(ranges_of(EhFrame{.augmentation = "eh"}), ElementsAre(Range{0x1000, 0x20}));
}

TEST(CfiSection, SIsASignalFrame) {
  const auto content = EhFrame{.augmentation = "zRS"}.build();
  bool signal = false;
  const CfiSection section{.bytes = content};
  CfiReader(section).for_each_fde([&](std::uint64_t, const Fde& fde) { signal = fde.cie->signal_frame; });
  EXPECT_TRUE(signal);
}

TEST(CfiSection, DebugFrameHasItsOwnMarksInBothForms) {
  BytesBuilder cie, fde, section;
  cie.u32(0xffffffff).u8(4).u8(0).u8(8).u8(0).u8(1).u8(0x78).u8(16).u8(0x0c).u8(7).u8(8);
  add_entry(section, cie);
  fde.u32(0).u64(0x2000).u64(0x30);
  add_entry(section, fde);
  const auto wide_cie = section.size();
  section.u32(0xffffffff).u64(cie.size() + 4).u64(~std::uint64_t{0}).bytes(cie.view().subspan(4));
  section.u32(0xffffffff).u64(24).u64(wide_cie).u64(0x3000).u64(0x40);
  EXPECT_THAT(ranges_of(CfiSection{.bytes = section.view(), .eh_frame = false}),
              ElementsAre(Range{0x2000, 0x30}, Range{0x3000, 0x40}));
}

TEST(CfiSection, AnImpossibleLengthEndsIt) {
  auto content = EhFrame{}.build();
  const auto whole = content;
  content.insert(content.end(), whole.begin(), whole.end());
  content[whole.size() + 3] = std::byte{0x7f};  // a byte of the second CIE
  EXPECT_THAT(ranges_of(CfiSection{.bytes = content}), ElementsAre(Range{0x1000, 0x20}));
}

TEST(CfiSection, AnFdeWithoutACieIsNone) {
  for (const std::uint32_t cie : {1u, 4u, 5u, 0x7fffffffu}) {
    const auto section = BytesBuilder().u32(20).u32(cie).u64(0x1000).u64(0x20).take();
    EXPECT_THAT(ranges_of(CfiSection{.bytes = section}), IsEmpty()) << cie;
  }
}

TEST(CfiProgram, WithoutInstructionsTheCiesRowHolds) { EXPECT_THAT(rows_of(""), ElementsAre("1000: 7+8 16@-8")); }

TEST(CfiProgram, AFunctionThatPushesAndPops) {
  EXPECT_THAT(
      rows_of(bytes({0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 0x10, 0x0c, 7, 8})),
      ElementsAre("1000: 7+8 16@-8", "1001: 7+16 6@-16 16@-8", "1004: 6+16 6@-16 16@-8", "1014: 7+8 6@-16 16@-8"));
}

TEST(CfiProgram, AdvancesOfTwoFourAndEightBytes) {
  EXPECT_THAT(
      rows_of(bytes({0x03, 2, 0, 0x0e, 16, 0x04, 3, 0, 0, 0, 0x0e, 24, 0x1d, 4, 0, 0, 0, 0, 0, 0, 0, 0x0e, 32})),
      ElementsAre("1000: 7+8 16@-8", "1002: 7+16 16@-8", "1005: 7+24 16@-8", "1009: 7+32 16@-8"));
}

TEST(CfiProgram, SetLocationNamesTheAddress) {
  EXPECT_THAT(rows_of(bytes({0x01, 0x10, 0x10, 0, 0, 0, 0, 0, 0, 0x0e, 16})),
              ElementsAre("1000: 7+8 16@-8", "1010: 7+16 16@-8"));
}

TEST(CfiProgram, RememberedStatesHaveTheCfaToo) {
  EXPECT_THAT(rows_of(bytes({0x0a, 0x41, 0x0e, 32, 0x83, 3, 0x41, 0x0b})),
              ElementsAre("1000: 7+8 16@-8", "1001: 7+32 3@-24 16@-8", "1002: 7+8 16@-8"));
}

TEST(CfiProgram, RestoreGoesBackToTheCiesRule) {
  EXPECT_THAT(rows_of(bytes({0x83, 3, 0x90, 5, 0x41, 0xc3, 0xd0, 0x41, 0x05, 3, 7, 0x06, 3})),
              ElementsAre("1000: 7+8 3@-24 16@-40", "1001: 7+8 16@-8", "1002: 7+8 16@-8"));
}

TEST(CfiProgram, EveryKindOfRegisterRule) {
  EXPECT_THAT(rows_of(bytes({0x05, 3,  2,              // offset_extended
                             0x11, 6,  0x7f,           // offset_extended_sf: -1 times -8
                             0x14, 12, 2,              // val_offset
                             0x15, 13, 0x7e,           // val_offset_sf
                             0x09, 14, 5,              // register
                             0x10, 15, 2,    0x77, 0,  // expression: rsp+0
                             0x16, 0,  1,    0x30,     // val_expression: lit0
                             0x07, 1,                  // undefined
                             0x2f, 2,  4,              // GNU_negative_offset_extended
                             0x08, 16,                 // same_value
                             0x2e, 40, 0x2d, 0})),     // GNU_args_size, negate_ra_state, nop
              ElementsAre("1000: 7+8 0=exp1 1undefined 2@32 3@-16 6@8 12=cfa+-16 13=cfa+16 14=r5 15@exp2"));
}

TEST(CfiProgram, EveryKindOfCfa) {
  EXPECT_THAT(rows_of(bytes({0x12, 6, 0x7e, 0x41, 0x13, 0x7d, 0x41, 0x0f, 3, 0x77, 8, 0x06, 0x41, 0x0c, 7, 16})),
              ElementsAre("1000: 6+16 16@-8", "1001: 6+24 16@-8", "1002: exp3 16@-8", "1003: 7+16 16@-8"));
}

TEST(CfiProgram, RegistersThatAreNotKeptArePassedOver) {
  EXPECT_THAT(rows_of(bytes({0x05, 17, 2, 0x05, 0xff, 0x7f, 2, 0x06, 33, 0x08, 60})), ElementsAre("1000: 7+8 16@-8"));
}

TEST(CfiProgram, NothingComesAfterTheEndOfTheFunction) {
  EXPECT_THAT(rows_of(bytes({0x02, 0x30, 0x0e, 16, 0x41, 0x0e, 24})), ElementsAre("1000: 7+8 16@-8"));
}

TEST(CfiProgram, WhatCannotBeFollowedEndsTheRows) {
  EXPECT_THAT(rows_of(bytes({0x41, 0x0e, 16, 0x41, 0x3f})),
              ElementsAre("1000: 7+8 16@-8", "1001: 7+16 16@-8", "stopped"));
  EXPECT_THAT(rows_of(bytes({0x0b})), ElementsAre("stopped")) << "restore_state without a remembered one";
  EXPECT_THAT(rows_of(bytes({0x0e})), ElementsAre("stopped")) << "an operand is missing";
  EXPECT_THAT(rows_of(bytes({0x0f, 40, 1})), ElementsAre("stopped")) << "an expression longer than the FDE";
  EXPECT_THAT(rows_of(std::string(1000, '\x0a')), ElementsAre("stopped")) << "remember_state without end";
}

TEST(RuleCompiler, KeepsEachKindOfFrameOnce) {
  EhFrame frame;
  frame.fde_program = bytes({0x41, 0x0e, 16, 0x41, 0x0e, 8, 0x41, 0x0e, 16});
  const auto content = frame.build();
  const CfiSection section{.bytes = content};
  RuleCompiler compiler(facts_of(Architecture::x86_64), 0x800);
  CfiReader(section).for_each_fde(
      [&](std::uint64_t, const Fde& fde) { compiler.add(fde, fde.start + fde.size, section); });
  const RuleTable table = compiler.take();
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(table.rules.size(), 2u);
  EXPECT_EQ(table.rows[0].start, 0x800u);
  EXPECT_EQ(table.rows[0].rule, table.rows[2].rule);
  EXPECT_EQ(table.rows[1].rule, table.rows[3].rule);
  EXPECT_EQ(table.rows[4].start, 0x820u);
  EXPECT_EQ(table.find(0x820), nullptr);
  EXPECT_EQ(table.find(0x7ff), nullptr);
  EXPECT_EQ(table.find(0x81f)->cfa_offset, 16);
}

}  // namespace
}  // namespace perfsift::symbolize
