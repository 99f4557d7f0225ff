#include "tools/record/recorder_rights.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace perfsift::tools {
namespace {

// The line "CapEff:	0000003fffffffff" of the calling thread.
std::uint64_t capability_set(const std::string& set) {
  std::ifstream status("/proc/thread-self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(set + ":")) return std::stoull(line.substr(set.size() + 1), nullptr, 16);
  }
  ADD_FAILURE() << "no " << set;
  return 0;
}

// By the numbers of capability.h: CHOWN 0, DAC_OVERRIDE 1, DAC_READ_SEARCH 2, FOWNER 3, KILL 5, IPC_LOCK 14,
// SYS_PTRACE 19, SYS_ADMIN 21, SYSLOG 34, PERFMON 38, BPF 39.
TEST(RecorderRights, AreFewestForOneFile) {
  EXPECT_EQ(capabilities_for({}), 0u);
  EXPECT_EQ(capabilities_for({.command = true}), 0x20u);
  EXPECT_EQ(capabilities_for({.more_files = true}), 0x40008000fu);
  EXPECT_EQ(capabilities_for({.bpf_programs = true}), 0x8000200000u);
  EXPECT_EQ(capabilities_for({.larger_rings = true}), 0x4000004000u);
}

TEST(RecorderRights, AreLostByTheThreadAndByThoseThatItStarts) {
  const std::uint64_t before = capability_set("CapPrm");
  std::thread([&] {
    EXPECT_TRUE(give_up_capabilities_but(0x20));
    EXPECT_EQ(capability_set("CapEff"), before & 0x20);
    EXPECT_EQ(capability_set("CapPrm"), before & 0x20);
    std::thread([&] { EXPECT_EQ(capability_set("CapEff"), before & 0x20); }).join();
  }).join();
  EXPECT_EQ(capability_set("CapPrm"), before);
}

}  // namespace
}  // namespace perfsift::tools
