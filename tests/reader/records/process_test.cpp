// Records about threads and processes. Layouts: include/uapi/linux/perf_event.h.
#include "reader/records/process.h"

#include <gtest/gtest.h>

#include "tests/reader/records/record_of.h"

namespace perfsift::reader {
namespace {

using ProcessRecord = RecordTest;
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, ProcessRecord, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(ProcessRecord, Comm) {
  const auto bytes = payload().u32(10).u32(11).padded("bash");
  const auto comm = decode_comm(record(RecordType::comm, misc::comm_exec, bytes));
  ASSERT_TRUE(comm);
  EXPECT_EQ(comm->pid, 10);
  EXPECT_EQ(comm->tid, 11);
  EXPECT_EQ(comm->name, "bash");
  EXPECT_TRUE(comm->exec);
  EXPECT_FALSE(decode_comm(record(RecordType::comm, 0, bytes))->exec);
}

TEST_P(ProcessRecord, ForkHasItsParentsBetweenItsOwnIds) {
  const auto bytes = payload().u32(20).u32(10).u32(21).u32(11).u64(777);
  const auto task = decode_task(record(RecordType::fork, 0, bytes));
  ASSERT_TRUE(task);
  EXPECT_EQ(task->pid, 20);
  EXPECT_EQ(task->parent_pid, 10);
  EXPECT_EQ(task->tid, 21);
  EXPECT_EQ(task->parent_tid, 11);
  EXPECT_EQ(task->time, 777u);
  EXPECT_FALSE(task->synthesised);
  EXPECT_TRUE(decode_task(record(RecordType::fork, misc::fork_exec, bytes))->synthesised);
  EXPECT_FALSE(decode_task(record(RecordType::exit, misc::fork_exec, bytes))->synthesised);
}

TEST_P(ProcessRecord, Namespaces) {
  const auto bytes = payload().u32(10).u32(11).u64(2).u64(4).u64(0xf0000098).u64(4).u64(0xeffffffe).u64(99);
  const auto namespaces = decode_namespaces(record(RecordType::namespaces, 0, bytes));
  ASSERT_TRUE(namespaces);
  EXPECT_EQ(namespaces->tid, 11);
  ASSERT_EQ(namespaces->links.size(), 2u);
  EXPECT_EQ(namespaces->links[1].device, 4u);
  EXPECT_EQ(namespaces->links[1].inode, 0xeffffffeu);
}

TEST_P(ProcessRecord, MoreNamespacesThanBytesAreRefused) {
  const auto bytes = payload().u32(10).u32(11).u64(~std::uint64_t{0}).u64(4).u64(5);
  EXPECT_FALSE(decode_namespaces(record(RecordType::namespaces, 0, bytes)));
}

TEST_P(ProcessRecord, Cgroup) {
  const auto bytes = payload().u64(4711).padded("/system.slice/cron.service");
  const auto cgroup = decode_cgroup(record(RecordType::cgroup, 0, bytes));
  ASSERT_TRUE(cgroup);
  EXPECT_EQ(cgroup->id, 4711u);
  EXPECT_EQ(cgroup->path, "/system.slice/cron.service");
}

TEST_P(ProcessRecord, SwitchKnowsTheOtherThreadOnlyCpuWide) {
  const auto bytes = payload().u32(10).u32(11);
  const auto in = decode_switch(record(RecordType::switch_, 0, bytes));
  ASSERT_TRUE(in);
  EXPECT_FALSE(in->out);
  EXPECT_FALSE(in->other);

  const auto out =
      decode_switch(record(RecordType::switch_cpu_wide, misc::switch_out | misc::switch_out_preempt, bytes));
  ASSERT_TRUE(out && out->other);
  EXPECT_TRUE(out->out);
  EXPECT_TRUE(out->preempted);
  EXPECT_EQ(out->other->pid, 10);
  EXPECT_EQ(out->other->tid, 11);
}

}  // namespace
}  // namespace perfsift::reader
