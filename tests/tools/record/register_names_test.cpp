#include "tools/record/register_names.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace perfsift::tools {
namespace {

#if defined(__x86_64__)
// perf record --user-regs=? and perf record -vv --user-regs=ip,AX,r8 on x86.
TEST(RegisterNames, AreThoseOfPerf) {
  EXPECT_EQ(sampled_register_names(), "AX BX CX DX SI DI BP SP IP FLAGS CS SS R8 R9 R10 R11 R12 R13 R14 R15");
  EXPECT_EQ(register_mask("", "-I"), 0xff0fffu);
  EXPECT_EQ(register_mask("ip,AX,r8", "-I"), 0x10101u);
}
#elif defined(__aarch64__)
// sample_reg_masks in tools/perf/arch/arm64/util/perf_regs.c.
TEST(RegisterNames, AreThoseOfPerf) {
  EXPECT_EQ(
      sampled_register_names(),
      "x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20 x21 x22 x23 x24 x25 x26 x27 x28 x29 "
      "lr sp pc");
  EXPECT_EQ(register_mask("", "-I"), 0x1ffffffffu);
  EXPECT_EQ(register_mask("pc,X0,lr", "-I"), 0x140000001u);
}
#endif

TEST(RegisterNames, AWrongNameIsRefused) {
  EXPECT_THROW(register_mask("foo", "--user-regs"), UsageError);
  EXPECT_THROW(register_mask("sp,,sp", "--user-regs"), UsageError);
}

}  // namespace
}  // namespace perfsift::tools
