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
#endif

TEST(RegisterNames, AWrongNameIsRefused) {
  EXPECT_THROW(register_mask("foo", "--user-regs"), UsageError);
  EXPECT_THROW(register_mask("sp,,sp", "--user-regs"), UsageError);
}

}  // namespace
}  // namespace perfsift::tools
