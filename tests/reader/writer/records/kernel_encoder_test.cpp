// Records about code of the kernel and about losses, encoded. Layouts: include/uapi/linux/perf_event.h.
#include <algorithm>

#include <gtest/gtest.h>

#include "reader/writer/records/kernel_code.h"
#include "reader/writer/records/loss.h"
#include "tests/reader/writer/records/encoded.h"

namespace perfsift::reader {
namespace {

using KernelEncoder = EncoderTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, KernelEncoder, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(KernelEncoder, KsymbolHasTheBytesOfTheKernel) {
  const Ksymbol symbol{.address = 0xffffffffc0001000,
                       .length = 300,
                       .kind = Ksymbol::Kind::bpf,
                       .unregistered = true,
                       .name = "bpf_prog_1_x"};
  auto expected = bytes();
  expected.u32(17).u16(0).u16(40).u64(0xffffffffc0001000).u32(300).u16(1).u16(1).text("bpf_prog_1_x").zeros(4);
  const auto encoded = encode_ksymbol(symbol, plain());
  EXPECT_EQ(encoded, expected.take());
  const auto read = decode_ksymbol(record(encoded));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->address, 0xffffffffc0001000u);
  EXPECT_EQ(read->length, 300u);
  EXPECT_EQ(read->kind, Ksymbol::Kind::bpf);
  EXPECT_TRUE(read->unregistered);
  EXPECT_EQ(read->name, "bpf_prog_1_x");
}

TEST_P(KernelEncoder, BpfEventHasTheBytesOfTheKernel) {
  BpfEvent event{.kind = BpfEvent::Kind::program_unload, .flags = 3, .id = 17};
  for (std::size_t i = 0; i < 8; ++i) event.tag[i] = static_cast<std::byte>("tag of 8"[i]);
  const auto encoded = encode_bpf_event(event, plain());
  EXPECT_EQ(encoded, bytes().u32(18).u16(0).u16(24).u16(2).u16(3).u32(17).text("tag of 8").take());
  const auto read = decode_bpf_event(record(encoded));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, BpfEvent::Kind::program_unload);
  EXPECT_EQ(read->flags, 3);
  EXPECT_EQ(read->id, 17u);
  EXPECT_EQ(read->tag, event.tag);
}

TEST_P(KernelEncoder, TextPokeIsReadBackAndPadded) {
  const auto old_code = test::BytesBuilder().text("old").take(), new_code = test::BytesBuilder().text("newer").take();
  const auto encoded = encode_text_poke({.address = 0x1234, .before = old_code, .after = new_code}, plain());
  EXPECT_EQ(encoded.size(), 8u + 8 + 2 + 2 + 12);
  const auto read = decode_text_poke(record(encoded));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->address, 0x1234u);
  EXPECT_TRUE(std::ranges::equal(read->before, old_code));
  EXPECT_TRUE(std::ranges::equal(read->after, new_code));
}

TEST_P(KernelEncoder, LossesAreReadBack) {
  const auto encoded = encode_lost({.id = 5, .lost = 6}, plain());
  EXPECT_EQ(encoded, bytes().u32(2).u16(0).u16(24).u64(5).u64(6).take());
  EXPECT_EQ(decode_lost(record(encoded))->lost, 6u);

  const auto samples = encode_lost_samples({.lost = 7, .dropped_by_bpf = true}, plain());
  EXPECT_EQ(decode_lost_samples(record(samples))->lost, 7u);
  EXPECT_TRUE(decode_lost_samples(record(samples))->dropped_by_bpf);
  const auto others = encode_lost_samples({.lost = 7}, plain());
  EXPECT_FALSE(decode_lost_samples(record(others))->dropped_by_bpf);
}

TEST_P(KernelEncoder, ThrottlesAreReadBack) {
  const Throttle throttle{.time = 1, .id = 2, .stream_id = 3};
  const auto stopped = encode_throttle(throttle, plain()), started = encode_unthrottle(throttle, plain());
  EXPECT_EQ(record(stopped).header.type, RecordType::throttle);
  EXPECT_EQ(record(started).header.type, RecordType::unthrottle);
  for (const auto* bytes : {&stopped, &started}) {
    const auto read = decode_throttle(record(*bytes));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->time, 1u);
    EXPECT_EQ(read->id, 2u);
    EXPECT_EQ(read->stream_id, 3u);
  }
}

}  // namespace
}  // namespace perfsift::reader
