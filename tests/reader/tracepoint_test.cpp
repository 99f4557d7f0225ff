// testdata/tracepoint holds the TRACING_DATA of a recording made with perf 6.1 on Linux 6.12, and samples of it, one a
// line: CPU, raw data, and what `perf script -F event,trace` prints for it.
#include "reader/tracepoint.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/bytes.h"
#include "tests/support/paths.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;

std::string testdata(const std::string& name) {
  std::ifstream file(test::source_path("testdata/tracepoint/" + name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Bytes as_bytes(std::string_view text) { return {reinterpret_cast<const std::byte*>(text.data()), text.size()}; }

std::vector<std::byte> from_hex(std::string_view hex) {
  std::vector<std::byte> bytes;
  for (std::size_t at = 0; at + 2 <= hex.size(); at += 2) {
    unsigned value = 0;
    std::from_chars(hex.data() + at, hex.data() + at + 2, value, 16);
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

struct RecordedSample {
  int cpu = 0;
  std::vector<std::byte> raw;
  std::string text;
};

std::vector<RecordedSample> recorded_samples() {
  std::vector<RecordedSample> samples;
  std::istringstream lines(testdata("samples"));
  for (RecordedSample sample; lines >> sample.cpu;) {
    std::string hex;
    lines >> hex >> std::ws;
    std::getline(lines, sample.text);
    sample.raw = from_hex(hex);
    samples.push_back(sample);
  }
  return samples;
}

// The functions of the kernel that the samples name.
std::optional<TracepointFormats::Function> kernel_function(std::uint64_t address) {
  if (address == 0xffffffff813ceccc) return {{"sched_setaffinity", 0xffffffff813ceccc - 0x10c}};
  if (address == 0xffffffff814352e0) return {{"tick_nohz_handler", 0xffffffff814352e0}};
  return std::nullopt;
}

TracepointFormats recorded_formats() {
  const auto data = testdata("tracing_data");
  auto formats = TracepointFormats::parse(as_bytes(data));
  return std::move(formats).value();
}

TEST(TracepointFormats, SamplesPrintAsPerfScriptPrintsThem) {
  auto formats = recorded_formats();
  formats.set_function_resolver(kernel_function);
  const auto samples = recorded_samples();
  ASSERT_EQ(samples.size(), 13u);
  const TracepointField type{.name = "common_type", .offset = 0, .size = 2};
  for (const auto& [cpu, raw, text] : samples) {
    const auto* format = formats.find(static_cast<std::int32_t>(formats.number(type, raw).value()));
    ASSERT_NE(format, nullptr) << text;
    EXPECT_EQ(format->system + ":" + format->name + ": " + formats.print(*format, raw, cpu), text);
  }
}

TEST(TracepointFormats, EventsAreFoundByIdAndByName) {
  const auto formats = recorded_formats();
  EXPECT_TRUE(formats.whole());
  EXPECT_EQ(formats.malformed(), 0u);
  EXPECT_EQ(formats.all().size(), 7u);
  const auto* format = formats.find("sched", "sched_switch");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->id, 372);
  EXPECT_EQ(formats.find(372), format);
  EXPECT_EQ(formats.find(371), nullptr);
  EXPECT_EQ(formats.find("sched", "sched_migrate_task"), nullptr);
}

TEST(TracepointFormats, FieldsAreThoseOfTheFormatFile) {
  const auto formats = recorded_formats();
  const auto* format = formats.find("sched", "sched_switch");
  ASSERT_NE(format, nullptr);
  EXPECT_TRUE(format->fields.front().is_common);
  EXPECT_EQ(format->fields.front().name, "common_type");
  const auto* comm = format->find("next_comm");
  ASSERT_NE(comm, nullptr);
  EXPECT_EQ(comm->type, "char[16]");
  EXPECT_EQ(comm->offset, 40u);
  EXPECT_EQ(comm->size, 16u);
  EXPECT_TRUE(comm->is_string);
  EXPECT_FALSE(comm->is_dynamic);
  EXPECT_EQ(format->find("no_such_field"), nullptr);
  EXPECT_TRUE(formats.find("sched", "sched_process_exec")->find("filename")->is_dynamic);
  EXPECT_TRUE(formats.find("kmem", "kmalloc")->find("node")->is_signed);
}

TEST(TracepointFormats, FieldsAreReadByName) {
  const auto formats = recorded_formats();
  // The third sample: perf gives way to migration/0.
  const auto raw = recorded_samples()[2].raw;
  const auto* format = formats.find("sched", "sched_switch");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(formats.text(*format->find("next_comm"), raw), "migration/0");
  EXPECT_EQ(formats.number(*format->find("prev_pid"), raw), 28238u);
  EXPECT_EQ(formats.text(*format->find("prev_pid"), raw), "28238");
  EXPECT_EQ(formats.number(*format->find("next_comm"), raw), std::nullopt);
  EXPECT_EQ(formats.number(*format->find("next_pid"), Bytes(raw).first(58)), std::nullopt);

  const auto kmalloc = recorded_samples()[0].raw;
  EXPECT_EQ(formats.number(*formats.find("kmem", "kmalloc")->find("node"), kmalloc), ~std::uint64_t{0});
  EXPECT_EQ(formats.text(*formats.find("kmem", "kmalloc")->find("node"), kmalloc), "-1");

  const auto exec = recorded_samples()[10].raw;
  EXPECT_EQ(formats.text(*formats.find("sched", "sched_process_exec")->find("filename"), exec), "/usr/bin/sleep");
}

TEST(TracepointFormats, RawDataThatIsTooShortPrintsTheFieldsThatAreThere) {
  const auto formats = recorded_formats();
  const auto raw = recorded_samples()[2].raw;
  EXPECT_EQ(formats.print(*formats.find(372), Bytes(raw).first(60), 0),
            "prev_comm=perf prev_pid=28238 prev_prio=120 prev_state=2 next_comm=migration/0 next_pid=18 next_prio=");
}

TEST(TracepointFormats, ContentBeyondTheRawDataIsNotRead) {
  const auto formats = recorded_formats();
  auto raw = recorded_samples()[10].raw;
  raw[10] = std::byte{0xff};  // the filename is now 255 bytes long
  const auto* format = formats.find("sched", "sched_process_exec");
  EXPECT_EQ(formats.text(*format->find("filename"), raw), "");
  EXPECT_EQ(formats.print(*format, raw, 0), "filename= pid=28245 old_pid=28245");
}

TEST(TracepointFormats, EveryCutOfTheTracingDataIsRead) {
  const auto data = testdata("tracing_data");
  EXPECT_FALSE(TracepointFormats::parse(as_bytes(data).first(10)));
  std::size_t last = 0;
  for (std::size_t size = 32; size < data.size(); size += 97) {
    const auto formats = TracepointFormats::parse(as_bytes(data).first(size));
    ASSERT_TRUE(formats);
    EXPECT_FALSE(formats->whole());
    EXPECT_GE(formats->all().size(), last);
    last = formats->all().size();
  }
}

std::vector<std::byte> tracing_data(ByteOrder order, std::string_view format, std::string_view kallsyms = {},
                                    std::string_view printk_formats = {}) {
  const bool big = (order == ByteOrder::native) == (std::endian::native == std::endian::big);
  return BytesBuilder(order)
      .text("\x17\x08\x44tracing0.6")
      .u8(0)
      .u8(big ? 1 : 0)
      .u8(8)
      .u32(4096)
      .text("header_page")
      .u8(0)
      .u64(0)
      .text("header_event")
      .u8(0)
      .u64(0)
      .u32(0)
      .u32(1)
      .text("mine")
      .u8(0)
      .u32(1)
      .u64(format.size())
      .text(format)
      .u32(static_cast<std::uint32_t>(kallsyms.size()))
      .text(kallsyms)
      .u32(static_cast<std::uint32_t>(printk_formats.size()))
      .text(printk_formats)
      .u64(0)
      .take();
}

constexpr std::string_view my_event = R"(name: my_event
ID: 7
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;

	field:s32 number;	offset:4;	size:4;	signed:1;
	field:void * where;	offset:8;	size:8;	signed:0;
	field:__data_loc u8[] bytes;	offset:16;	size:4;	signed:0;
	field:u32 length;	offset:20;	size:4;	signed:0;

print fmt: "number=%d where=%pS bytes=%s", REC->number, REC->where, __print_hex(__get_dynamic_array(bytes), REC->length)
)";

class TracepointOfEitherByteOrder : public ::testing::TestWithParam<ByteOrder> {
 protected:
  std::vector<std::byte> raw(std::uint32_t length) const {
    return BytesBuilder(GetParam())
        .u16(7)
        .u16(0)
        .u32(static_cast<std::uint32_t>(-5))
        .u64(0xffffffff81000010)
        .u32(4 << 16 | 24)
        .u32(length)
        .text("\x01\x02\x0a\xff")
        .take();
  }
};
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, TracepointOfEitherByteOrder,
                         ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(TracepointOfEitherByteOrder, FieldsAndTextAreReadInTheOrderOfTheRecordedMachine) {
  const auto data = tracing_data(GetParam(), my_event, "ffffffff81000000 T _text\nffffffff81001000 t next [module]\n");
  const auto formats = TracepointFormats::parse(data);
  ASSERT_TRUE(formats && formats->whole());
  EXPECT_EQ(formats->malformed(), 0u);
  const auto* format = formats->find(7);
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(formats->text(*format->find("number"), raw(4)), "-5");
  EXPECT_EQ(formats->text(*format->find("bytes"), raw(4)), "ARRAY[01, 02, 0a, ff]");
  EXPECT_EQ(formats->print(*format, raw(4), 0), "number=-5 where=_text+0x10 bytes=01 02 0a ff");
}

TEST_P(TracepointOfEitherByteOrder, ALengthThatLeavesTheRawDataIsNotFollowed) {
  const auto data = tracing_data(GetParam(), my_event);
  const auto formats = TracepointFormats::parse(data);
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->print(*formats->find(7), raw(5), 0),
            "number=-5 where=18446744071578845200 bytes=ARRAY[01, 02, 0a, ff] length=5");
  EXPECT_EQ(formats->print(*formats->find(7), raw(0xffffffff), 0),
            "number=-5 where=18446744071578845200 bytes=ARRAY[01, 02, 0a, ff] length=4294967295");
}

// libtraceevent 1.7.1 reads in front of a text of less than three characters.
TEST(TracepointFormats, ShortTextsOfThePrintkFormatsAreLeftOut) {
  using namespace std::string_view_literals;
  const auto texts = "0x10 : \"a\"\n0x20 : \"\n0x30 : \n0x40 : \"\"\n0x50 : \"\0bcd\"\n0x60 : \"abc\"\n"sv;
  const auto formats = TracepointFormats::parse(tracing_data(ByteOrder::native, my_event, {}, texts));
  ASSERT_TRUE(formats);
  EXPECT_TRUE(formats->whole());
}

TEST(TracepointFormats, ADescriptionThatIsNotSaneIsCountedAndTheOthersAreRead) {
  auto broken = testdata("tracing_data");
  broken.at(broken.find("REC->prev_state") + 8) = '_';
  const auto formats = TracepointFormats::parse(as_bytes(broken));
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->malformed(), 1u);
  EXPECT_EQ(formats->find("sched", "sched_switch"), nullptr);
  EXPECT_NE(formats->find("sched", "sched_wakeup"), nullptr);
}

}  // namespace
}  // namespace perfsift::reader
