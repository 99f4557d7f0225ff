// BPF programs of this machine: the test loads one.
#include "record/synthesis/bpf_programs.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <gtest/gtest.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/owned.h"
#include "reader/writer/features/features.h"

namespace perfsift::record {
namespace {

// A program that returns 0.
FileDescriptor load_small_program() {
  constexpr std::uint8_t set_register = 0xb7, leave = 0x95;  // r0 = 0, exit: see Documentation/bpf/standardization
  bpf_insn instructions[2]{};
  instructions[0].code = set_register;
  instructions[1].code = leave;
  bpf_attr attr{};
  attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
  attr.insns = reinterpret_cast<std::uintptr_t>(instructions);
  attr.insn_cnt = 2;
  attr.license = reinterpret_cast<std::uintptr_t>("GPL");
  std::strcpy(attr.prog_name, "perfsift_test");
  return FileDescriptor(static_cast<int>(syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr)));
}

TEST(LoadedBpfPrograms, HaveTheirNamesAndFunctions) {
  const FileDescriptor loaded = load_small_program();
  if (!loaded) GTEST_SKIP() << "BPF programs cannot be loaded here: " << std::strerror(errno);
  const auto programs = loaded_bpf_programs();
  const auto found = std::ranges::find(programs, "perfsift_test", &reader::BpfProgram::name);
  if (found == programs.end()) GTEST_SKIP() << "the kernel does not compile BPF programs (net.core.bpf_jit_enable)";
  EXPECT_EQ(found->type, static_cast<std::uint32_t>(BPF_PROG_TYPE_SOCKET_FILTER));
  ASSERT_EQ(found->ksyms.size(), 1u);
  ASSERT_EQ(found->lengths.size(), 1u);
  ASSERT_EQ(found->tags.size(), 1u);
  EXPECT_NE(found->lengths[0], 0u);

  reader::Features features, read;
  features.bpf_programs = programs;
  const auto section = encode_feature(reader::Feature::bpf_prog_info, features, ByteOrder::native);
  ASSERT_TRUE(section);
  decode_feature(static_cast<std::uint32_t>(reader::Feature::bpf_prog_info), *section, ByteOrder::native, read);
  EXPECT_EQ(read.bpf_programs, programs);
}

}  // namespace
}  // namespace perfsift::record
