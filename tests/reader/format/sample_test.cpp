#include "reader/format/sample.h"

#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/bytes.h"
#include "tests/support/recording_builder.h"

namespace perfsift::reader {
namespace {

namespace bit = sample_bit;
using test::BytesBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

// A sample of an event with `attr`, decoded.
class Decoded {
 public:
  Decoded(const EventAttr& attr, BytesBuilder payload, ByteOrder order = ByteOrder::native)
      : event_{.attr = attr}, payload_(payload.take()) {
    const Record record{.header = {.type = RecordType::sample, .misc = 2 | misc::exact_ip},
                        .payload = payload_,
                        .position = 77,
                        .order = order};
    ok_ = decoder_.decode(record, event_, sample_);
  }
  bool ok() const { return ok_; }
  const Sample* operator->() const { return &sample_; }

 private:
  Event event_;
  std::vector<std::byte> payload_;
  SampleDecoder decoder_;
  Sample sample_;
  bool ok_ = false;
};

std::vector<std::uint64_t> numbers(Words words) { return {words.begin(), words.end()}; }
std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Every test below runs for recordings of both byte orders.
class SampleFields : public testing::TestWithParam<ByteOrder> {
 protected:
  BytesBuilder bytes() const { return BytesBuilder(GetParam()); }
  Decoded decode(const EventAttr& attr, BytesBuilder payload) const { return {attr, std::move(payload), GetParam()}; }
};
// Fields of the previous sample that this sample lacks get perf's defaults again.
TEST(SampleDecoder, FieldsOfTheSampleBeforeAreReset) {
  const Event full{.attr = {.sample_type = bit::addr | bit::raw | bit::weight | bit::cgroup}};
  const Event bare{.attr = {.sample_type = bit::time}};
  const auto of_full = BytesBuilder().u64(0xbeef).u32(4).text("1234").u64(5).u64(6).take();
  const auto of_bare = BytesBuilder().u64(7).take();
  SampleDecoder decoder;
  Sample sample;
  ASSERT_TRUE(decoder.decode({.payload = of_full}, full, sample));
  EXPECT_EQ(sample.cgroup, 6u);
  ASSERT_TRUE(decoder.decode({.payload = of_bare}, bare, sample));
  EXPECT_EQ(sample.time, 7u);
  EXPECT_EQ(sample.addr, 0u);
  EXPECT_THAT(sample.raw, IsEmpty());
  EXPECT_EQ(sample.weight, 0u);
  EXPECT_EQ(sample.cgroup, 0u);
}

// Whatever came before, a sample is decoded as by a new decoder.
TEST(SampleDecoder, NothingIsLeftOfAnySampleBefore) {
  const Event memory{.attr = {.sample_type = bit::weight | bit::data_src | bit::phys_addr}};
  const Event other_memory{.attr = {.sample_type = bit::weight_struct | bit::data_src | bit::code_page_size}};
  const Event stack{.attr = {.sample_type = bit::regs_user | bit::stack_user, .sample_regs_user = 3}};
  const Event branches{.attr = {.sample_type = bit::branch_stack, .branch_sample_type = branch_sample::hw_index}};
  const Event plain_branches{.attr = {.sample_type = bit::branch_stack}};
  const Event bare{.attr = {.sample_type = bit::ip}};
  const auto branch = [](BytesBuilder& in) -> BytesBuilder& { return in.u64(1).u64(2).u64(0); };
  BytesBuilder with_index, without_index;
  branch(with_index.u64(1).u64(7));
  branch(without_index.u64(1));
  const std::pair<const Event*, std::vector<std::byte>> samples[] = {
      {&memory, BytesBuilder().u64(1).u64(2).u64(3).take()},
      {&memory, BytesBuilder().u64(4).u64(0).u64(0).take()},
      {&other_memory, BytesBuilder().u64(0x0005'0006'0000'0007).u64(8).u64(4096).take()},
      {&stack, BytesBuilder().u64(2).u64(10).u64(11).u64(8).text("12345678").u64(8).take()},
      {&stack, BytesBuilder().u64(0).u64(0).take()},
      {&branches, with_index.take()},
      {&plain_branches, without_index.take()},
      {&branches, BytesBuilder().u64(0).u64(~std::uint64_t{0}).take()},
      {&bare, BytesBuilder().u64(9).take()}};
  for (const auto& [before, bytes_before] : samples) {
    for (const auto& [event, bytes] : samples) {
      SampleDecoder decoder, fresh_decoder;
      Sample sample, fresh;
      ASSERT_TRUE(decoder.decode({.payload = bytes_before}, *before, sample));
      ASSERT_TRUE(decoder.decode({.payload = bytes}, *event, sample));
      ASSERT_TRUE(fresh_decoder.decode({.payload = bytes}, *event, fresh));
      const auto fields = [](const Sample& of) {
        return std::tuple(of.has_branch_stack, of.branch_hw_index, of.branch_stack.size(), of.user_registers.mask,
                          of.user_registers.abi, numbers(of.user_registers.values), text_of(of.user_stack),
                          of.user_stack_dumped, of.weight, of.instruction_latency, of.pipeline_stage_cycles,
                          of.data_src, of.phys_addr, of.code_page_size);
      };
      EXPECT_EQ(fields(sample), fields(fresh));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BothByteOrders, SampleFields, testing::Values(ByteOrder::native, ByteOrder::swapped),
                         [](const auto& order) {
                           return order.param == ByteOrder::native ? std::string("Native") : std::string("Swapped");
                         });

TEST_P(SampleFields, FieldsThatWereNotRecordedHavePerfsDefaults) {
  const auto s = decode({.sample_period = 4000, .sample_type = 0}, bytes());
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->pid, -1);
  EXPECT_EQ(s->tid, -1);
  EXPECT_EQ(s->cpu, -1);
  EXPECT_EQ(s->time, no_time);
  EXPECT_EQ(s->id, ~std::uint64_t{0});
  EXPECT_EQ(s->stream_id, ~std::uint64_t{0});
  EXPECT_EQ(s->period, 4000u);
  EXPECT_FALSE(s->has_callchain);
  EXPECT_FALSE(s->has_branch_stack);
}

TEST_P(SampleFields, TheHeaderGivesTheCpuModeWhateverItsOtherBits) {
  const auto s = decode({}, bytes());
  EXPECT_EQ(s->cpumode, CpuMode::user);
  EXPECT_EQ(s->misc, 0x4002);
  EXPECT_EQ(s->moment.position, 77u);
}

TEST_P(SampleFields, Identifier) {
  EXPECT_EQ(decode({.sample_type = bit::identifier}, bytes().u64(0x1122334455667788))->id, 0x1122334455667788u);
}
TEST_P(SampleFields, Ip) {
  EXPECT_EQ(decode({.sample_type = bit::ip}, bytes().u64(0x1122334455667788))->ip, 0x1122334455667788u);
}
TEST_P(SampleFields, ThreadIsTwoNumbers) {
  const auto s = decode({.sample_type = bit::tid}, bytes().u32(100).u32(101));
  EXPECT_EQ(s->pid, 100);
  EXPECT_EQ(s->tid, 101);
}
TEST_P(SampleFields, Time) {
  const auto s = decode({.sample_type = bit::time}, bytes().u64(123456789));
  EXPECT_EQ(s->time, 123456789u);
  EXPECT_EQ(s->moment.time, 123456789u);
}
TEST_P(SampleFields, Address) { EXPECT_EQ(decode({.sample_type = bit::addr}, bytes().u64(0xbeef))->addr, 0xbeefu); }
TEST_P(SampleFields, Id) { EXPECT_EQ(decode({.sample_type = bit::id}, bytes().u64(31))->id, 31u); }
TEST_P(SampleFields, StreamId) { EXPECT_EQ(decode({.sample_type = bit::stream_id}, bytes().u64(32))->stream_id, 32u); }
TEST_P(SampleFields, CpuIsFollowedByAReservedWord) {
  const auto s = decode({.sample_type = bit::cpu | bit::period}, bytes().u32(3).u32(0xffffffff).u64(9));
  EXPECT_EQ(s->cpu, 3);
  EXPECT_EQ(s->period, 9u);
}
TEST_P(SampleFields, ARecordedPeriodReplacesThatOfTheEvent) {
  EXPECT_EQ(decode({.sample_period = 4000, .sample_type = bit::period}, bytes().u64(17))->period, 17u);
}

TEST_P(SampleFields, CallchainKeepsItsMarkers) {
  const auto s =
      decode({.sample_type = bit::callchain}, bytes().u64(3).u64(callchain_context::user).u64(0x401000).u64(0x402000));
  ASSERT_TRUE(s.ok());
  EXPECT_TRUE(s->has_callchain);
  EXPECT_THAT(numbers(s->callchain), ElementsAre(0xfffffffffffffe00, 0x401000, 0x402000));
}
TEST_P(SampleFields, AnEmptyCallchainIsACallchain) {
  const auto s = decode({.sample_type = bit::callchain}, bytes().u64(0));
  EXPECT_TRUE(s.ok());
  EXPECT_TRUE(s->has_callchain);
  EXPECT_THAT(numbers(s->callchain), IsEmpty());
}
TEST_P(SampleFields, ACallchainLongerThanTheRecordIsRefused) {
  EXPECT_FALSE(decode({.sample_type = bit::callchain}, bytes().u64(3).u64(1).u64(2)).ok());
  EXPECT_FALSE(decode({.sample_type = bit::callchain}, bytes().u64(0x2000000000000001).u64(1)).ok());
}

TEST_P(SampleFields, RawDataIncludesItsPadding) {
  // A payload of 8 bytes takes 12, so that the size field and the payload together are a multiple of 8.
  const auto s = decode({.sample_type = bit::raw | bit::weight}, bytes().u32(12).text("abcdefgh").zeros(4).u64(5));
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(text_of(s->raw), std::string_view("abcdefgh\0\0\0\0", 12));
  EXPECT_EQ(s->weight, 5u);
}
TEST_P(SampleFields, RawDataLargerThanTheRecordIsRefused) {
  EXPECT_FALSE(decode({.sample_type = bit::raw}, bytes().u32(0xffffffff).u32(0)).ok());
}

TEST_P(SampleFields, UserRegistersAreOnePerBitOfTheMask) {
  const auto s = decode({.sample_type = bit::regs_user, .sample_regs_user = 0b1'0000'0101},
                        bytes().u64(2).u64(0xa0).u64(0xa2).u64(0xa8));
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->user_registers.abi, 2u);
  EXPECT_EQ(s->user_registers.get(0), 0xa0u);
  EXPECT_EQ(s->user_registers.get(2), 0xa2u);
  EXPECT_EQ(s->user_registers.get(8), 0xa8u);
  EXPECT_EQ(s->user_registers.get(1), std::nullopt);
  EXPECT_EQ(s->user_registers.get(64), std::nullopt);
}
TEST(Registers, NoRegisterHasANumberAbove63) {
  const Unaligned<std::uint64_t> value[] = {std::uint64_t{10}};
  const Registers registers{.abi = 2, .mask = std::uint64_t{1} << 63, .values = value};
  EXPECT_EQ(registers.get(63), 10u);
  EXPECT_EQ(registers.get(64), std::nullopt);
  EXPECT_EQ(registers.get(127), std::nullopt);
}

TEST_P(SampleFields, AbiZeroMeansThatNoRegistersFollow) {
  const auto s =
      decode({.sample_type = bit::regs_user | bit::weight, .sample_regs_user = 0xff0fff}, bytes().u64(0).u64(5));
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->user_registers.get(7), std::nullopt);
  EXPECT_EQ(s->weight, 5u);
}
TEST_P(SampleFields, RegistersAtTheInterrupt) {
  const auto s = decode({.sample_type = bit::regs_intr, .sample_regs_intr = 0b11}, bytes().u64(1).u64(10).u64(11));
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->intr_registers.abi, 1u);
  EXPECT_EQ(s->intr_registers.get(1), 11u);
}

TEST_P(SampleFields, TheUserStackIsCutToItsDynamicSize) {
  const auto s = decode({.sample_type = bit::stack_user}, bytes().u64(16).text("0123456789abcdef").u64(10));
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(text_of(s->user_stack), "0123456789");
  EXPECT_EQ(s->user_stack_dumped, 16u);
}
TEST_P(SampleFields, AnEmptyUserStackHasNoDynamicSize) {
  const auto s = decode({.sample_type = bit::stack_user | bit::weight}, bytes().u64(0).u64(5));
  ASSERT_TRUE(s.ok());
  EXPECT_TRUE(s->user_stack.empty());
  EXPECT_EQ(s->weight, 5u);
}
TEST_P(SampleFields, ADynamicSizeLargerThanTheDumpIsRefused) {
  EXPECT_FALSE(decode({.sample_type = bit::stack_user}, bytes().u64(8).u64(0).u64(9)).ok());
}

TEST_P(SampleFields, Weight) { EXPECT_EQ(decode({.sample_type = bit::weight}, bytes().u64(1).u64(0))->weight, 1u); }
TEST_P(SampleFields, DataSource) {
  EXPECT_EQ(decode({.sample_type = bit::data_src}, bytes().u64(0x68100142))->data_src, 0x68100142u);
}
TEST_P(SampleFields, Transaction) {
  EXPECT_EQ(decode({.sample_type = bit::transaction}, bytes().u64(0x100))->transaction, 0x100u);
}
TEST_P(SampleFields, PhysicalAddress) {
  EXPECT_EQ(decode({.sample_type = bit::phys_addr}, bytes().u64(0x1234000))->phys_addr, 0x1234000u);
}
TEST_P(SampleFields, Cgroup) { EXPECT_EQ(decode({.sample_type = bit::cgroup}, bytes().u64(42))->cgroup, 42u); }
TEST_P(SampleFields, PageSizes) {
  const auto s = decode({.sample_type = bit::data_page_size | bit::code_page_size}, bytes().u64(4096).u64(2 << 20));
  EXPECT_EQ(s->data_page_size, 4096u);
  EXPECT_EQ(s->code_page_size, 2u << 20);
}
TEST_P(SampleFields, AuxDataIsTheLastField) {
  const auto s = decode({.sample_type = bit::aux}, bytes().u64(3).text("ptxyz"));
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(text_of(s->aux), "ptx");
}
TEST_P(SampleFields, FieldsOfTheFutureAreIgnored) {
  EXPECT_TRUE(decode({.sample_type = bit::ip}, bytes().u64(1).u64(2)).ok());
}

// struct perf_sample_weight: the parts of a weight are parts of a number, so their order depends on the byte order.
// var1 is the lower half, and var2 and var3 are the upper half.
TEST_P(SampleFields, WeightOfThreeParts) {
  const auto s = decode({.sample_type = bit::weight_struct}, bytes().u64(0x0003'0002'00000001));
  EXPECT_EQ(s->weight, 1u);
  EXPECT_EQ(s->instruction_latency, 2u);
  EXPECT_EQ(s->pipeline_stage_cycles, 3u);
}

// --- counters (PERF_SAMPLE_READ)

TEST_P(SampleFields, OneCounterHasItsTimesBeforeItsId) {
  namespace read = read_format;
  const auto s = decode({.sample_type = bit::read,
                         .read_format = read::total_time_enabled | read::total_time_running | read::id | read::lost},
                        bytes().u64(500).u64(1000).u64(900).u64(31).u64(2));
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->time_enabled, 1000u);
  EXPECT_EQ(s->time_running, 900u);
  ASSERT_EQ(s->read.size(), 1u);
  EXPECT_EQ(s->read[0].value, 500u);
  EXPECT_EQ(s->read[0].id, 31u);
  EXPECT_EQ(s->read[0].lost, 2u);
}
TEST_P(SampleFields, ACounterMayBeAlone) {
  const auto s = decode({.sample_type = bit::read}, bytes().u64(500));
  ASSERT_EQ(s->read.size(), 1u);
  EXPECT_EQ(s->read[0].value, 500u);
}
TEST_P(SampleFields, AGroupHasItsTimesBeforeItsMembers) {
  namespace read = read_format;
  const auto s =
      decode({.sample_type = bit::read,
              .read_format = read::group | read::total_time_enabled | read::total_time_running | read::id | read::lost},
             bytes().u64(2).u64(1000).u64(900).u64(500).u64(31).u64(0).u64(600).u64(32).u64(7));
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->time_enabled, 1000u);
  EXPECT_EQ(s->time_running, 900u);
  ASSERT_EQ(s->read.size(), 2u);
  EXPECT_EQ(s->read[1].value, 600u);
  EXPECT_EQ(s->read[1].id, 32u);
  EXPECT_EQ(s->read[1].lost, 7u);
}
TEST_P(SampleFields, GroupMembersWithoutIds) {
  const auto s = decode({.sample_type = bit::read, .read_format = read_format::group}, bytes().u64(2).u64(5).u64(6));
  ASSERT_EQ(s->read.size(), 2u);
  EXPECT_EQ(s->read[1].value, 6u);
}
TEST_P(SampleFields, AGroupLargerThanTheRecordIsRefused) {
  const EventAttr attr{.sample_type = bit::read, .read_format = read_format::group | read_format::id};
  EXPECT_FALSE(decode(attr, bytes().u64(2).u64(5).u64(31).u64(6)).ok());
  EXPECT_FALSE(decode(attr, bytes().u64(0x1000000000000001).u64(5).u64(31)).ok());
}

// --- branches

TEST(SampleBranches, HardwareIndexComesBeforeTheBranchesAndCountersAfter) {
  const EventAttr attr{.sample_type = bit::branch_stack,
                       .branch_sample_type = branch_sample::hw_index | branch_sample::counters};
  const Decoded s(attr,
                  BytesBuilder().u64(2).u64(9).u64(0x10).u64(0x20).u64(1).u64(0x30).u64(0x40).u64(2).u64(71).u64(72));
  ASSERT_TRUE(s.ok());
  EXPECT_TRUE(s->has_branch_stack);
  EXPECT_EQ(s->branch_hw_index, 9u);
  ASSERT_EQ(s->branch_stack.size(), 2u);
  const BranchEntry second = s->branch_stack[1];
  EXPECT_EQ(second.from, 0x30u);
  EXPECT_EQ(second.to, 0x40u);
  EXPECT_TRUE(second.predicted());
  EXPECT_THAT(numbers(s->branch_counters), ElementsAre(71, 72));
}

TEST(SampleBranches, MoreBranchesThanTheRecordHoldsAreRefused) {
  EXPECT_FALSE(Decoded({.sample_type = bit::branch_stack}, BytesBuilder().u64(2).u64(1).u64(2).u64(3)).ok());
}

// mispred:1 predicted:1 in_tx:1 abort:1 cycles:16 type:4 spec:2 new_type:4 priv:3, from the least significant bit.
TEST(SampleBranches, FlagsOfALittleEndianWriter) {
  const std::uint64_t flags = 1 | 1 << 3 | 0x1234 << 4 | 5 << 20 | 2 << 24 | 9 << 26 | std::uint64_t{6} << 30;
  const Decoded s({.sample_type = bit::branch_stack}, BytesBuilder().u64(1).u64(0x10).u64(0x20).u64(flags));
  const BranchEntry branch = s->branch_stack[0];
  EXPECT_TRUE(branch.mispredicted());
  EXPECT_FALSE(branch.predicted());
  EXPECT_FALSE(branch.in_transaction());
  EXPECT_TRUE(branch.abort());
  EXPECT_EQ(branch.cycles(), 0x1234u);
  EXPECT_EQ(branch.type(), 5u);
  EXPECT_EQ(branch.speculation(), 2u);
  EXPECT_EQ(branch.new_type(), 9u);
  EXPECT_EQ(branch.privilege(), 6u);
}

// The fields from the most significant bit, in the layout of a big-endian compiler.
TEST(SampleBranches, FlagsOfABigEndianWriter) {
  const std::uint64_t flags = std::uint64_t{1} << 63 | std::uint64_t{1} << 60 | std::uint64_t{0x1234} << 44 |
                              std::uint64_t{5} << 40 | std::uint64_t{2} << 38 | std::uint64_t{9} << 34 |
                              std::uint64_t{6} << 31;
  const Decoded s({.sample_type = bit::branch_stack},
                  BytesBuilder(ByteOrder::swapped).u64(1).u64(0x10).u64(0x20).u64(flags), ByteOrder::swapped);
  const BranchEntry branch = s->branch_stack[0];
  EXPECT_EQ(branch.from, 0x10u);
  EXPECT_EQ(branch.to, 0x20u);
  EXPECT_TRUE(branch.mispredicted());
  EXPECT_FALSE(branch.predicted());
  EXPECT_TRUE(branch.abort());
  EXPECT_EQ(branch.cycles(), 0x1234u);
  EXPECT_EQ(branch.type(), 5u);
  EXPECT_EQ(branch.speculation(), 2u);
  EXPECT_EQ(branch.new_type(), 9u);
  EXPECT_EQ(branch.privilege(), 6u);
}

// --- all fields

constexpr EventAttr everything{.sample_type = (bit::weight_struct << 1) - 1 - bit::weight,
                               .read_format = read_format::id,
                               .branch_sample_type = branch_sample::hw_index,
                               .sample_regs_user = 1,
                               .sample_regs_intr = 2};

// The order is that of perf_output_sample() in kernel/events/core.c, which differs from the order of the bits.
BytesBuilder all_fields(ByteOrder order) {
  BytesBuilder out(order);
  out.u64(1).u64(2).u32(3).u32(4).u64(5).u64(6).u64(7).u64(8).u32(9).u32(0).u64(10);  // IDENTIFIER .. PERIOD
  out.u64(11).u64(12);                                                                // READ: value, id
  out.u64(1).u64(13);                                                                 // CALLCHAIN
  out.u32(4).text("raw!");                                                            // RAW
  out.u64(1).u64(14).u64(15).u64(16).u64(0);                                          // BRANCH_STACK
  out.u64(2).u64(17);                                                                 // REGS_USER
  out.u64(8).text("stack...").u64(5);                                                 // STACK_USER
  out.u64(18).u64(19).u64(20);                                                        // WEIGHT, DATA_SRC, TRANSACTION
  out.u64(2).u64(21);                                                                 // REGS_INTR
  out.u64(22).u64(23).u64(24).u64(25);  // PHYS_ADDR, CGROUP, DATA_PAGE_SIZE, CODE_PAGE_SIZE
  return out.u64(4).text("aux!").zeros(4);
}

TEST_P(SampleFields, AllFieldsTogether) {
  const auto s = decode(everything, all_fields(GetParam()));
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->ip, 2u);
  EXPECT_EQ(s->pid, 3);
  EXPECT_EQ(s->tid, 4);
  EXPECT_EQ(s->time, 5u);
  EXPECT_EQ(s->addr, 6u);
  EXPECT_EQ(s->id, 7u);
  EXPECT_EQ(s->stream_id, 8u);
  EXPECT_EQ(s->cpu, 9);
  EXPECT_EQ(s->period, 10u);
  EXPECT_EQ(s->read[0].value, 11u);
  EXPECT_EQ(s->read[0].id, 12u);
  EXPECT_THAT(numbers(s->callchain), ElementsAre(13));
  EXPECT_EQ(text_of(s->raw), "raw!");
  EXPECT_EQ(s->branch_hw_index, 14u);
  EXPECT_EQ(BranchEntry(s->branch_stack[0]).from, 15u);
  EXPECT_EQ(BranchEntry(s->branch_stack[0]).to, 16u);
  EXPECT_EQ(s->user_registers.get(0), 17u);
  EXPECT_EQ(text_of(s->user_stack), "stack");
  EXPECT_EQ(s->weight, 18u);
  EXPECT_EQ(s->data_src, 19u);
  EXPECT_EQ(s->transaction, 20u);
  EXPECT_EQ(s->intr_registers.get(1), 21u);
  EXPECT_EQ(s->phys_addr, 22u);
  EXPECT_EQ(s->cgroup, 23u);
  EXPECT_EQ(s->data_page_size, 24u);
  EXPECT_EQ(s->code_page_size, 25u);
  EXPECT_EQ(text_of(s->aux), "aux!");
}

TEST_P(SampleFields, ARecordThatEndsBeforeItsLastFieldIsRefusedWhereverItEnds) {
  const std::size_t whole = all_fields(GetParam()).size() - 4;  // without the padding
  for (std::size_t size = 0; size < whole; ++size) {
    BytesBuilder cut(GetParam());
    cut.bytes(all_fields(GetParam()).view().first(size));
    EXPECT_FALSE(decode(everything, std::move(cut)).ok()) << size;
  }
}

// --- sample_id trailers of other records

constexpr EventAttr all_of_the_trailer{
    .sample_type = bit::tid | bit::time | bit::id | bit::stream_id | bit::cpu | bit::identifier | bit::ip,
    .flags = test::sample_id_all};

TEST(SampleId, LiesAtTheEndOfTheRecordInItsOwnOrder) {
  const auto payload =
      BytesBuilder().u64(99).u32(1).u32(2).u64(3).u64(4).u64(5).u32(6).u32(0).u64(7).take();  // after 8 bytes of its
                                                                                              // own
  const SampleId id = decode_sample_id({.payload = payload}, all_of_the_trailer);
  EXPECT_EQ(id.pid, 1);
  EXPECT_EQ(id.tid, 2);
  EXPECT_EQ(id.time, 3u);
  EXPECT_EQ(id.stream_id, 5u);
  EXPECT_EQ(id.cpu, 6);
  EXPECT_EQ(id.id, 7u);  // IDENTIFIER replaces ID
  EXPECT_EQ(id.size, 48u);
}

TEST(SampleId, HoldsOnlyWhatTheEventAskedFor) {
  const auto payload = BytesBuilder().u64(99).u64(1234).take();
  const SampleId id =
      decode_sample_id({.payload = payload}, {.sample_type = bit::time | bit::ip, .flags = test::sample_id_all});
  EXPECT_EQ(id.time, 1234u);
  EXPECT_EQ(id.tid, -1);
  EXPECT_EQ(id.size, 8u);
}

TEST(SampleId, OfAForeignByteOrder) {
  const auto payload = BytesBuilder(ByteOrder::swapped).u32(1).u32(2).u64(1234).take();
  const SampleId id = decode_sample_id({.payload = payload, .order = ByteOrder::swapped},
                                       {.sample_type = bit::time | bit::tid, .flags = test::sample_id_all});
  EXPECT_EQ(id.pid, 1);
  EXPECT_EQ(id.tid, 2);
  EXPECT_EQ(id.time, 1234u);
}

TEST(SampleId, IsMissingWithoutSampleIdAllAndInARecordTooShortForIt) {
  const auto payload = BytesBuilder().u64(1234).take();
  EXPECT_EQ(decode_sample_id({.payload = payload}, {.sample_type = bit::time}).size, 0u);
  const SampleId id =
      decode_sample_id({.payload = payload}, {.sample_type = bit::time | bit::tid, .flags = test::sample_id_all});
  EXPECT_EQ(id.size, 0u);
  EXPECT_EQ(id.time, no_time);
}

}  // namespace
}  // namespace perfsift::reader
