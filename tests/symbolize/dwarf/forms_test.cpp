#include "symbolize/dwarf/forms.h"

#include <dwarf.h>
#include <gtest/gtest.h>

#include "symbolize/dwarf/abbreviations.h"
#include "tests/support/dwarf_program.h"

namespace perfsift::symbolize::dwarf {
namespace {

constexpr UnitSizes sizes{.version = 5, .address_size = 8, .offset_size = 4};

// A value of each form, in the layout of DWARF 5, section 7.5.6, and the GNU extensions.
struct Example {
  std::uint16_t form;
  std::vector<std::uint8_t> bytes;
  ValueKind kind;
  std::uint64_t number;
};

const std::vector<Example> examples = {
    {DW_FORM_addr, {1, 2, 3, 4, 5, 6, 7, 8}, ValueKind::address, 0x0807060504030201},
    {DW_FORM_block2, {2, 0, 9, 9}, ValueKind::none, 0},
    {DW_FORM_block4, {1, 0, 0, 0, 9}, ValueKind::none, 0},
    {DW_FORM_data2, {1, 2}, ValueKind::constant, 0x0201},
    {DW_FORM_data4, {1, 2, 3, 4}, ValueKind::constant, 0x04030201},
    {DW_FORM_data8, {1, 0, 0, 0, 0, 0, 0, 1}, ValueKind::constant, 0x0100000000000001},
    {DW_FORM_string, {'a', 'b', 0}, ValueKind::info_string, 0},
    {DW_FORM_block, {3, 9, 9, 9}, ValueKind::none, 0},
    {DW_FORM_block1, {1, 9}, ValueKind::none, 0},
    {DW_FORM_data1, {7}, ValueKind::constant, 7},
    {DW_FORM_flag, {1}, ValueKind::constant, 1},
    {DW_FORM_sdata, {0x7f}, ValueKind::constant, ~std::uint64_t{0}},
    {DW_FORM_strp, {1, 0, 0, 0}, ValueKind::str_offset, 1},
    {DW_FORM_udata, {0x80, 0x01}, ValueKind::constant, 128},
    {DW_FORM_ref_addr, {1, 0, 0, 0}, ValueKind::info_reference, 1},
    {DW_FORM_ref1, {5}, ValueKind::unit_reference, 5},
    {DW_FORM_ref2, {5, 1}, ValueKind::unit_reference, 0x105},
    {DW_FORM_ref4, {5, 0, 0, 0}, ValueKind::unit_reference, 5},
    {DW_FORM_ref8, {5, 0, 0, 0, 0, 0, 0, 0}, ValueKind::unit_reference, 5},
    {DW_FORM_ref_udata, {0x85, 0x01}, ValueKind::unit_reference, 133},
    {DW_FORM_indirect, {DW_FORM_data1, 7}, ValueKind::constant, 7},
    {DW_FORM_sec_offset, {1, 0, 0, 0}, ValueKind::section_offset, 1},
    {DW_FORM_exprloc, {2, 9, 9}, ValueKind::none, 0},
    {DW_FORM_flag_present, {}, ValueKind::constant, 1},
    {DW_FORM_strx, {0x80, 0x01}, ValueKind::str_index, 128},
    {DW_FORM_addrx, {3}, ValueKind::address_index, 3},
    {DW_FORM_ref_sup4, {1, 0, 0, 0}, ValueKind::alternate_reference, 1},
    {DW_FORM_strp_sup, {1, 0, 0, 0}, ValueKind::alternate_str, 1},
    {DW_FORM_data16, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, ValueKind::none, 0},
    {DW_FORM_line_strp, {1, 0, 0, 0}, ValueKind::line_str_offset, 1},
    {DW_FORM_ref_sig8, {0, 0, 0, 0, 0, 0, 0, 0}, ValueKind::none, 0},
    {DW_FORM_implicit_const, {}, ValueKind::constant, 42},
    {DW_FORM_loclistx, {1}, ValueKind::none, 0},
    {DW_FORM_rnglistx, {1}, ValueKind::range_list_index, 1},
    {DW_FORM_ref_sup8, {1, 0, 0, 0, 0, 0, 0, 0}, ValueKind::alternate_reference, 1},
    {DW_FORM_strx1, {1}, ValueKind::str_index, 1},
    {DW_FORM_strx2, {1, 1}, ValueKind::str_index, 0x101},
    {DW_FORM_strx3, {1, 1, 1}, ValueKind::str_index, 0x010101},
    {DW_FORM_strx4, {1, 1, 1, 1}, ValueKind::str_index, 0x01010101},
    {DW_FORM_addrx1, {1}, ValueKind::address_index, 1},
    {DW_FORM_addrx2, {1, 1}, ValueKind::address_index, 0x101},
    {DW_FORM_addrx3, {1, 2, 3}, ValueKind::address_index, 0x030201},
    {DW_FORM_addrx4, {1, 1, 1, 1}, ValueKind::address_index, 0x01010101},
    {DW_FORM_GNU_addr_index, {2}, ValueKind::address_index, 2},
    {DW_FORM_GNU_str_index, {2}, ValueKind::str_index, 2},
    {DW_FORM_GNU_ref_alt, {1, 0, 0, 0}, ValueKind::alternate_reference, 1},
    {DW_FORM_GNU_strp_alt, {1, 0, 0, 0}, ValueKind::alternate_str, 1},
};

TEST(Forms, EachIsReadAndLeftAtItsEnd) {
  if (std::endian::native != std::endian::little) GTEST_SKIP() << "the examples are of little-endian files";
  for (const Example& example : examples) {
    DwarfReader in(std::as_bytes(std::span(example.bytes)), ByteOrder::native);
    const Value value = read_value(in, example.form, 42, sizes);
    EXPECT_EQ(value.kind, example.kind) << example.form;
    EXPECT_EQ(value ? value.number : 0, example.number) << example.form;
    EXPECT_TRUE(in.ok()) << example.form;
    EXPECT_EQ(in.remaining(), 0U) << example.form;
  }
}

TEST(Forms, AnAbbreviationLeadsPastEntriesOfEveryForm) {
  // One entry with all forms, twice in a row.
  test::BytesBuilder abbreviation, entry;
  abbreviation.u8(1).u8(DW_TAG_variable).u8(DW_CHILDREN_no);
  for (const Example& example : examples) {
    test::uleb128(test::uleb128(abbreviation, DW_AT_name), example.form);
    if (example.form == DW_FORM_implicit_const) abbreviation.u8(42);
    for (const std::uint8_t byte : example.bytes) entry.u8(byte);
  }
  abbreviation.u8(0).u8(0).u8(0);
  Budget budget(1 << 20);
  const AbbreviationTable table(abbreviation.view(), ByteOrder::native, 0, sizes, budget);
  const Abbreviation* found = table.find(1);
  ASSERT_NE(found, nullptr);
  DwarfReader in(entry.view(), ByteOrder::native);
  table.skip(in, *found);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 0U);
}

TEST(Forms, AReferenceOfDwarf2HasTheSizeOfAnAddress) {
  const auto bytes = test::BytesBuilder().u64(0x100000001).take();
  DwarfReader in(bytes, ByteOrder::native);
  const UnitSizes version_2{.version = 2, .address_size = 8, .offset_size = 4};
  EXPECT_EQ(read_value(in, DW_FORM_ref_addr, 0, version_2).number, 0x100000001U);
}

TEST(Forms, AnIndirectFormOfAnIndirectFormIsRefused) {
  const std::uint8_t bytes[] = {DW_FORM_indirect, DW_FORM_data1, 7};
  DwarfReader in(std::as_bytes(std::span(bytes)), ByteOrder::native);
  EXPECT_FALSE(read_value(in, DW_FORM_indirect, 0, sizes));
  EXPECT_FALSE(in.ok());
}

TEST(Forms, AnUnknownOneEndsTheReading) {
  const std::uint8_t bytes[] = {1, 2, 3, 4};
  DwarfReader in(std::as_bytes(std::span(bytes)), ByteOrder::native);
  EXPECT_FALSE(read_value(in, 0x7f, 0, sizes));
  EXPECT_FALSE(in.ok());
}

TEST(Abbreviations, MayHaveAnyNumbersInAnyOrder) {
  test::BytesBuilder bytes;
  for (const std::uint64_t code : {std::uint64_t{7}, std::uint64_t{1} << 40, std::uint64_t{2}}) {
    test::uleb128(bytes, code).u8(DW_TAG_variable).u8(0).u8(0).u8(0);
  }
  bytes.u8(0);
  Budget budget(1 << 20);
  const AbbreviationTable table(bytes.view(), ByteOrder::native, 0, sizes, budget);
  for (const std::uint64_t code : {std::uint64_t{7}, std::uint64_t{1} << 40, std::uint64_t{2}}) {
    ASSERT_NE(table.find(code), nullptr) << code;
    EXPECT_EQ(table.find(code)->code, code);
  }
  EXPECT_EQ(table.find(1), nullptr);
  EXPECT_EQ(table.find(0), nullptr);
}

TEST(Leb128, NumbersMayBePaddedAndMayNotEnd) {
  const std::uint8_t padded[] = {0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
  DwarfReader in(std::as_bytes(std::span(padded)), ByteOrder::native);
  EXPECT_EQ(in.uleb128(), 1U);
  EXPECT_TRUE(in.ok());
  const std::uint8_t endless[] = {0x80, 0x80};
  for (const bool is_signed : {false, true}) {
    DwarfReader cut(std::as_bytes(std::span(endless)), ByteOrder::native);
    if (is_signed)
      (void)cut.sleb128();
    else
      (void)cut.uleb128();
    EXPECT_FALSE(cut.ok());
  }
}

TEST(Leb128, SignedNumbersAreThoseOfTheStandard) {
  // DWARF 5, table 7.8.
  const std::vector<std::pair<std::vector<std::uint8_t>, std::int64_t>> table = {{{2}, 2},
                                                                                 {{0x7e}, -2},
                                                                                 {{0xff, 0x00}, 127},
                                                                                 {{0x81, 0x7f}, -127},
                                                                                 {{0x80, 0x01}, 128},
                                                                                 {{0x80, 0x7f}, -128},
                                                                                 {{0x81, 0x01}, 129},
                                                                                 {{0xff, 0x7e}, -129}};
  for (const auto& [bytes, number] : table) {
    DwarfReader in(std::as_bytes(std::span(bytes)), ByteOrder::native);
    EXPECT_EQ(in.sleb128(), number);
  }
}

}  // namespace
}  // namespace perfsift::symbolize::dwarf
