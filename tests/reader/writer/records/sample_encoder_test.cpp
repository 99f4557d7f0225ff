// SAMPLE records, encoded. Layout: struct perf_event_attr::sample_type in include/uapi/linux/perf_event.h.
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include "reader/format/abi.h"
#include "reader/format/branch_flags.h"
#include "reader/writer/records/sample.h"
#include "tests/reader/writer/records/encoded.h"

namespace perfsift::reader {
namespace {

namespace bit = sample_bit;

using SampleEncoder = EncoderTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, SampleEncoder, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

// All fields that can be in one sample. PERF_SAMPLE_WEIGHT excludes PERF_SAMPLE_WEIGHT_STRUCT.
constexpr std::uint64_t bits_of_one_sample = ((std::uint64_t{1} << 25) - 1) & ~bit::weight;

EventAttr attr_of_all() {
  EventAttr attr{.sample_type = bits_of_one_sample, .read_format = 0x1f};
  attr.branch_sample_type = branch_sample::hw_index | branch_sample::counters;
  attr.sample_regs_user = 0x5;
  attr.sample_regs_intr = 0x8000000000000001;
  return attr;
}

// A sample with a value in each field, and what its views point to.
struct FullSample {
  FullSample() {
    sample.misc = 2;
    sample.ip = 0x401000, sample.pid = 7, sample.tid = -8, sample.time = 9, sample.addr = 10;
    sample.id = 1, sample.stream_id = 12, sample.cpu = 3, sample.period = 250;
    sample.time_enabled = 1000, sample.time_running = 900, sample.read = counts;
    sample.callchain = words_in(chain), sample.raw = raw;
    sample.branch_hw_index = 5, sample.branch_stack = branches, sample.branch_counters = words_in(counters);
    sample.user_registers = {.abi = 2, .mask = 0x5, .values = words_in(user_values)};
    sample.user_stack = stack, sample.user_stack_dumped = 16;
    sample.weight = 0x11111111, sample.instruction_latency = 0x2222, sample.pipeline_stage_cycles = 0x3333;
    sample.data_src = 0x4444, sample.transaction = 0x5555;
    sample.intr_registers = {.abi = 1, .mask = 0x8000000000000001, .values = words_in(intr_values)};
    sample.phys_addr = 0x6666, sample.cgroup = 0x7777, sample.data_page_size = 4096, sample.code_page_size = 8192;
    sample.aux = aux;
  }

  std::vector<std::uint64_t> chain{callchain_context::user, 0x401000, 0x402000};
  std::vector<std::uint64_t> user_values{11, 12}, intr_values{13, 14}, counters{15};
  std::vector<ReadValue> counts{{100, 1, 2}, {200, 3, 4}};
  std::vector<Unaligned<BranchEntry>> branches{BranchEntry{.from = 0x10, .to = 0x20, .flags = 0x123456789}};
  std::vector<std::byte> raw = test::BytesBuilder().text("raw").take();
  std::vector<std::byte> stack = test::BytesBuilder().text("of 8 byt").take();
  std::vector<std::byte> aux = test::BytesBuilder().text("aux area").take();
  Sample sample;
};

void put(test::BytesBuilder& out, std::initializer_list<std::uint64_t> words) {
  for (const std::uint64_t word : words) out.u64(word);
}

TEST_P(SampleEncoder, HasTheBytesOfTheKernel) {
  const FullSample full;
  const auto encoded = encode_sample(full.sample, attr_of_all(), GetParam());

  auto payload = bytes();
  put(payload, {1, 0x401000});                                     // IDENTIFIER, IP
  payload.u32(7).u32(static_cast<std::uint32_t>(-8));              // TID
  put(payload, {9, 10, 1, 12});                                    // TIME, ADDR, ID, STREAM_ID
  payload.u32(3).u32(0).u64(250);                                  // CPU, PERIOD
  put(payload, {2, 1000, 900, 100, 1, 2, 200, 3, 4});              // READ of a group
  put(payload, {3, callchain_context::user, 0x401000, 0x402000});  // CALLCHAIN
  payload.u32(4).text("raw").zeros(1);                             // RAW
  put(payload, {1, 5, 0x10, 0x20});                                // BRANCH_STACK
  payload.u64(GetParam() == ByteOrder::native ? 0x123456789 : big_endian_branch_flags(0x123456789)).u64(15);
  put(payload, {2, 11, 12, 16});  // REGS_USER, STACK_USER
  payload.text("of 8 byt").zeros(8).u64(8);
  put(payload, {0x3333222211111111, 0x4444, 0x5555});        // WEIGHT_STRUCT, DATA_SRC, TRANSACTION
  put(payload, {1, 13, 14, 0x6666, 0x7777, 4096, 8192, 8});  // REGS_INTR, PHYS_ADDR, CGROUP, page sizes, AUX
  payload.text("aux area");
  auto expected = bytes();
  expected.u32(9).u16(2).u16(static_cast<std::uint16_t>(8 + payload.view().size()));
  const auto content = payload.take();
  for (const std::byte byte : content) expected.u8(static_cast<std::uint8_t>(byte));
  EXPECT_EQ(encoded, expected.take());
}

TEST_P(SampleEncoder, IsReadBackWithEachFieldAlone) {
  const FullSample full;
  for (unsigned number = 0; number < 25; ++number) {
    SCOPED_TRACE(number);
    EventAttr attr = attr_of_all();
    attr.sample_type = std::uint64_t{1} << number;
    const auto encoded = encode_sample(full.sample, attr, GetParam());
    const Event event{.attr = attr};
    Sample read;
    SampleDecoder decoder;
    ASSERT_TRUE(decoder.decode(record(encoded), event, read));
    EXPECT_EQ(encode_sample(read, attr, GetParam()), encoded);
    EXPECT_EQ(read.misc, 2);
  }
}

TEST_P(SampleEncoder, BranchFlagsAreReadBack) {
  const EventAttr attr{.sample_type = bit::branch_stack};
  const FullSample full;
  const auto encoded = encode_sample(full.sample, attr, GetParam());
  const Event event{.attr = attr};
  Sample read;
  SampleDecoder decoder;
  ASSERT_TRUE(decoder.decode(record(encoded), event, read));
  ASSERT_EQ(read.branch_stack.size(), 1u);
  const BranchEntry entry = read.branch_stack[0];
  EXPECT_EQ(entry.flags, 0x123456789u);
}

TEST_P(SampleEncoder, NoRegistersAndNoStackAreOneWordEach) {
  const EventAttr attr{.sample_type = bit::regs_user | bit::stack_user, .sample_regs_user = 0xff};
  EXPECT_EQ(encode_sample({}, attr, GetParam()), bytes().u32(9).u16(0).u16(24).u64(0).u64(0).take());
}

TEST_P(SampleEncoder, WhatDoesNotFitGivesNoBytes) {
  const EventAttr raw_attr{.sample_type = bit::raw}, stack_attr{.sample_type = bit::stack_user};
  const std::vector<std::byte> much(65536);
  Sample sample;
  sample.raw = Bytes(much).first(65516);
  EXPECT_EQ(encode_sample(sample, raw_attr, GetParam()).size(), 65528u);
  sample.raw = Bytes(much).first(65517);
  EXPECT_TRUE(encode_sample(sample, raw_attr, GetParam()).empty());
  sample.user_stack = Bytes(much).first(16);
  sample.user_stack_dumped = 8;
  EXPECT_TRUE(encode_sample(sample, stack_attr, GetParam()).empty());
  sample.user_stack_dumped = ~std::uint64_t{0};
  EXPECT_TRUE(encode_sample(sample, stack_attr, GetParam()).empty());
}

}  // namespace
}  // namespace perfsift::reader
