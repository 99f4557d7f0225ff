#include "reader/format/event.h"

#include <gtest/gtest.h>

#include "tests/support/bytes.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;

// struct perf_event_attr in the layout of the kernel header, with a different value in every field.
std::vector<std::byte> attr_bytes(ByteOrder order, std::uint32_t size, std::uint64_t flags) {
  return BytesBuilder(order)
      .u32(4)
      .u32(size)
      .u64(0x11)  // config
      .u64(0x22)  // sample_period
      .u64(0x33)  // sample_type
      .u64(0x14)  // read_format
      .u64(flags)
      .u32(0x55)        // wakeup_events
      .u32(0x66)        // bp_type
      .u64(0x77)        // config1
      .u64(0x88)        // config2, from 72 bytes on
      .u64(0x99)        // branch_sample_type, 80
      .u64(0xaa)        // sample_regs_user
      .u32(0xbb)        // sample_stack_user
      .u32(0xffffffff)  // clockid, 96
      .u64(0xdd)        // sample_regs_intr, 104
      .u32(0xee)        // aux_watermark
      .u16(0x7f)        // sample_max_stack
      .u16(0)
      .u32(0x101)  // aux_sample_size, 120
      .u32(0x102)
      .u64(0x103)   // sig_data, 128
      .u64(0x104)   // config3, 136
      .u64(0x105)   // config4, 144
      .u64(0xdead)  // fields of the future
      .take();
}

// sample_id_all, precise_ip 1, comm
constexpr std::uint64_t flags_word = 1u << 18 | 1u << 15 | 1u << 9;

TEST(DecodeEventAttr, EveryFieldIsWhereTheKernelHasIt) {
  const auto attr = decode_event_attr(attr_bytes(ByteOrder::native, 152, flags_word), ByteOrder::native);
  ASSERT_TRUE(attr);
  EXPECT_EQ(attr->type, 4u);
  EXPECT_EQ(attr->size, 152u);
  EXPECT_EQ(attr->config, 0x11u);
  EXPECT_EQ(attr->sample_period, 0x22u);
  EXPECT_EQ(attr->sample_type, 0x33u);
  EXPECT_EQ(attr->read_format, 0x14u);
  EXPECT_TRUE(attr->sample_id_all());
  EXPECT_TRUE(attr->comm());
  EXPECT_EQ(attr->precise_ip(), 1u);
  EXPECT_EQ(attr->wakeup_events, 0x55u);
  EXPECT_EQ(attr->bp_type, 0x66u);
  EXPECT_EQ(attr->config1, 0x77u);
  EXPECT_EQ(attr->config2, 0x88u);
  EXPECT_EQ(attr->branch_sample_type, 0x99u);
  EXPECT_EQ(attr->sample_regs_user, 0xaau);
  EXPECT_EQ(attr->sample_stack_user, 0xbbu);
  EXPECT_EQ(attr->clock_id, -1);
  EXPECT_EQ(attr->sample_regs_intr, 0xddu);
  EXPECT_EQ(attr->aux_watermark, 0xeeu);
  EXPECT_EQ(attr->sample_max_stack, 0x7fu);
  EXPECT_EQ(attr->aux_sample_size, 0x101u);
  EXPECT_EQ(attr->aux_action, 0x102u);
  EXPECT_EQ(attr->sig_data, 0x103u);
  EXPECT_EQ(attr->config3, 0x104u);
  EXPECT_EQ(attr->config4, 0x105u);
}

TEST(DecodeEventAttr, FieldsBeyondTheSizeAreZero) {
  const auto attr = decode_event_attr(attr_bytes(ByteOrder::native, 112, 0), ByteOrder::native);
  ASSERT_TRUE(attr);
  EXPECT_EQ(attr->sample_max_stack, 0x7fu);
  EXPECT_EQ(attr->aux_sample_size, 0u);
  EXPECT_EQ(attr->config3, 0u);
}

TEST(DecodeEventAttr, SizeZeroMeansTheFirstVersion) {
  const auto attr = decode_event_attr(attr_bytes(ByteOrder::native, 0, 0), ByteOrder::native);
  ASSERT_TRUE(attr);
  EXPECT_EQ(attr->size, 64u);
  EXPECT_EQ(attr->config1, 0x77u);
  EXPECT_EQ(attr->config2, 0u);
}

// On a big-endian machine bit fields start at the most significant bit. There sample_id_all is bit 45 of the word, comm
// is bit 54, and the lower bit of precise_ip == 1 is bit 47.
TEST(DecodeEventAttr, BitFieldsOfTheOtherByteOrderAreMirrored) {
  const std::uint64_t word = std::uint64_t{1} << 45 | std::uint64_t{1} << 54 | std::uint64_t{1} << 47;
  const auto attr = decode_event_attr(attr_bytes(ByteOrder::swapped, 152, word), ByteOrder::swapped);
  ASSERT_TRUE(attr);
  EXPECT_EQ(attr->flags, flags_word);
  EXPECT_EQ(attr->sample_max_stack, 0x7fu);
  EXPECT_EQ(attr->config4, 0x105u);
}

TEST(DecodeEventAttr, FewerBytesThanItsSizeAreRefused) {
  const auto bytes = attr_bytes(ByteOrder::native, 128, 0);
  EXPECT_TRUE(decode_event_attr(Bytes(bytes).first(128), ByteOrder::native));
  EXPECT_FALSE(decode_event_attr(Bytes(bytes).first(127), ByteOrder::native));
  EXPECT_FALSE(decode_event_attr({}, ByteOrder::native));
}

constexpr std::uint64_t exclude_user = 1 << 4, exclude_kernel = 1 << 5, exclude_hv = 1 << 6, exclude_host = 1 << 19,
                        exclude_guest = 1 << 20;

std::string name(std::uint32_t type, std::uint64_t config, std::uint64_t flags,
                 EventNaming naming = EventNaming::perf_6_1) {
  return synthesised_event_name({.type = type, .config = config, .flags = flags}, naming);
}

// The expected names are the output of perf 6.1 for a file with such attrs and no EVENT_DESC.
TEST(SynthesisedEventName, HardwareAndSoftwareEventsHaveTheKernelsNames) {
  EXPECT_EQ(name(event_type::hardware, 0, exclude_guest), "cycles");
  EXPECT_EQ(name(event_type::hardware, 9, exclude_guest), "ref-cycles");
  EXPECT_EQ(name(event_type::hardware, 10, exclude_guest), "unknown-hardware");
  EXPECT_EQ(name(event_type::hardware, std::uint64_t{8} << 32 | 1, exclude_guest), "cpu/instructions/");
  EXPECT_EQ(name(event_type::software, 0, exclude_guest), "cpu-clock");
  EXPECT_EQ(name(event_type::software, 9, exclude_guest), "dummy");
  EXPECT_EQ(name(event_type::software, 10, exclude_guest), "unknown-software");
}

TEST(SynthesisedEventName, ModifiersShowOnlyDifferencesFromTheDefault) {
  EXPECT_EQ(name(event_type::hardware, 0, 0), "cycles:HG");
  EXPECT_EQ(name(event_type::hardware, 0, exclude_kernel | exclude_hv | exclude_guest), "cycles:uH");
  EXPECT_EQ(name(event_type::hardware, 0, exclude_kernel | exclude_hv), "cycles:u");
  EXPECT_EQ(name(event_type::hardware, 0, exclude_user), "cycles:kh");
  EXPECT_EQ(name(event_type::hardware, 0, exclude_guest | exclude_host), "cycles");
  EXPECT_EQ(name(event_type::hardware, 0, exclude_host), "cycles:G");
  EXPECT_EQ(name(event_type::hardware, 0, 3u << 15), "cycles:ppp");
  EXPECT_EQ(name(event_type::hardware, 0, exclude_kernel | exclude_hv | 2u << 15), "cycles:upp");
}

// The output of perf 7.2 for a file with such attrs.
TEST(SynthesisedEventName, NewerPerfShowsHostAndGuestWhereOneIsExcluded) {
  const auto newest = [](std::uint64_t flags) { return name(event_type::hardware, 0, flags, EventNaming::newest); };
  constexpr std::uint64_t precise = 1 << 15;
  EXPECT_EQ(newest(0), "cycles");
  EXPECT_EQ(newest(exclude_host), "cycles:G");
  EXPECT_EQ(newest(exclude_guest), "cycles:H");
  EXPECT_EQ(newest(exclude_host | exclude_guest), "cycles");
  EXPECT_EQ(newest(exclude_user), "cycles:kh");
  EXPECT_EQ(newest(exclude_user | exclude_guest), "cycles:khH");
  EXPECT_EQ(newest(exclude_kernel | exclude_hv), "cycles:u");
  EXPECT_EQ(newest(exclude_kernel | exclude_hv | exclude_host), "cycles:uG");
  EXPECT_EQ(newest(precise), "cycles:p");
  EXPECT_EQ(newest(2 * precise | exclude_guest), "cycles:ppH");
  EXPECT_EQ(newest(precise | exclude_host), "cycles:pG");
}

TEST(SynthesisedEventName, CacheEventsNameCacheOperationAndResult) {
  EXPECT_EQ(name(event_type::hw_cache, 0x000000, exclude_guest), "L1-dcache-loads");
  EXPECT_EQ(name(event_type::hw_cache, 0x010000, exclude_guest), "L1-dcache-load-misses");
  EXPECT_EQ(name(event_type::hw_cache, 0x010103, exclude_guest), "dTLB-store-misses");
  EXPECT_EQ(name(event_type::hw_cache, 0x000202, exclude_guest), "LLC-prefetches");
  EXPECT_EQ(name(event_type::hw_cache, 0x000104, exclude_guest), "invalid-cache");
  EXPECT_EQ(name(event_type::hw_cache, 0x07, exclude_guest), "unknown-ext-hardware-cache-type");
  EXPECT_EQ(name(event_type::hw_cache, 0x0300, exclude_guest), "unknown-ext-hardware-cache-op");
  EXPECT_EQ(name(event_type::hw_cache, 0x020000, exclude_guest), "unknown-ext-hardware-cache-result");
}

TEST(SynthesisedEventName, OtherTypesSayWhatTheyAre) {
  EXPECT_EQ(name(event_type::raw, 0x1a8, exclude_guest), "raw 0x1a8");
  EXPECT_EQ(name(event_type::tracepoint, 372, 0), "unknown tracepoint");
  EXPECT_EQ(name(0xffffffff, 1, 0), "unknown attr type: -1");
  const EventAttr breakpoint{.type = event_type::breakpoint, .flags = exclude_guest, .bp_type = 3, .config1 = 0x601040};
  EXPECT_EQ(synthesised_event_name(breakpoint, EventNaming::perf_6_1), "mem:0x601040:rw");
  EXPECT_EQ(synthesised_event_name(breakpoint, EventNaming::newest), "mem:0x601040:rw:H");
}

}  // namespace
}  // namespace perfsift::reader
