// Registers are those of arch/x86/include/asm/amd/ibs.h. Data sources follow perf_ibs_parse_ld_st_data() in
// arch/x86/events/amd/ibs.c.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/ibs/ibs_access.h"
#include "tests/support/ibs_recording.h"

namespace perfsift::reader {
namespace {

using test::IbsFetchRegisters;
using test::IbsOpRegisters;

constexpr std::uint32_t branch_target = 1u << 5, fetch_extension = 1u << 9, op_data_4 = 1u << 10, zen4 = 1u << 11,
                        page_size = 1u << 19;
constexpr IbsProcessor zen2_server{0x17, 0x31}, zen3_server{0x19, 0x01}, zen3_desktop{0x19, 0x21},
    zen4_server{0x19, 0x11};

// Bits of IBS_OP_DATA3.
constexpr std::uint64_t load = 1, store = 2, l1_tlb_miss = 4, l2_tlb_miss = 8, l1_miss = 1u << 7,
                        uncacheable = 1u << 14, locked = 1u << 15, no_miss_buffer = 1u << 16, linear_valid = 1u << 17,
                        physical_valid = 1u << 18, l2_miss = 1u << 20, prefetch = 1u << 21;
constexpr std::uint64_t beyond_l2 = load | l1_miss | l2_miss;
// Bits of IBS_OP_DATA2.
constexpr std::uint64_t remote_node = 1u << 4, owned = 1u << 5;
constexpr std::uint64_t source(std::uint64_t number) { return (number & 7) | (number >> 3) << 6; }

IbsAccess access_of(IbsOpRegisters registers, std::uint32_t capabilities, const IbsProcessor& processor) {
  const auto op = decode_ibs_op(test::ibs_raw(capabilities, registers), ByteOrder::native);
  return op ? ibs_access(*op, processor) : IbsAccess{};
}

// mem_lvl, mem_lvl_num, mem_remote and mem_hops of an access, by the kernel's macros L(), LN(), REM and HOPS().
struct Level {
  std::uint64_t bits, number, remote = 0, hops = 0;
  std::uint64_t value() const { return bits << 5 | number << 33 | remote << 37 | hops << 43; }
};
constexpr std::uint64_t parts_of_level =
    std::uint64_t{0x3fff} << 5 | std::uint64_t{0x1f} << 33 | std::uint64_t{7} << 43;
constexpr Level l1{2 | 0x8, 1}, l2{2 | 0x20, 2}, l3{2 | 0x40, 3}, lfb{2 | 0x10, 12}, unknown{1, 15};

void expect_level(std::uint64_t data_3, std::uint64_t data_2, std::uint32_t capabilities, const IbsProcessor& processor,
                  const Level& level) {
  const IbsAccess access = access_of({.data_2 = data_2, .data_3 = data_3}, capabilities, processor);
  EXPECT_EQ(access.data_source & parts_of_level, level.value()) << std::hex << data_3 << ' ' << data_2;
}

std::uint64_t snoop_of(std::uint64_t data_3, std::uint64_t data_2, std::uint32_t capabilities,
                       const IbsProcessor& processor) {
  return access_of({.data_2 = data_2, .data_3 = data_3}, capabilities, processor).data_source >> 19 & 31;
}

TEST(Ibs, LevelsNearTheCore) {
  expect_level(load, source(3), zen4, zen4_server, l1);
  expect_level(load | l1_miss, source(3), zen4, zen4_server, l2);
  expect_level(store | l1_miss, source(3), zen4, zen4_server, l2);
  expect_level(load | uncacheable | l1_miss, source(3), zen4, zen4_server, {2 | 0x2000, 8});
  expect_level(beyond_l2 | uncacheable, source(7), zen4, zen4_server, {2 | 0x1000, 10});
}

TEST(Ibs, SourcesOfZen4) {
  const auto expect = [](std::uint64_t data_2, const Level& level) {
    expect_level(beyond_l2, data_2, zen4, zen4_server, level);
  };
  expect(source(1), l3);
  expect(source(2), {2 | 0x400, 11, 1, 0});
  expect(source(3), {2 | 0x80, 13});
  expect(source(3) | remote_node, {2 | 0x100, 13, 1, 1});
  expect(source(5), {2 | 0x800, 11, 1, 1});
  expect(source(6), {0, 14});
  expect(source(6) | remote_node, {0, 14, 1, 1});
  expect(source(7) | remote_node, {2 | 0x1000, 10});
  expect(source(8), {0, 9});
  expect(source(8) | remote_node, {0, 9, 1, 1});
  for (const std::uint64_t reserved : {0u, 4u, 9u, 12u, 31u}) expect(source(reserved), unknown);
}

TEST(Ibs, SourcesBeforeZen4) {
  const auto expect = [](std::uint64_t data_2, const Level& level) {
    expect_level(beyond_l2, data_2, 0, zen2_server, level);
  };
  expect(source(2), {2 | 0x40 | 0x400, 11});
  expect(source(3), {2 | 0x80, 13});
  expect(source(3) | remote_node, {2 | 0x100, 13, 1, 1});
  expect(source(4), {2 | 0x800, 11, 1, 1});
  expect(source(7), {2 | 0x1000, 10});
  expect(source(3) | 3u << 6, {2 | 0x80, 13});  // the upper bits belong to Zen 4
  for (const std::uint64_t reserved : {0u, 1u, 5u, 6u}) expect(source(reserved), unknown);
}

TEST(Ibs, StoresHaveNoSource) {
  const std::uint64_t far_store = store | l1_miss | l2_miss;
  expect_level(far_store, source(3), zen4, zen4_server, unknown);
  expect_level(far_store | no_miss_buffer, source(3), zen4, zen4_server, lfb);
  expect_level(beyond_l2 | no_miss_buffer, source(0), zen4, zen4_server, lfb);
  expect_level(beyond_l2 | no_miss_buffer, source(3), zen4, zen4_server, {2 | 0x80, 13});
}

// Erratum 1293.
TEST(Ibs, PrefetchesOfZen3HaveNoSource) {
  expect_level(load | l1_miss | prefetch, source(3), 0, zen3_server, unknown);
  expect_level(load | l1_miss | no_miss_buffer, source(3), 0, zen3_server, lfb);
  expect_level(load | l1_miss, source(3), 0, zen3_server, l2);
  expect_level(load | l1_miss | prefetch, source(3), 0, zen3_desktop, l2);
}

TEST(Ibs, ModifiedLinesOfOtherCaches) {
  constexpr std::uint64_t hitm = 16, not_available = 1;
  EXPECT_EQ(snoop_of(beyond_l2, source(1), zen4, zen4_server), hitm);
  EXPECT_EQ(snoop_of(beyond_l2, source(2), zen4, zen4_server), hitm);
  EXPECT_EQ(snoop_of(beyond_l2, source(5), zen4, zen4_server), hitm);
  EXPECT_EQ(snoop_of(beyond_l2, source(5) | owned, zen4, zen4_server), not_available);
  EXPECT_EQ(snoop_of(beyond_l2, source(3), zen4, zen4_server), not_available);
  EXPECT_EQ(snoop_of(load | l1_miss, source(1), zen4, zen4_server), not_available);
  EXPECT_EQ(snoop_of(store | l1_miss | l2_miss, source(1), zen4, zen4_server), not_available);
  EXPECT_EQ(snoop_of(beyond_l2, source(2), 0, zen2_server), hitm);
  EXPECT_EQ(snoop_of(beyond_l2, source(4), 0, zen2_server), not_available);
  EXPECT_EQ(snoop_of(beyond_l2, source(2), 0, zen3_server), not_available);
  EXPECT_EQ(snoop_of(beyond_l2, source(2), 0, zen3_desktop), not_available);
}

TEST(Ibs, TlbAndLock) {
  const auto tlb = [](std::uint64_t data_3, std::uint32_t capabilities = zen4) {
    return access_of({.data_3 = load | data_3}, capabilities, zen4_server).data_source >> 26 & 127;
  };
  EXPECT_EQ(tlb(0), 1u);
  EXPECT_EQ(tlb(linear_valid), 2u | 8u);
  EXPECT_EQ(tlb(linear_valid | l1_tlb_miss), 2u | 16u);
  EXPECT_EQ(tlb(linear_valid | l1_tlb_miss | l2_tlb_miss), 4u | 16u);
  EXPECT_EQ(tlb(linear_valid, zen4 | page_size), 1u);
  EXPECT_EQ(tlb(linear_valid | physical_valid, zen4 | page_size), 2u | 8u);
  EXPECT_EQ(access_of({.data_3 = load}, zen4, zen4_server).data_source >> 24 & 3, 1u);
  EXPECT_EQ(access_of({.data_3 = load | locked}, zen4, zen4_server).data_source >> 24 & 3, 2u);
}

TEST(Ibs, AddressesAndLatency) {
  constexpr std::uint64_t latency = std::uint64_t{345} << 32, tag_to_retirement = 678u << 16;
  IbsOpRegisters registers{
      .data = tag_to_retirement, .data_3 = load | l1_miss | latency, .linear = 0x1000, .physical = 0x2000};
  IbsAccess access = access_of(registers, zen4, zen4_server);
  EXPECT_EQ(access.latency, 345u);
  EXPECT_EQ(access.tag_to_retirement, 678u);
  EXPECT_EQ(access.address, 0u);  // not valid
  EXPECT_EQ(access.physical_address, 0u);
  registers.data_3 = store | l1_miss | latency | linear_valid | physical_valid;
  access = access_of(registers, zen4, zen4_server);
  EXPECT_EQ(access.latency, 0u);
  EXPECT_EQ(access.tag_to_retirement, 0u);
  EXPECT_EQ(access.address, 0x1000u);
  EXPECT_EQ(access.physical_address, 0x2000u);
}

// PERF_MEM_NA
TEST(Ibs, OperationsWithoutAccess) {
  constexpr std::uint64_t nothing = 0x1e05080021;
  const IbsAccess branch = access_of({.data_3 = l1_miss | linear_valid, .linear = 1}, zen4, zen4_server);
  EXPECT_EQ(branch.data_source, nothing);
  EXPECT_EQ(branch.address, 0u);
  EXPECT_EQ(access_of({.control = 1u << 17, .data_3 = load}, zen4, zen4_server).data_source, nothing);
  EXPECT_EQ(no_ibs_access().data_source, nothing);
}

TEST(Ibs, AnnouncedRegisters) {
  const IbsOpRegisters registers{.target = 0x401000};
  const auto raw = test::ibs_raw(branch_target | op_data_4, registers);
  EXPECT_EQ(decode_ibs_op(raw, ByteOrder::native)->branch_target, 0x401000u);
  EXPECT_EQ(decode_ibs_op(raw, ByteOrder::native)->data_4, 0u);
  const auto without_target = decode_ibs_op(test::ibs_raw(op_data_4, registers), ByteOrder::native);
  EXPECT_EQ(without_target->branch_target, std::nullopt);
  EXPECT_EQ(without_target->data_4, 0u);
  const IbsFetchRegisters fetch{.extension = 77};
  EXPECT_EQ(decode_ibs_fetch(test::ibs_raw(fetch_extension, fetch), ByteOrder::native)->extension, 77u);
  EXPECT_EQ(decode_ibs_fetch(test::ibs_raw(0, fetch), ByteOrder::native)->extension, std::nullopt);
}

// The announced registers may be cut off. Without the other registers there is no sample.
TEST(Ibs, ShortRawData) {
  constexpr std::size_t op_registers = 4 + 7 * 8, fetch_registers = 4 + 3 * 8;
  const auto op = test::ibs_raw(branch_target | op_data_4, IbsOpRegisters{.target = 1});
  const auto fetch = test::ibs_raw(fetch_extension, IbsFetchRegisters{});
  for (std::size_t size = 0; size <= op.size(); ++size) {
    const auto decoded = decode_ibs_op(Bytes(op).first(size), ByteOrder::native);
    EXPECT_EQ(decoded.has_value(), size >= op_registers) << size;
    if (!decoded) continue;
    EXPECT_EQ(decoded->branch_target.has_value(), size >= op_registers + 8) << size;
  }
  for (std::size_t size = 0; size <= fetch.size(); ++size) {
    EXPECT_EQ(decode_ibs_fetch(Bytes(fetch).first(size), ByteOrder::native).has_value(), size >= fetch_registers);
  }
}

TEST(Ibs, PmusAndProcessors) {
  EXPECT_EQ(ibs_unit("ibs_op"), IbsUnit::op);
  EXPECT_EQ(ibs_unit("ibs_fetch"), IbsUnit::fetch);
  EXPECT_EQ(ibs_unit("cpu"), IbsUnit::none);
  EXPECT_EQ(ibs_processor("AuthenticAMD,25,17,1").family, 25u);
  EXPECT_EQ(ibs_processor("AuthenticAMD,25,17,1").model, 17u);
  for (const char* other :
       {"", "AuthenticAMD", "AuthenticAMD,25", "AuthenticAMD,x,17", "AuthenticAMD,25,99999999999"}) {
    EXPECT_EQ(ibs_processor(other).family, 0u) << other;
  }
  EXPECT_TRUE((IbsProcessor{0x1a, 0x50}.needs_physical_address()));
  EXPECT_FALSE((IbsProcessor{0x1a, 0x40}.needs_physical_address()));
  EXPECT_TRUE((IbsProcessor{0x1b, 0x00}.needs_physical_address()));
}

}  // namespace
}  // namespace perfsift::reader
