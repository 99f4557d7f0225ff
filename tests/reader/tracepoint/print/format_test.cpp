// A print format is an expression of C as text. The compiler computes the expected value from the same expression and
// the same bytes.
#include "reader/tracepoint/print/format.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift::reader::print {
namespace {

struct Record {
  std::int8_t s8 = -5;
  std::uint8_t u8 = 200;
  std::int16_t s16 = -300;
  std::uint16_t u16 = 60000;
  std::int32_t s32 = -7;
  std::uint32_t u32 = 4000000000U;
  std::int64_t s64 = -1234567;
  std::uint64_t u64 = 0xffffffff81000010;
  std::uint32_t numbers[3] = {10, 20, 30};
  std::int32_t zero = 0;
  char comm[8] = "perf";
  unsigned char address[16] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x12, 0x34};
  unsigned char mac[6] = {1, 2, 3, 0xaa, 0xbb, 0xcc};
  std::uint64_t mask = 0x8000000000000003;
  std::uint32_t bytes = 4 << 16;  // __data_loc: the first four bytes of the record
};

TracepointField scalar(const char* name, const char* type, std::size_t offset, std::size_t size, bool is_signed) {
  return {.name = name, .type = type, .offset = offset, .size = size, .is_signed = is_signed};
}

TracepointField array(const char* name, const char* type, std::size_t offset, std::size_t size, std::size_t element) {
  return {.name = name, .type = type, .offset = offset, .size = size, .element_size = element, .is_array = true};
}

const std::vector<TracepointField>& fields() {
  static const std::vector<TracepointField> all = {
      scalar("s8", "s8", offsetof(Record, s8), 1, true),
      scalar("u8", "u8", offsetof(Record, u8), 1, false),
      scalar("s16", "short", offsetof(Record, s16), 2, true),
      scalar("u16", "u16", offsetof(Record, u16), 2, false),
      scalar("s32", "int", offsetof(Record, s32), 4, true),
      scalar("u32", "unsigned int", offsetof(Record, u32), 4, false),
      scalar("s64", "long", offsetof(Record, s64), 8, true),
      scalar("u64", "unsigned long", offsetof(Record, u64), 8, false),
      array("numbers", "u32[3]", offsetof(Record, numbers), 12, 4),
      scalar("zero", "int", offsetof(Record, zero), 4, true),
      array("comm", "char[8]", offsetof(Record, comm), 8, 1),
      array("address", "__u8[16]", offsetof(Record, address), 16, 1),
      array("mac", "u8[6]", offsetof(Record, mac), 6, 1),
      array("mask", "unsigned long[1]", offsetof(Record, mask), 8, 8),
      {.name = "bytes",
       .type = "__data_loc u8[]",
       .offset = offsetof(Record, bytes),
       .size = 4,
       .element_size = 1,
       .is_array = true,
       .is_dynamic = true},
  };
  return all;
}

constexpr std::string_view nothing = "(nothing)";

// The text that `print fmt:` gives for a record. `nothing` if the value would be wrong.
std::string printed(const std::string& format, const Record& record = {}) {
  static const KernelNames no_names;
  const auto parsed = Format::parse(format, fields(), 8);
  if (!parsed) return std::string(nothing);
  const Sample sample{.fields = fields(), .kernel = no_names, .raw = std::as_bytes(std::span(&record, 1))};
  return parsed->print(sample).value_or(std::string(nothing));
}

std::string argument(const std::string& expression) { return printed("\"%lld\", (long long)(" + expression + ")"); }

// The tests need the code that these warnings are about: C compares signed and unsigned numbers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wparentheses"
#define EXPECT_AS_COMPILED(expression) \
  EXPECT_EQ(argument(#expression), std::to_string(static_cast<long long>(expression))) << #expression

TEST(PrintFormat, ExpressionsAreComputedAsTheCompilerDoes) {
  using u8 [[maybe_unused]] = std::uint8_t;
  using u16 [[maybe_unused]] = std::uint16_t;
  using s16 [[maybe_unused]] = std::int16_t;
  using u32 [[maybe_unused]] = std::uint32_t;
  using u64 [[maybe_unused]] = std::uint64_t;
  const Record record;
  const Record* const REC = &record;
  EXPECT_AS_COMPILED(REC->s8);
  EXPECT_AS_COMPILED(REC->s16 < 0 ? 1 : 2);
  EXPECT_AS_COMPILED(REC->s32 < 0);
  EXPECT_AS_COMPILED(REC->s32 < REC->u8);
  EXPECT_AS_COMPILED(REC->s32 < REC->u32);
  EXPECT_AS_COMPILED(REC->s32 >= 1ULL);
  EXPECT_AS_COMPILED(REC->s64 / 1000);
  EXPECT_AS_COMPILED(REC->s64 % 1000L);
  EXPECT_AS_COMPILED(REC->s64 / 1000U);
  EXPECT_AS_COMPILED(REC->s32 / REC->u8 - 1);
  EXPECT_AS_COMPILED(REC->s64 >> 3);
  EXPECT_AS_COMPILED(REC->u64 >> 60);
  EXPECT_AS_COMPILED(REC->u32 + REC->u32);
  EXPECT_AS_COMPILED(REC->u32 * (u64)REC->u32);
  EXPECT_AS_COMPILED(REC->u8 - REC->u16);
  EXPECT_AS_COMPILED(REC->u8 - REC->s8 + 1);
  EXPECT_AS_COMPILED(100 - 10 - 1);
  EXPECT_AS_COMPILED(REC->u32 & 0xff | 1 << 4 ^ 3);
  EXPECT_AS_COMPILED(REC->u32 & (0x00040000 | 0x00080000));
  EXPECT_AS_COMPILED(~REC->u32);
  EXPECT_AS_COMPILED(~REC->u8);
  EXPECT_AS_COMPILED(~(u64)REC->u32);
  EXPECT_AS_COMPILED(-REC->u32);
  EXPECT_AS_COMPILED(!REC->s32 || REC->u8 && REC->zero);
  EXPECT_AS_COMPILED((u8)REC->s32);
  EXPECT_AS_COMPILED((s16)REC->u16);
  EXPECT_AS_COMPILED((unsigned int)REC->s64);
  EXPECT_AS_COMPILED((unsigned long)-4095);
  EXPECT_AS_COMPILED((unsigned long)(void*)(REC->u64) >= (unsigned long)-4095);
  EXPECT_AS_COMPILED(((u64)REC->u16 << 32) | (REC)->u32);
  EXPECT_AS_COMPILED(REC->zero ? REC->u64 : -1);
  EXPECT_AS_COMPILED(REC->zero ? REC->u32 : REC->s32);
  EXPECT_AS_COMPILED(REC->zero == 1 ? 'a' : REC->zero == 0 ? 'b' : 'c');
  EXPECT_AS_COMPILED(REC->numbers[1] + REC->numbers[REC->zero + 2]);
  EXPECT_AS_COMPILED(sizeof(u16) + sizeof(unsigned long) + sizeof(REC->numbers));
  EXPECT_AS_COMPILED(0x80000000 + 0);
  EXPECT_AS_COMPILED(2147483648 - 1);
  EXPECT_AS_COMPILED(010 + 0x10);
  EXPECT_AS_COMPILED(1UL << 63 >> 1);
  EXPECT_AS_COMPILED(({
    int x = (REC->s32);
    int y = (128);
    ((x) < (y) ? (x) : (y));
  }));
}
#pragma GCC diagnostic pop

// perf formats numbers and texts by printf() of the C library.
TEST(PrintFormat, NumbersAreLaidOutAsPrintfDoes) {
  const Record record;
  for (const std::string layout : {"%d",     "%5d|", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.3d", "%x",  "%#x",
                                   "%#010x", "%X",   "%#X",   "%o",   "%#o", "%u",  "%03u", "%hhd",  "%hu", "%.0d"}) {
    for (const int value : {0, 1, -7, 255, 70000}) {
      Record with = record;
      with.s32 = value;
      char expected[64];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
      std::snprintf(expected, sizeof expected, layout.c_str(), value);
#pragma GCC diagnostic pop
      EXPECT_EQ(printed("\"" + layout + "\", REC->s32", with), expected) << layout << ' ' << value;
    }
  }
  EXPECT_EQ(printed(R"("%-6s|%6s|%.2s|%*s|%-*s|%%", REC->comm, "a", REC->comm, 3, "b", 3, "c")"),
            "perf  |     a|pe|  b|c  |%");
  EXPECT_EQ(printed(R"("%.*s|%.*s", 2, REC->comm, REC->s32, REC->comm)"), "pe|perf");
  EXPECT_EQ(printed(R"("[%c%c]\t\x41\102\n", REC->zero ? 'F' : '.', 'S')"), "[.S]\tAB\n");
}

TEST(PrintFormat, FunctionsOfTheKernelForPrintFormats) {
  EXPECT_EQ(printed(R"("%s", __print_flags(REC->numbers[0], "|", { 2, "A" }, { 8, "B" }, { 0, ((void *)0) }))"), "A|B");
  EXPECT_EQ(printed(R"("%s", __print_flags(REC->numbers[2], "|", { 2, "A" }, { 0x80UL, "B" }))"), "A|0x1c");
  EXPECT_EQ(printed(R"("%s", __print_flags(REC->mask[0], "", { 1UL << 63, "HIGH" }, { 1, "L" }))"), "HIGHL0x2");
  EXPECT_EQ(printed(R"("%s", __print_symbolic(REC->numbers[0], { 1, "one" }, { 10, "t" "en" }))"), "ten");
  EXPECT_EQ(printed(R"("%s", __print_symbolic(REC->numbers[0], { 1, "one" }))"), "0xa");
  EXPECT_EQ(printed(R"("%s", __print_symbolic(REC->s32, { -7, "EIGHT" }))"), "EIGHT");
  EXPECT_EQ(printed(R"("%s", __print_symbolic(REC->s32, { -8, "SEVEN" }))"), "0xfffffff9");
  EXPECT_EQ(printed(R"("%s", __print_symbolic(REC->u8, { }))"), "0xc8");
  EXPECT_EQ(printed(R"("%s", __print_hex(REC->mac, 3))"), "01 02 03");
  EXPECT_EQ(printed(R"("%s", __print_hex_str(__get_dynamic_array(bytes), __get_dynamic_array_len(bytes)))"),
            "fbc8d4fe");
  EXPECT_EQ(printed(R"("%u %u", *__get_dynamic_array(bytes), __get_dynamic_array(bytes)[1])"), "251 200");
  EXPECT_EQ(printed(R"("%s", __print_array(REC->numbers, 3, sizeof(u32)))"), "{0xa,0x14,0x1e}");
  EXPECT_EQ(printed(R"("%s", __print_dynamic_array(bytes, sizeof(u16)))"), "{0xc8fb,0xfed4}");
  EXPECT_EQ(printed(R"("%s %s", __get_bitmask(bytes), __get_cpumask(bytes))"),
            "fed4c8fb 0-1,3-7,11,14-15,18,20,22-23,25-31");
  EXPECT_EQ(printed(R"("%llu.%09u", __print_ns_to_secs(REC->u64), __print_ns_without_secs(REC->u64))"),
            "18446744071.578845200");
  EXPECT_EQ(printed(R"("%d", __builtin_expect(!!(REC->s32 < 0), 0) ? 1 : 2)"), "1");
}

// Documentation/core-api/printk-formats.rst.
TEST(PrintFormat, ExtensionsOfPointers) {
  EXPECT_EQ(printed(R"("%p %p %pK", (void *)REC->u64, (void *)0, REC->u64)"),
            "0xffffffff81000010 (nil) 0xffffffff81000010");
  EXPECT_EQ(printed(R"("%px", (void *)16)"), "0000000000000010");
  EXPECT_EQ(printed(R"("%pS", (void *)REC->u64)"), "0xffffffff81000010");
  EXPECT_EQ(printed(R"("%pM %pMR %pMF %pm", REC->mac, REC->mac, REC->mac, REC->mac)"),
            "01:02:03:aa:bb:cc cc:bb:aa:03:02:01 01-02-03-aa-bb-cc 010203aabbcc");
  EXPECT_EQ(printed(R"("%pI6c %pI6 %pi6", REC->address, REC->address, REC->address)"),
            "fe80::1234 fe80:0000:0000:0000:0000:0000:0000:1234 fe800000000000000000000000001234");
  EXPECT_EQ(printed(R"("%pI4 %pi4 %pI4h", &REC->u32, &REC->u32, &REC->u32)"),
            "0.40.107.238 000.040.107.238 238.107.40.0");
  EXPECT_EQ(
      printed(R"("%pU %pUl %pUB", REC->address, REC->address, REC->address)"),
      "fe800000-0000-0000-0000-000000001234 000080fe-0000-0000-0000-000000001234 FE800000-0000-0000-0000-000000001234");
  EXPECT_EQ(printed(R"("%*ph|%*phC|%*phN", 2, REC->mac, 3, REC->mac, 4, REC->mac)"), "01 02|01:02:03|010203aa");
  EXPECT_EQ(printed(R"("%*pbl %*pb", 64, REC->mask, 64, REC->mask)"), "0-1,63 80000000,00000003");
  EXPECT_EQ(printed(R"("%pad", &REC->u32)"), "0xee6b2800");
}

// Formats that are not supported. libtraceevent prints a text for most of them.
TEST(PrintFormat, FormatsThatAreNotUnderstoodAreNotPrinted) {
  for (const std::string arguments : {"REC->unknown",
                                      "jiffies - REC->u64",
                                      "jiffies_to_msecs(REC->u64)",
                                      "((struct page *)vmemmap_base) + REC->u64",
                                      "(unknown_t)REC->u64",
                                      "REC->s32.member",
                                      "REC->u64->member",
                                      "*(int *)REC->u64",
                                      "(void *)REC->u64 + 1",
                                      "REC->comm",
                                      "1 /",
                                      "(1",
                                      "1)",
                                      "1 2",
                                      "REC",
                                      "REC->numbers[3]",
                                      "REC->numbers[-1]",
                                      "1 / REC->zero",
                                      "1 % REC->zero",
                                      "1 << 64",
                                      "REC->s32 << REC->s8",
                                      "REC->bytes",
                                      "'ab'",
                                      "\\",
                                      "__print_flags(1, \"\")"}) {
    EXPECT_EQ(printed("\"%d\", " + arguments), nothing) << arguments;
  }
  for (const std::string format :
       {R"("%d")", R"("%d", 1, 2)", R"("%s", REC->s32)", R"("%p", REC->comm)", R"("%pI4", REC->u32)",
        R"("%pGg", &REC->u64)", R"("%pd", REC->u64)", R"("%n", REC->u64)", R"("%99999d", 1)", R"("a="%d"", 1)",
        R"("open)", "", R"("%pU", REC->mac)", R"("%pISpc", &REC->u8)", R"("%s", __print_hex(REC->mac, 7))",
        R"("%s", __print_hex(REC->mac, -1))", R"("%s", __print_array(REC->numbers, 4, 4))",
        R"("%s", __print_array(REC->numbers, 2, 3))", R"("%s", __get_str(comm))"}) {
    EXPECT_EQ(printed(format), nothing) << format;
  }
}

// Names that the kernel could not replace by their values. libtraceevent uses 0 or -1 for these names.
TEST(PrintFormat, NamesOfUnknownValuesDoNotShow) {
  Record record{.u32 = 0};
  EXPECT_EQ(printed(R"("%s|", __print_flags(REC->u32, "|", { I_DIRTY_SYNC, "SYNC" }, { 2, "TWO" }))", record), "|");
  record.u32 = 3;
  EXPECT_EQ(printed(R"("%s", __print_flags(REC->u32, "|", { (1 << BIT), "SYNC" }, { 2, "TWO" }))", record), "TWO|0x1");
  EXPECT_EQ(printed(R"("%s", __print_symbolic(REC->u32, { TCP_CLOSE, "CLOSE" }))", record), "0x3");
  EXPECT_EQ(printed(R"("%s", __print_symbolic(REC->u32, { NET_RX_SOFTIRQ, "NET_RX" }))", record),
            "NET_RX");  // before 4.17
}

TEST(PrintFormat, NothingIsTooDeepOrTooLong) {
  const auto repeated = [](std::string_view text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
  };
  EXPECT_EQ(argument(repeated("(", 50) + "1" + repeated(")", 50)), "1");
  for (const std::string_view open : {"(", "!", "-", "1 + (", "1 ? 1 : ", "(int)", "__builtin_expect(", "({ int x = "})
    EXPECT_EQ(argument(repeated(open, 5000) + "1"), nothing) << open;
  EXPECT_EQ(argument("1" + repeated(" + 1", 100)), "101");
  EXPECT_EQ(argument("1" + repeated(" + 1", 5000)), nothing);
  EXPECT_EQ(printed("\"" + repeated("%4096d", 100) + "\"" + repeated(", 1", 100)), nothing);
}

}  // namespace
}  // namespace perfsift::reader::print
