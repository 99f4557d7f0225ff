// Records about code of the kernel. Layouts: include/uapi/linux/perf_event.h and tools/lib/perf/include/perf/event.h.
#include "reader/records/kernel_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using ::testing::ElementsAre;

using KernelCodeRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, KernelCodeRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(KernelCodeRecord, Ksymbol) {
  const auto bytes = payload().u64(0xffffffffc0001000).u32(300).u16(1).u16(1).padded("bpf_prog_6deef7357e7b4530");
  const auto symbol = decode_ksymbol(record(RecordType::ksymbol, 0, bytes));
  ASSERT_TRUE(symbol);
  EXPECT_EQ(symbol->address, 0xffffffffc0001000u);
  EXPECT_EQ(symbol->length, 300u);
  EXPECT_EQ(symbol->kind, Ksymbol::Kind::bpf);
  EXPECT_TRUE(symbol->unregistered);
  EXPECT_EQ(symbol->name, "bpf_prog_6deef7357e7b4530");
}

TEST_P(KernelCodeRecord, BpfEvent) {
  const auto bytes = payload().u16(2).u16(0).u32(13).text("\x6d\xee\xf7\x35\x7e\x7b\x45\x30");
  const auto event = decode_bpf_event(record(RecordType::bpf_event, 0, bytes));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, BpfEvent::Kind::program_unload);
  EXPECT_EQ(event->id, 13u);
  EXPECT_EQ(event->tag[0], std::byte{0x6d});
  EXPECT_EQ(event->tag[7], std::byte{0x30});
}

TEST_P(KernelCodeRecord, BpfMetadata) {
  const auto bytes = payload().text("my_prog").zeros(505).u64(1).text("version").zeros(57).text("3").zeros(255);
  const auto metadata = decode_bpf_metadata(record(RecordType::bpf_metadata, bytes));
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->program, "my_prog");
  EXPECT_THAT(metadata->entries, ElementsAre(std::pair("version", "3")));
}

TEST_P(KernelCodeRecord, TextPoke) {
  const auto bytes = payload().u64(0xffffffff81000010).u16(5).u16(2).text("abcdefg").zeros(5);
  const auto poke = decode_text_poke(record(RecordType::text_poke, 0, bytes));
  ASSERT_TRUE(poke);
  EXPECT_EQ(poke->address, 0xffffffff81000010u);
  EXPECT_EQ(poke->before.size(), 5u);
  ASSERT_EQ(poke->after.size(), 2u);
  EXPECT_EQ(poke->after[0], std::byte{'f'});
}

}  // namespace
}  // namespace perfsift::reader
