// Compares our declarations of the interface with perf's own header, where it is installed (package linux-perf).
#include "dlfilters/abi.h"

#include <gtest/gtest.h>

#if __has_include(<perf/perf_dlfilter.h>)
extern "C" {
#include <perf/perf_dlfilter.h>
}

namespace perfsift::dlfilter {
namespace {

// Expects that a member of perf's struct and of ours have the same offset and size.
#define EXPECT_SAME_MEMBER(perfs, ours, member)               \
  EXPECT_EQ(offsetof(perfs, member), offsetof(ours, member)); \
  EXPECT_EQ(sizeof(perfs::member), sizeof(ours::member)) << #member

TEST(DlfilterAbi, ASampleIsWhatPerfsHeaderSays) {
  EXPECT_EQ(sizeof(perf_dlfilter_sample), sizeof(Sample));
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, size);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, ins_lat);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, p_stage_cyc);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, ip);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, pid);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, tid);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, time);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, addr);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, id);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, stream_id);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, period);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, weight);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, transaction);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, insn_cnt);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, cyc_cnt);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, cpu);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, flags);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, data_src);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, phys_addr);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, data_page_size);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, code_page_size);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, cgroup);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, cpumode);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, addr_correlates_sym);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, misc);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, raw_size);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, raw_data);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, brstack_nr);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, brstack);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, raw_callchain_nr);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, raw_callchain);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, event);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, machine_pid);
  EXPECT_SAME_MEMBER(perf_dlfilter_sample, Sample, vcpu);
}

TEST(DlfilterAbi, ABranchIsWhatTheKernelsHeaderSays) {
  EXPECT_EQ(sizeof(perf_branch_entry), sizeof(Branch));
  EXPECT_SAME_MEMBER(perf_branch_entry, Branch, from);
  EXPECT_SAME_MEMBER(perf_branch_entry, Branch, to);
}

// In headers before 6.6, comm is the last member.
TEST(DlfilterAbi, ALocationIsWhatPerfsHeaderSays) {
  EXPECT_TRUE(sizeof(perf_dlfilter_al) == AddressLocation::size_v0 ||
              sizeof(perf_dlfilter_al) == AddressLocation::size_v2);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, size);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, symoff);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, sym);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, addr);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, sym_start);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, sym_end);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, dso);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, sym_binding);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, is_64_bit);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, is_kernel_ip);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, buildid_size);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, buildid);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, filtered);
  EXPECT_SAME_MEMBER(perf_dlfilter_al, AddressLocation, comm);
}

TEST(DlfilterAbi, TheTableIsWhatPerfsHeaderSays) {
  EXPECT_EQ(sizeof(perf_dlfilter_fns), sizeof(Functions));
  EXPECT_SAME_MEMBER(perf_dlfilter_fns, Functions, resolve_ip);
  EXPECT_SAME_MEMBER(perf_dlfilter_fns, Functions, resolve_addr);
  EXPECT_SAME_MEMBER(perf_dlfilter_fns, Functions, args);
  EXPECT_SAME_MEMBER(perf_dlfilter_fns, Functions, resolve_address);
  EXPECT_SAME_MEMBER(perf_dlfilter_fns, Functions, insn);
  EXPECT_SAME_MEMBER(perf_dlfilter_fns, Functions, srcline);
  EXPECT_SAME_MEMBER(perf_dlfilter_fns, Functions, attr);
  EXPECT_SAME_MEMBER(perf_dlfilter_fns, Functions, object_code);
}

TEST(DlfilterAbi, FlagsAreWhatPerfsHeaderSays) {
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_BRANCH}, sample_flag::branch);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_CALL}, sample_flag::call);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_RETURN}, sample_flag::return_);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_CONDITIONAL}, sample_flag::conditional);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_SYSCALLRET}, sample_flag::system_call_return);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_ASYNC}, sample_flag::asynchronous);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_INTERRUPT}, sample_flag::interrupt);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_TX_ABORT}, sample_flag::transaction_abort);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_TRACE_BEGIN}, sample_flag::trace_begin);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_TRACE_END}, sample_flag::trace_end);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_IN_TX}, sample_flag::in_transaction);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_VMENTRY}, sample_flag::vm_entry);
  EXPECT_EQ(std::uint32_t{PERF_DLFILTER_FLAG_VMEXIT}, sample_flag::vm_exit);
}

}  // namespace
}  // namespace perfsift::dlfilter
#else
TEST(DlfilterAbi, IsOnlyComparedWherePerfsHeaderIsInstalled) { GTEST_SKIP() << "no <perf/perf_dlfilter.h>"; }
#endif
