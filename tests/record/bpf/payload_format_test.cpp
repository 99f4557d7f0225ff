#include "record/bpf/payload_format.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gmock/gmock.h>

#include "reader/format/sample.h"
#include "reader/record_walk.h"
#include "record/bpf/typed_payloads.h"
#include "tests/record/bpf/made_btf.h"

namespace perfsift::record {
namespace {

using filter::Number;
using test::BytesBuilder;
using test::MadeBtf;
using testing::ElementsAre;

// struct event { char name[8]; s16 level; u8 key[2]; enum { IDLE, BUSY = 2 } state; s32 low: 3; u32 high: 12; void* at;
// }
PayloadLayout event_layout() {
  MadeBtf made;
  const auto integer = made.integer("int", 4, 1);
  const auto word = made.integer("unsigned int", 4);
  const auto state = made.enumeration("state", 4, {{"IDLE", 0}, {"BUSY", 2}});
  const auto event = made.structure("event", 32,
                                    {{"name", made.array(made.integer("char", 1, 1), 8), 0},
                                     {"level", made.integer("short", 2, 1), 64},
                                     {"key", made.array(made.integer("unsigned char", 1), 2), 80},
                                     {"state", state, 96},
                                     {"low", integer, 128, 3},
                                     {"high", word, 131, 12},
                                     {"at", made.pointer(0), 192}});
  return payload_layout(Btf::parse(made.bytes()).value(), event).value();
}

std::vector<std::byte> event_payload() {
  BytesBuilder bytes;
  bytes.text(std::string_view("abc\0xxxx", 8)).u16(static_cast<std::uint16_t>(-7)).u8(0x1f).u8(0xf1).u32(2);
  return bytes.u32(0b101 | 0xabc << 3).u32(0).u64(0xffff800000001234).take();
}

std::vector<std::byte> raw_of_payload(const PayloadFormat& format, Bytes payload) {
  std::vector<std::byte> raw;
  format.append_raw(payload, 42, raw);
  return raw;
}

TEST(PayloadFormat, PrintsEachFormOfAField) {
  const PayloadFormat format(event_layout(), "my-events");
  EXPECT_EQ(format.event_name(), "bpf:my_events");
  const auto raw = raw_of_payload(format, event_payload());
  EXPECT_EQ(format.formats().print(format.format(), raw),
            "name=abc level=-7 key={0x1f,0xf1} state=BUSY low=-3 high=2748 at=0xffff800000001234");
}

TEST(PayloadFormat, FiltersFindTheNumbers) {
  const PayloadFormat format(event_layout(), "events");
  const auto raw = raw_of_payload(format, event_payload());
  const auto number = [&](std::string_view name) {
    const reader::TracepointField* const field = format.format().find(name);
    return field != nullptr ? format.formats().number(*field, raw) : std::nullopt;
  };
  EXPECT_EQ(number("common_pid"), 42u);
  EXPECT_EQ(number("common_type"), 0xffffu);
  EXPECT_EQ(number("low"), static_cast<std::uint64_t>(-3));
  EXPECT_EQ(number("high"), 0xabcu);
  EXPECT_EQ(number("level"), static_cast<std::uint64_t>(-7));
  EXPECT_EQ(number("state"), 2u);
  EXPECT_EQ(format.formats().text(*format.format().find("name"), raw), "abc");
}

TEST(PayloadFormat, ValuesAreThoseOfThePayload) {
  const PayloadFormat format(event_layout(), "events");
  const auto raw = raw_of_payload(format, event_payload());
  const Bytes payload = format.payload_in(raw);
  ASSERT_EQ(payload.size(), 32u);
  const auto& fields = format.layout().fields;
  EXPECT_EQ(std::get<std::string_view>(payload_value(fields[0], payload)), "abc");
  EXPECT_EQ(std::get<Number>(payload_value(fields[1], payload)), Number::of_signed(-7));
  EXPECT_THAT(std::get<std::vector<Number>>(payload_value(fields[2], payload)),
              ElementsAre(Number::of(0x1f), Number::of(0xf1)));
  EXPECT_EQ(*name_of_value(fields[3], Number::of(2)), "BUSY");
  EXPECT_EQ(name_of_value(fields[3], Number::of(1)), nullptr);
  EXPECT_EQ(std::get<Number>(payload_value(fields[4], payload)), Number::of_signed(-3));
}

TEST(PayloadFormat, ShortPayloadsHaveNoLastFields) {
  const PayloadFormat format(event_layout(), "events");
  const auto payload = event_payload();
  const auto raw = raw_of_payload(format, Bytes(payload).first(12));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(payload_value(format.layout().fields[3], format.payload_in(raw))));
  EXPECT_FALSE(format.formats().number(*format.format().find("state"), raw));
  EXPECT_EQ(format.formats().number(*format.format().find("level"), raw), static_cast<std::uint64_t>(-7));
}

// perf_prepare_sample() fills the raw data up: (4 + size) is a multiple of 8.
TEST(TypedPayloads, SizesOfRawDataAreThoseOfTheKernel) {
  EXPECT_TRUE(has_raw_size(4, 4));
  EXPECT_TRUE(has_raw_size(5, 12));
  EXPECT_TRUE(has_raw_size(12, 12));
  EXPECT_FALSE(has_raw_size(13, 12));
  EXPECT_FALSE(has_raw_size(4, 12));
}

class Records : public RecordSink {
 public:
  void records(std::size_t, Bytes some) override { bytes.insert(bytes.end(), some.begin(), some.end()); }
  void round() override {}
  std::vector<std::byte> bytes;
};

TEST(TypedPayloads, OnlyTheRawDataOfSamplesChange) {
  namespace bit = reader::sample_bit;
  reader::EventAttr attr;
  attr.sample_type = bit::identifier | bit::tid | bit::raw;
  const PayloadFormat format(event_layout(), "events");
  const auto payload = event_payload();
  const auto sample =
      BytesBuilder().record(9, 0, BytesBuilder().u64(77).u32(41).u32(43).u32(36).bytes(payload).u32(0).view()).take();
  const auto lost = BytesBuilder().record(2, 0, BytesBuilder().u64(77).u64(5).view()).take();
  Records result;
  TypedPayloads typed(attr, format, result);
  BytesBuilder both;
  typed.records(0, both.bytes(lost).bytes(sample).view());

  ASSERT_GT(result.bytes.size(), lost.size());
  EXPECT_TRUE(std::equal(lost.begin(), lost.end(), result.bytes.begin()));
  reader::Event event;
  event.attr = typed_attr(attr);
  reader::SampleDecoder decoder;
  reader::Sample decoded;
  const Bytes rest = Bytes(result.bytes).subspan(lost.size());
  ASSERT_EQ(rest.size() % 8, 0u);
  ASSERT_TRUE(decoder.decode(reader::record_at(rest.data(), ByteOrder::native, 0), event, decoded));
  EXPECT_EQ(decoded.tid, 43);
  EXPECT_EQ(format.formats().number(*format.format().find("common_pid"), decoded.raw), 43u);
  EXPECT_EQ(format.formats().number(*format.format().find("high"), decoded.raw), 0xabcu);
  EXPECT_EQ(typed.shorter() + typed.longer(), 0u);
}

}  // namespace
}  // namespace perfsift::record
