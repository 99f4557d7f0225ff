#include "record/bpf/payload_layout.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/record/bpf/made_btf.h"

namespace perfsift::record {
namespace {

using test::MadeBtf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

Btf parsed(const MadeBtf& made) { return Btf::parse(made.bytes()).value(); }

std::vector<std::string> names_of(const PayloadLayout& layout) {
  std::vector<std::string> names;
  for (const PayloadField& field : layout.fields) names.push_back(field.name);
  return names;
}

TEST(Btf, BytesThatAreNoTypesAreRefused) {
  MadeBtf made;
  made.integer("int", 4, 1);
  std::vector<std::byte> bytes = made.bytes();
  EXPECT_TRUE(Btf::parse(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(Btf::parse({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
  bytes[0] = std::byte{0xeb}, bytes[1] = std::byte{0x9f};  // the other byte order
  EXPECT_FALSE(Btf::parse(bytes));
}

TEST(PayloadLayout, MembersBecomeFieldsByTheirPaths) {
  MadeBtf made;
  const auto integer = made.integer("int", 4, 1);
  const auto word = made.integer("unsigned int", 4);
  const auto point = made.structure("point", 8, {{"x", integer, 0}, {"y", made.constant(word), 32}});
  const auto event = made.structure(
      "event", 32, {{"id", made.alias("u32", word), 0}, {"from", point, 64}, {"hops", made.array(point, 2), 128}});
  const auto layout = payload_layout(parsed(made), event);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->size, 32u);
  EXPECT_EQ(layout->type, "event");
  EXPECT_THAT(names_of(*layout), ElementsAre("id", "from_x", "from_y", "hops_0_x", "hops_0_y", "hops_1_x", "hops_1_y"));
  EXPECT_EQ(layout->fields[6].offset, 28u);
  EXPECT_TRUE(layout->fields[5].is_signed);
  EXPECT_FALSE(layout->fields[6].is_signed);
}

TEST(PayloadLayout, EachFormOfAField) {
  MadeBtf made;
  const auto letter = made.integer("char", 1, 1);
  const auto byte = made.integer("unsigned char", 1);
  const auto half = made.integer("short", 2, 1);
  const auto state = made.enumeration("state", 4, {{"IDLE", 0}, {"FAILED", -1}, {"\"}", 3}});
  const auto event = made.structure("event", 64,
                                    {{"name", made.array(letter, 16), 0},
                                     {"key", made.array(byte, 4), 128},
                                     {"rows", made.array(made.array(half, 2), 3), 160},
                                     {"state", state, 256},
                                     {"at", made.pointer(0), 320},
                                     {"last", made.integer("_Bool", 1, 4), 384},
                                     {"texts", made.array(made.array(letter, 4), 2), 392}});
  const auto layout = payload_layout(parsed(made), event);
  ASSERT_TRUE(layout);
  ASSERT_THAT(names_of(*layout), ElementsAre("name", "key", "rows", "state", "at", "last", "texts_0", "texts_1"));
  std::vector<PayloadForm> forms;
  for (const PayloadField& field : layout->fields) forms.push_back(field.form);
  EXPECT_THAT(forms, ElementsAre(PayloadForm::text, PayloadForm::numbers, PayloadForm::numbers, PayloadForm::number,
                                 PayloadForm::address, PayloadForm::truth, PayloadForm::text, PayloadForm::text));
  EXPECT_EQ(layout->fields[2].element_size, 2u);
  EXPECT_EQ(layout->fields[2].size, 12u);
  EXPECT_TRUE(layout->fields[3].is_signed);
  EXPECT_THAT(layout->fields[3].names, ElementsAre(Pair(0, "IDLE"), Pair(-1, "FAILED")));  // a name like C's only
}

TEST(PayloadLayout, BitFieldsKnowTheirBits) {
  MadeBtf made;
  const auto integer = made.integer("int", 4, 1);
  const auto event = made.structure("event", 8, {{"a", integer, 3, 7}, {"b", integer, 32, 0}});
  const auto layout = payload_layout(parsed(made), event);
  ASSERT_TRUE(layout);
  ASSERT_EQ(layout->fields.size(), 2u);
  EXPECT_EQ(layout->fields[0].bit_size, 7u);
  EXPECT_EQ(layout->fields[0].bit_offset, 3u);
  EXPECT_EQ(layout->fields[0].size, 2u);
  EXPECT_EQ(layout->fields[1].bit_size, 0u);
}

TEST(PayloadLayout, NamesAreIdentifiersAndDiffer) {
  MadeBtf made;
  const auto integer = made.integer("int", 4, 1);
  const auto inner = made.structure("", 4, {{"b", integer, 0}});
  const auto event = made.structure("event", 24,
                                    {{"a_b", integer, 0},
                                     {"a", inner, 32},
                                     {"x\n\x1b[m", integer, 64},
                                     {"common_type", integer, 96},
                                     {"", inner, 128},
                                     {"7", integer, 160}});
  const auto layout = payload_layout(parsed(made), event);
  ASSERT_TRUE(layout);
  EXPECT_THAT(names_of(*layout), ElementsAre("a_b", "a_b_2", "x___m", "_common_type", "b", "_7"));
}

TEST(PayloadLayout, WhatLiesOutsideIsLeftOut) {
  MadeBtf made;
  const auto integer = made.integer("int", 4, 1);
  const auto event = made.structure(
      "event", 8,
      {{"a", integer, 0}, {"b", integer, 40}, {"bits", integer, 60, 8}, {"tail", made.array(integer, 0), 64}});
  const auto layout = payload_layout(parsed(made), event);
  ASSERT_TRUE(layout);
  EXPECT_THAT(names_of(*layout), ElementsAre("a"));
  EXPECT_THAT(layout->left_out, ElementsAre(HasSubstr("b is not"), HasSubstr("bits is not"), HasSubstr("tail is not")));
}

TEST(PayloadLayout, CirclesEnd) {
  MadeBtf made;
  const auto self = made.structure("self", 8, {{"next", 1, 0}});
  ASSERT_EQ(self, 1u);
  const auto first = made.alias("first", 3);
  made.alias("second", first);
  const auto layout = payload_layout(parsed(made), self);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->fields.size(), 1u);  // bytes, where it is too deep
  EXPECT_EQ(layout->fields.front().form, PayloadForm::bytes);
  EXPECT_FALSE(payload_layout(parsed(made), first));
}

TEST(PayloadLayout, FieldsAndElementsAreBounded) {
  MadeBtf made;
  const auto integer = made.integer("int", 4, 1);
  std::vector<MadeBtf::Member> members;
  for (std::uint32_t i = 0; i < 1000; ++i) members.push_back({"m", integer, i * 32});
  const auto wide = made.structure("wide", 4000, members);
  const auto one = made.structure("one", 4, {{"x", integer, 0}});
  const auto long_one = made.structure("long", 400, {{"all", made.array(one, 100), 0}});
  const auto layout = payload_layout(parsed(made), wide);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->fields.size(), most_payload_fields);
  EXPECT_THAT(layout->left_out, ElementsAre(HasSubstr("first 512 fields")));
  EXPECT_EQ(payload_layout(parsed(made), long_one)->fields.front().form, PayloadForm::bytes);
}

TEST(PayloadLayout, TypesWithoutASizeAreNone) {
  MadeBtf made;
  const auto letter = made.integer("char", 1, 1);
  const auto huge = made.array(letter, 1 << 20);
  made.structure("empty", 0, {});
  EXPECT_FALSE(payload_layout(parsed(made), 0));
  EXPECT_FALSE(payload_layout(parsed(made), huge));
  EXPECT_FALSE(payload_layout(parsed(made), 3));
  EXPECT_FALSE(payload_layout(parsed(made), 99));
  std::vector<Btf> all;
  all.push_back(parsed(made));
  const auto types = payload_types(all);
  ASSERT_EQ(types.size(), 1u);
  EXPECT_EQ(types.front().name, "char");
}

}  // namespace
}  // namespace perfsift::record
