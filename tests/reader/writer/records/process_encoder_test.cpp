// Records about threads, encoded. Layouts: include/uapi/linux/perf_event.h.
#include <gtest/gtest.h>

#include "reader/writer/records/process.h"
#include "tests/reader/writer/records/encoded.h"

namespace perfsift::reader {
namespace {

using ProcessEncoder = EncoderTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, ProcessEncoder, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(ProcessEncoder, CommHasTheBytesOfTheKernel) {
  const auto expected = bytes().u32(3).u16(1 << 13).u16(24).u32(10).u32(11).text("bash").zeros(4).take();
  EXPECT_EQ(encode_comm({.pid = 10, .tid = 11, .name = "bash", .exec = true}, plain()), expected);
}

TEST_P(ProcessEncoder, ANameOfEightBytesHasEightNulsBehindIt) {
  const auto expected = bytes().u32(3).u16(0).u16(32).u32(10).u32(11).text("eight ch").zeros(8).take();
  EXPECT_EQ(encode_comm({.pid = 10, .tid = 11, .name = "eight ch"}, plain()), expected);
}

TEST_P(ProcessEncoder, CommIsReadBack) {
  const auto encoded = encode_comm({.pid = -1, .tid = 11, .name = "a b", .exec = true}, plain());
  const auto comm = decode_comm(record(encoded));
  ASSERT_TRUE(comm);
  EXPECT_EQ(comm->pid, -1);
  EXPECT_EQ(comm->tid, 11);
  EXPECT_EQ(comm->name, "a b");
  EXPECT_TRUE(comm->exec);
}

TEST_P(ProcessEncoder, ForkHasTheBytesOfTheKernel) {
  const auto expected = bytes().u32(7).u16(1 << 13).u16(32).u32(20).u32(10).u32(21).u32(11).u64(777).take();
  const Task task{.pid = 20, .parent_pid = 10, .tid = 21, .parent_tid = 11, .time = 777, .synthesised = true};
  EXPECT_EQ(encode_fork(task, plain()), expected);
}

TEST_P(ProcessEncoder, ForkAndExitAreReadBack) {
  const Task task{.pid = 20, .parent_pid = 10, .tid = 21, .parent_tid = 11, .time = 777};
  const auto encoded_fork = encode_fork(task, plain()), encoded_exit = encode_exit(task, plain());
  const Record fork = record(encoded_fork), exit = record(encoded_exit);
  EXPECT_EQ(fork.header.type, RecordType::fork);
  EXPECT_EQ(exit.header.type, RecordType::exit);
  for (const Record& one : {fork, exit}) {
    const auto read = decode_task(one);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->pid, 20);
    EXPECT_EQ(read->parent_pid, 10);
    EXPECT_EQ(read->tid, 21);
    EXPECT_EQ(read->parent_tid, 11);
    EXPECT_EQ(read->time, 777u);
    EXPECT_FALSE(read->synthesised);
  }
}

TEST_P(ProcessEncoder, NamespacesHaveTheBytesOfTheKernel) {
  const auto expected =
      bytes().u32(16).u16(0).u16(56).u32(10).u32(11).u64(2).u64(4).u64(0xf0000098).u64(4).u64(0xeffffffe).take();
  const Namespaces namespaces{.pid = 10, .tid = 11, .links = {{4, 0xf0000098}, {4, 0xeffffffe}}};
  const auto encoded = encode_namespaces(namespaces, plain());
  EXPECT_EQ(encoded, expected);
  const auto read = decode_namespaces(record(encoded));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pid, 10);
  ASSERT_EQ(read->links.size(), 2u);
  EXPECT_EQ(read->links[1].inode, 0xeffffffeu);
}

TEST_P(ProcessEncoder, CgroupIsReadBack) {
  const auto encoded = encode_cgroup({.id = 4711, .path = "/system.slice"}, plain());
  const auto cgroup = decode_cgroup(record(encoded));
  ASSERT_TRUE(cgroup);
  EXPECT_EQ(cgroup->id, 4711u);
  EXPECT_EQ(cgroup->path, "/system.slice");
}

TEST_P(ProcessEncoder, SwitchesAreReadBack) {
  const auto in = encode_switch({}, plain());
  EXPECT_EQ(record(in).header.type, RecordType::switch_);
  EXPECT_FALSE(decode_switch(record(in))->out);

  const auto out = encode_switch({.out = true, .preempted = true, .other = Switch::Other{7, 8}}, plain());
  EXPECT_EQ(record(out).header.type, RecordType::switch_cpu_wide);
  const auto read = decode_switch(record(out));
  ASSERT_TRUE(read && read->other);
  EXPECT_TRUE(read->out);
  EXPECT_TRUE(read->preempted);
  EXPECT_EQ(read->other->pid, 7);
  EXPECT_EQ(read->other->tid, 8);
}

}  // namespace
}  // namespace perfsift::reader
