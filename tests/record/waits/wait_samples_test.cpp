#include "record/waits/wait_samples.h"

#include <array>
#include <fstream>

#include <gtest/gtest.h>

#include "reader/tracepoint.h"
#include "record/waits/probe_frames.h"
#include "record/waits/programs/wait_types.h"

namespace perfsift::record {
namespace {

// The layout of perf_output_sample() in kernel/events/core.c: identifier, ip, pid and tid, time, cpu, period,
// callchain, raw data.
TEST(WaitSamples, HaveTheLayoutOfTheKernel) {
  const std::array<std::uint64_t, 1> kernel{0xffffffff81000010};
  const std::array<std::uint64_t, 2> user{0x401000, 0x402000};
  const std::array<std::uint64_t, reader::measured_waker::field_count> values{77};
  std::vector<std::byte> record;
  append_wait_sample(reader::measured_waker_tracepoint,
                     {.pid = 4, .tid = 5, .time = 99, .cpu = 3, .period = 8, .stack = {kernel, user}}, values, record);
  ByteReader in(record);
  EXPECT_EQ(in.u32(), 9u);  // PERF_RECORD_SAMPLE
  EXPECT_EQ(in.u16(), 1u);  // PERF_RECORD_MISC_KERNEL
  EXPECT_EQ(in.u16(), record.size());
  in.skip(8);
  EXPECT_EQ(in.u64(), kernel[0]);
  EXPECT_EQ(in.u32(), 4u);
  EXPECT_EQ(in.u32(), 5u);
  EXPECT_EQ(in.u64(), 99u);
  EXPECT_EQ(in.u64(), 3u);
  EXPECT_EQ(in.u64(), 8u);
  EXPECT_EQ(in.u64(), 5u);
  for (const std::uint64_t word : {std::uint64_t(-128), kernel[0], std::uint64_t(-512), user[0], user[1]})
    EXPECT_EQ(in.u64(), word);
  EXPECT_EQ(in.u32(), 20u);  // padded, so that the record has a multiple of 8 bytes
  EXPECT_EQ(in.u16(), reader::measured_waker_tracepoint.id);
  in.skip(6);
  EXPECT_EQ(in.u64(), 77u);
  EXPECT_EQ(record.size() % 8, 0u);
}

TEST(WaitSamples, AStackOfAsManyWordsAsFitIsNotedAsTruncated) {
  const std::vector<std::uint64_t> user(WAIT_STACK_WORDS, 0x401000);
  std::vector<std::byte> record;
  const std::array<std::uint64_t, 1> values{};
  append_wait_sample(reader::measured_waker_tracepoint, {.pid = 4, .tid = 5, .stack = {{}, user}}, values, record);
  ByteReader in(Bytes(record).subspan(8 + 6 * 8));
  EXPECT_EQ(in.u64(), user.size() + 2);  // the marker in front, and the note behind
}

TEST(WaitSamples, TheirFieldsAreDescribed) {
  const reader::TracepointFormats formats = reader::TracepointFormats::describe(wait_descriptions());
  EXPECT_EQ(formats.malformed(), 0u);
  for (const reader::MeasuredTracepoint* const tracepoint : reader::measured_tracepoints) {
    const reader::TracepointFormat* const format = formats.find("perfsift", tracepoint->name);
    ASSERT_NE(format, nullptr) << tracepoint->name;
    EXPECT_EQ(format->id, tracepoint->id);
    std::size_t offset = 8;
    for (const reader::MeasuredField& field : tracepoint->fields) {
      const reader::TracepointField* const found = format->find(field.name);
      ASSERT_NE(found, nullptr) << field.name;
      EXPECT_EQ(found->offset, offset);
      EXPECT_EQ(found->size, 8u);
      offset += 8;
    }
  }
}

TEST(ProbeFrames, AreCutOffTheLeaf) {
  const std::string path = testing::TempDir() + "probe_frames_kallsyms";
  std::ofstream(path) << "ffffffff81000000 T before\nffffffff81000100 T bpf_trace_run4\nffffffff81000200 t __schedule\n"
                         "ffffffff81000300 T schedule\nffffffffc0000100 t bpf_prog_6deef7357e7b4530_on_switch\t[bpf]\n";
  const ProbeFrames frames(path);
  const std::vector<std::uint64_t> stack{0xffffffffc0000150, 0xffffffff81000180, 0xffffffff81000210,
                                         0xffffffff81000310};
  EXPECT_EQ(frames.without(stack).size(), 2u);
  EXPECT_EQ(frames.without(stack).front(), 0xffffffff81000210);
  EXPECT_EQ(frames.without(std::span(stack).subspan(2)).size(), 2u);
  EXPECT_EQ(ProbeFrames("/nonexistent").without(stack).size(), 4u);
}

}  // namespace
}  // namespace perfsift::record
