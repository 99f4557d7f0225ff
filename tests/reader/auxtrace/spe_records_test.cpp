// Packets by the Arm Architecture Reference Manual, "Statistical Profiling Extension sample record specification". The
// comments of tools/perf/util/arm-spe-decoder/, and its output for perf script -D, show them, too.
#include "reader/auxtrace/spe_records.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/spe_recording.h"

namespace perfsift::reader {
namespace {

using test::SpePacketWriter;
using Kind = SpePacket::Kind;
using Step = SpePackets::Step;

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
  std::vector<std::byte> bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

SpePacket only_packet(std::initializer_list<unsigned> values) {
  const auto bytes = bytes_of(values);
  SpePackets packets(bytes, 0);
  SpePacket packet;
  EXPECT_EQ(packets.next(packet), Step::packet);
  EXPECT_EQ(packets.position(), bytes.size());
  EXPECT_EQ(packets.next(packet), Step::done);
  return packet;
}

void expect_packet(std::initializer_list<unsigned> values, Kind kind, unsigned index, std::uint64_t payload) {
  const SpePacket packet = only_packet(values);
  EXPECT_EQ(packet.kind, kind);
  EXPECT_EQ(packet.index, index);
  EXPECT_EQ(packet.payload, payload);
}

TEST(SpePackets, HaveTheHeadersOfTheManual) {
  expect_packet({0x00}, Kind::padding, 0, 0);
  expect_packet({0x01}, Kind::end, 0, 0);
  expect_packet({0x71, 1, 2, 3, 4, 5, 6, 7, 8}, Kind::timestamp, 0, 0x0807060504030201);
  expect_packet({0xb0, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0xc0}, Kind::address, 0, 0xc000000012345678);
  expect_packet({0xb2, 1, 0, 0, 0, 0, 0, 0, 0}, Kind::address, 2, 1);
  expect_packet({0xb4, 1, 0, 0, 0, 0, 0, 0, 0}, Kind::address, 4, 1);
  expect_packet({0x98, 0x34, 0x12}, Kind::counter, 0, 0x1234);
  expect_packet({0x9a, 7, 0}, Kind::counter, 2, 7);
  expect_packet({0x65, 0xe9, 3, 0, 0}, Kind::context, 1, 1001);
  expect_packet({0x49, 0x01}, Kind::operation, 1, 1);
  expect_packet({0x4a, 0x02}, Kind::operation, 2, 2);
  expect_packet({0x42, 0x12}, Kind::events, 0, 0x12);
  expect_packet({0x52, 0x12, 0x01}, Kind::events, 0, 0x112);
  expect_packet({0x62, 0x12, 0x01, 0, 0x80}, Kind::events, 0, 0x80000112);
  expect_packet({0x72, 1, 0, 0, 0, 0, 0, 0, 0x80}, Kind::events, 0, 0x8000000000000001);
  expect_packet({0x43, 0x0e}, Kind::data_source, 0, 0xe);
  expect_packet({0x53, 0x0e, 0x01}, Kind::data_source, 0, 0x10e);
}

TEST(SpePackets, AnExtendedHeaderHasTheUpperBitsOfTheIndex) {
  expect_packet({0x21, 0x99, 5, 0}, Kind::counter, 9, 5);
  expect_packet({0x23, 0xb7, 5, 0, 0, 0, 0, 0, 0, 0}, Kind::address, 31, 5);
}

TEST(SpePackets, AlignmentGoesToTheNextBoundaryOfTheTrace) {
  SpePacketWriter out;
  out.end().alignment(3).padding(5).end();  // up to a multiple of 8, where the piece begins at offset 0x1000
  SpePackets packets(out.view(), 0x1000);
  SpePacket packet;
  EXPECT_EQ(packets.next(packet), Step::packet);
  EXPECT_EQ(packets.next(packet), Step::packet);
  EXPECT_EQ(packet.kind, Kind::padding);
  EXPECT_EQ(packets.position(), 8u);
  EXPECT_EQ(packets.next(packet), Step::packet);
  EXPECT_EQ(packet.kind, Kind::end);
}

TEST(SpePackets, EveryPrefixOfAPacketIsCutAndUnknownHeadersAreBad) {
  const auto bytes = bytes_of({0x21, 0xb1, 1, 2, 3, 4, 5, 6, 7, 8});
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    SpePackets packets(Bytes(bytes).first(size), 0);
    SpePacket packet;
    EXPECT_EQ(packets.next(packet), Step::cut) << size;
  }
  for (const unsigned header : {0x02u, 0x10u, 0x40u, 0x70u, 0x80u, 0xa0u, 0xc0u, 0xffu}) {
    const auto bad = bytes_of({header, 0x01});
    SpePackets packets(bad, 0);
    SpePacket packet;
    EXPECT_EQ(packets.next(packet), Step::bad) << header;
    EXPECT_EQ(packets.next(packet), Step::packet);
    EXPECT_EQ(packet.kind, Kind::end);
  }
}

std::vector<SpeRecord> read_records(Bytes trace) {
  SpeRecords records(trace, 0);
  std::vector<SpeRecord> all;
  for (SpeRecord record; records.next(record);) all.push_back(record);
  return all;
}

TEST(SpeRecords, ALoadOfTheKernel) {
  SpePacketWriter out;
  out.padding(3).address(0, 0xc0ff800010081234).context(1001).operation(1, 0x00).events(0x416, 2).counter(1, 30);
  out.counter(0, 250).counter(2, 4).address(2, 0x00ffabcd12345678).address(3, 0x8000000012345678).data_source(0xe, 1);
  out.timestamp(123456789).padding(8);
  const auto records = read_records(out.view());
  ASSERT_EQ(records.size(), 1u);
  const SpeRecord& record = records.front();
  EXPECT_EQ(record.program_counter, 0xffff800010081234);  // EL2, not secure: VHE
  EXPECT_EQ(record.virtual_address, 0xffffabcd12345678);
  EXPECT_EQ(record.physical_address, 0x12345678u);
  EXPECT_EQ(record.context, 1001u);
  EXPECT_EQ(record.events, spe_event::l1_access | spe_event::tlb_access | spe_event::remote_access | 2);
  EXPECT_EQ(record.total_latency, 250u);
  EXPECT_EQ(record.data_source, 0xe);
  EXPECT_EQ(record.timestamp, 123456789u);
  EXPECT_TRUE(record.load);
  EXPECT_FALSE(record.store || record.branch || record.vector);
}

TEST(SpeRecords, TheTopBytesOfAddressesAreNoPartOfThem) {
  SpePacketWriter out;
  out.address(0, 0x8000000000401000).address(1, 0xa000000000402000).address(2, 0xb40000ffff001000).end();
  const auto records = read_records(out.view());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].program_counter, 0x401000u);         // EL0
  EXPECT_EQ(records[0].branch_target, 0xff00000000402000);  // EL1
  EXPECT_EQ(records[0].virtual_address, 0xffff001000u);     // with a tag
  EXPECT_EQ(records[0].context, SpeRecord::no_context);
}

TEST(SpeRecords, ARecordWithBadBytesIsLeftOutAndTheNextIsRead) {
  SpePacketWriter out;
  out.address(0, 0x1000).end();
  out.address(0, 0x2000).byte(0xff).byte(0xc0).counter(0, 7).end();
  out.address(0, 0x3000).operation(3, 0).end();  // class 3 does not exist
  out.address(0, 0x4000).end();
  SpeRecords records(out.view(), 0);
  std::vector<std::uint64_t> addresses;
  for (SpeRecord record; records.next(record);) addresses.push_back(record.program_counter);
  EXPECT_THAT(addresses, ::testing::ElementsAre(0x1000u, 0x4000u));
  EXPECT_EQ(records.damaged_bytes(), 15u + 12u);
  EXPECT_EQ(records.cut_bytes(), 0u);
}

TEST(SpeRecords, ALastRecordWithoutEndIsCut) {
  SpePacketWriter out;
  out.address(0, 0x1000).end().padding(4).address(0, 0x2000).counter(0, 7).byte(0xb2);
  SpeRecords records(out.view(), 0);
  SpeRecord record;
  EXPECT_TRUE(records.next(record));
  EXPECT_FALSE(records.next(record));
  EXPECT_EQ(records.cut_bytes(), 13u);
  EXPECT_EQ(records.damaged_bytes(), 0u);
}

TEST(SpeRecords, VectorOperationsByTheSubclassesOfTheManual) {
  const auto vector = [](unsigned operation_class, unsigned payload) {
    SpePacketWriter out;
    out.operation(operation_class, payload).end();
    return read_records(out.view()).at(0).vector;
  };
  EXPECT_FALSE(vector(1, 0x00));  // a general-purpose register
  EXPECT_TRUE(vector(1, 0x04));   // Advanced SIMD
  EXPECT_FALSE(vector(1, 0x10));
  EXPECT_FALSE(vector(1, 0x1e));  // atomic, exclusive, acquire or release
  EXPECT_TRUE(vector(1, 0x08));   // SVE
  EXPECT_TRUE(vector(1, 0x8c));   // SVE, predicated gather
  EXPECT_FALSE(vector(1, 0x20));  // memcpy()
  EXPECT_FALSE(vector(1, 0x25));  // memset()
  EXPECT_TRUE(vector(0, 0x04));   // Advanced SIMD
  EXPECT_FALSE(vector(0, 0x02));
  EXPECT_TRUE(vector(0, 0x08));  // SVE
  EXPECT_TRUE(vector(0, 0x88));  // SME
}

}  // namespace
}  // namespace perfsift::reader
