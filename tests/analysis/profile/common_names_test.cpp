// Names from GCC 12 (-O2 -flto), GCC 8 (cold parts with numbers), Clang 14 (-flto=thin), binutils' demangler, and
// OpenJDK 8, 17 and 21 (perf maps).

#include "analysis/profile/common_names.h"

#include <gtest/gtest.h>

namespace perfsift::analysis::common_names_tests {  // a unity build compiles other tests in the same file
namespace {

struct Naming {
  const char *recorded, *common;
};
class CommonName : public testing::TestWithParam<Naming> {};

TEST_P(CommonName, IsWithoutWhatABuildOrARunMadeUp) { EXPECT_EQ(common_name(GetParam().recorded), GetParam().common); }

INSTANTIATE_TEST_SUITE_P(Compilers, CommonName,
                         testing::Values(Naming{"f.constprop.0", "f"}, Naming{"f.isra.12", "f"},
                                         Naming{"f.part.0", "f"}, Naming{"f.lto_priv.3", "f"},
                                         Naming{"f.llvm.17294519823", "f"}, Naming{"f.cold", "f"},
                                         Naming{"f.cold.1", "f"}, Naming{"f.constprop.0.isra.0.cold", "f"},
                                         Naming{"f.part.0.lto_priv.1", "f"},
                                         Naming{"ns::f(int) [clone .isra.0] [clone .cold]", "ns::f(int)"},
                                         Naming{"f(int) [clone .constprop.0.cold]", "f(int)"}));
INSTANTIATE_TEST_SUITE_P(Jvm, CommonName,
                         testing::Values(Naming{"LMain$$Lambda$14/0x0000000800c03000;::run", "LMain$$Lambda;::run"},
                                         Naming{"Main$$Lambda$14/1234567890.run", "Main$$Lambda.run"},
                                         Naming{"Main$$Lambda/0x00007f12a4c21430.apply", "Main$$Lambda.apply"},
                                         Naming{"Main$$Lambda$14+0x0000000800c03000.run", "Main$$Lambda.run"},
                                         Naming{"java.lang.invoke.LambdaForm$DMH/0x0000000800c05400.invokeStatic",
                                                "java.lang.invoke.LambdaForm$DMH.invokeStatic"}));
// Different functions with similar names.
INSTANTIATE_TEST_SUITE_P(Others, CommonName,
                         testing::Values(Naming{"main.coldStart", "main.coldStart"}, Naming{"pkg.part", "pkg.part"},
                                         Naming{"f._omp_fn.0", "f._omp_fn.0"}, Naming{".cold", ".cold"},
                                         Naming{"f.123", "f.123"}, Naming{"main.f.func1", "main.f.func1"},
                                         Naming{"Main$$Lambda", "Main$$Lambda"}, Naming{"a/0x12.b", "a/0x12.b"},
                                         Naming{"f [clone it]", "f [clone it]"}, Naming{"memcpy@plt", "memcpy@plt"},
                                         Naming{"", ""}));

TEST(FunctionNames, CodeOfAllProcessesIsInOneBinary) {
  FrameTable table;
  const auto frame = [&](std::string_view text, const char* path, bool unnamed) {
    return table.intern(
        text, {.kind = FrameKind::jit, .unnamed = unnamed, .binary = table.binary({.path = path, .build_id = {}})});
  };
  const FrameId one = frame("Main.run", "/tmp/perf-28780.map", false);
  const FrameId other = frame("Main.run", "/tmp/perf-28789.map", false);
  const FrameId unnamed = frame("[perf-28789.map]", "/tmp/perf-28789.map", true);
  EXPECT_EQ(binary_name_of(table, one, FunctionNames::recorded), "perf-28780.map");
  EXPECT_EQ(binary_name_of(table, one, FunctionNames::processes), "[generated code]");
  EXPECT_EQ(name_of(table, unnamed, FunctionNames::common), "[generated code]");
  EXPECT_EQ(name_of(table, unnamed, FunctionNames::recorded), "[perf-28789.map]");
  EXPECT_TRUE(table.same_function(one, other));
}

}  // namespace
}  // namespace perfsift::analysis::common_names_tests
