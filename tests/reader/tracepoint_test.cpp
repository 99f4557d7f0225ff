// testdata/tracepoint holds the TRACING_DATA of a recording made with perf 6.1 on Linux 6.12, and samples of the
// recording, one per line: CPU, raw data, and the output of `perf script -F event,trace`.
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
  std::vector<std::byte> raw;
  std::string text;
};

std::vector<RecordedSample> recorded_samples() {
  std::vector<RecordedSample> samples;
  std::istringstream lines(testdata("samples"));
  std::string cpu, hex;
  for (RecordedSample sample; lines >> cpu >> hex >> std::ws;) {
    std::getline(lines, sample.text);
    sample.raw = from_hex(hex);
    samples.push_back(sample);
  }
  return samples;
}

// The kernel functions that the samples name.
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
  for (const auto& [raw, text] : samples) {
    const auto* format = formats.find(static_cast<std::int32_t>(formats.number(type, raw).value()));
    ASSERT_NE(format, nullptr) << text;
    EXPECT_EQ(format->system + ":" + format->name + ": " + formats.print(*format, raw), text);
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
  // The third sample: perf is preempted by migration/0.
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
  EXPECT_EQ(formats.print(*formats.find(372), Bytes(raw).first(60)),
            "[fields only] prev_comm=perf prev_pid=28238 prev_prio=120 prev_state=2 next_comm=migration/0 next_pid=18 "
            "next_prio=");
}

TEST(TracepointFormats, ContentBeyondTheRawDataIsNotRead) {
  const auto formats = recorded_formats();
  auto raw = recorded_samples()[10].raw;
  raw[10] = std::byte{0xff};  // the filename is now 255 bytes long
  const auto* format = formats.find("sched", "sched_process_exec");
  EXPECT_EQ(formats.text(*format->find("filename"), raw), "");
  EXPECT_EQ(formats.print(*format, raw), "[fields only] filename= pid=28245 old_pid=28245");
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

struct NamedFormat {
  std::string system;
  std::string text;
};

std::vector<std::byte> tracing_data(ByteOrder order, const std::vector<NamedFormat>& formats,
                                    std::string_view kallsyms = {}, std::string_view printk_formats = {}) {
  const bool big = (order == ByteOrder::native) == (std::endian::native == std::endian::big);
  BytesBuilder out(order);
  out.text("\x17\x08\x44tracing0.6").u8(0).u8(big ? 1 : 0).u8(8).u32(4096);
  out.text("header_page").u8(0).u64(0).text("header_event").u8(0).u64(0);
  out.u32(0).u32(static_cast<std::uint32_t>(formats.size()));  // no formats of ftrace itself
  for (const auto& [system, text] : formats) out.text(system).u8(0).u32(1).u64(text.size()).text(text);
  out.u32(static_cast<std::uint32_t>(kallsyms.size())).text(kallsyms);
  out.u32(static_cast<std::uint32_t>(printk_formats.size())).text(printk_formats);
  return out.u64(0).take();
}

std::vector<std::byte> tracing_data(ByteOrder order, std::string_view format, std::string_view kallsyms = {},
                                    std::string_view printk_formats = {}) {
  return tracing_data(order, std::vector<NamedFormat>{{"mine", std::string(format)}}, kallsyms, printk_formats);
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
  EXPECT_EQ(formats->print(*format, raw(4)), "number=-5 where=_text+0x10 bytes=01 02 0a ff");
}

TEST_P(TracepointOfEitherByteOrder, ALengthBeyondTheRawDataIsNotFollowed) {
  const auto data = tracing_data(GetParam(), my_event);
  const auto formats = TracepointFormats::parse(data);
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->print(*formats->find(7), raw(5)),
            "[fields only] number=-5 where=0xffffffff81000010 bytes=ARRAY[01, 02, 0a, ff] length=5");
  EXPECT_EQ(formats->print(*formats->find(7), raw(0xffffffff)),
            "[fields only] number=-5 where=0xffffffff81000010 bytes=ARRAY[01, 02, 0a, ff] length=4294967295");
}

TEST(TracepointFormats, DamagedLinesOfThePrintkFormatsAreLeftOut) {
  using namespace std::string_view_literals;
  const auto texts = "0x10 : \"a\"\n0x20 : \"\n0x30 : \n0x40 : \"\"\n0x50 : \"\0bcd\"\n0x60 : \"abc\"\n"sv;
  const auto formats = TracepointFormats::parse(tracing_data(ByteOrder::native, my_event, {}, texts));
  ASSERT_TRUE(formats);
  EXPECT_TRUE(formats->whole());
}

TEST(TracepointFormats, ADamagedDescriptionIsCountedAndTheOthersAreRead) {
  auto broken = testdata("tracing_data");
  broken.at(broken.find("field:pid_t prev_pid") + 2) = '_';
  const auto formats = TracepointFormats::parse(as_bytes(broken));
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->malformed(), 1u);
  EXPECT_EQ(formats->find("sched", "sched_switch"), nullptr);
  EXPECT_NE(formats->find("sched", "sched_wakeup"), nullptr);
}

// testdata/tracepoint/random_formats holds formats of Linux 6.18, each after a line with its system. random_samples
// holds made-up samples of these formats: the event, raw data, and the output of perf 7.2 (libtraceevent 1.9.0).
std::vector<NamedFormat> formats_of_linux() {
  std::vector<NamedFormat> formats;
  std::istringstream lines(testdata("random_formats"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("system: "))
      formats.push_back({line.substr(std::string_view("system: ").size()), {}});
    else
      formats.back().text += line + "\n";
  }
  return formats;
}

TEST(TracepointFormats, RandomSamplesPrintAsPerf72PrintsThem) {
  const auto formats = TracepointFormats::parse(tracing_data(ByteOrder::native, formats_of_linux()));
  ASSERT_TRUE(formats && formats->whole());
  EXPECT_EQ(formats->malformed(), 0u);
  EXPECT_EQ(formats->all().size(), 36u);
  std::istringstream lines(testdata("random_samples"));
  std::size_t compared = 0;
  for (std::string event, hex, text; lines >> event >> hex; ++compared) {
    lines.get();
    std::getline(lines, text);
    const auto colon = event.find(':');
    const auto* const format = formats->find(event.substr(0, colon), event.substr(colon + 1));
    ASSERT_NE(format, nullptr) << event;
    EXPECT_EQ(formats->print(*format, from_hex(hex)), text) << event;
  }
  EXPECT_EQ(compared, 108u);
}

// tracepoint_string() registers the texts to which such fields point.
TEST(TracepointFormats, TextsOfTheKernelAreThoseOfThePrintkFormats) {
  constexpr std::string_view event =
      "name: my_event\nID: 7\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
      "\tfield:const char * fn;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"%s\tfrom %p\", REC->fn, REC->fn\n";
  const auto formats = TracepointFormats::parse(
      tracing_data(ByteOrder::native, event, {}, "0xffffffff82521950 : \"mas_wr_node_store\"\n"));
  ASSERT_TRUE(formats);
  const auto raw = [](std::uint64_t address) { return BytesBuilder().u16(7).u16(0).u32(0).u64(address).take(); };
  EXPECT_EQ(formats->print(*formats->find(7), raw(0xffffffff82521950)), "mas_wr_node_store\tfrom 0xffffffff82521950");
  EXPECT_EQ(formats->print(*formats->find(7), raw(0x1234)), "1234\tfrom 0x1234");
}

TEST(TracepointFormats, APrintFormatThatIsNotUnderstoodShowsTheFields) {
  auto broken = testdata("tracing_data");
  broken.at(broken.find("REC->prev_state") + 8) = '_';
  const auto formats = TracepointFormats::parse(as_bytes(broken));
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->malformed(), 0u);
  EXPECT_EQ(formats->print(*formats->find("sched", "sched_switch"), recorded_samples()[2].raw),
            "[fields only] prev_comm=perf prev_pid=28238 prev_prio=120 prev_state=2 next_comm=migration/0 next_pid=18 "
            "next_prio=0");
}

}  // namespace
}  // namespace perfsift::reader
