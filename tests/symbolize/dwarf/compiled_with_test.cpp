#include "symbolize/dwarf/compiled_with.h"

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>

#include "symbolize/symbolizer.h"
#include "tests/support/dwarf_program.h"
#include "tests/support/temporary.h"

namespace perfsift::symbolize::dwarf {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Values of DW_AT_producer that compilers of Debian 12 write.
TEST(CompiledWith, CompilerAndOptions) {
  EXPECT_EQ(compiler_and_options("GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g -O2 -fno-omit-frame-pointer"),
            "GNU 12.2.0 -O2 -fno-omit-frame-pointer -march=x86-64 -mtune=generic");
  EXPECT_EQ(compiler_and_options("GNU C17 12.2.0 -O2 -O2 --param ggc-min-heapsize=1 --param max-inline=3 -Wall -ggdb3"),
            "GNU 12.2.0 --param max-inline=3 -O2");
  EXPECT_EQ(compiler_and_options("GNU C17 12.2.0 -O2 -ffile-prefix-map=/build/a=. -fdebug-types-section"),
            "GNU 12.2.0 -O2");
  EXPECT_EQ(compiler_and_options("Debian clang version 14.0.6"), "Debian clang version 14.0.6");
  EXPECT_EQ(compiler_and_options("clang LLVM (rustc version 1.63.0)"), "clang LLVM (rustc version 1.63.0)");
  EXPECT_EQ(compiler_and_options("GNU AS 2.40"), "");
  EXPECT_EQ(compiler_and_options(""), "");
  EXPECT_EQ(compiler_and_options(" -O2"), "-O2");
}

class CompiledProgram : public testing::Test {
 protected:
  // The result of compiled_with() for a program that these commands make from the sources.
  std::string how(const std::string& commands) {
    directory_.write("a.c", "int main(void) { return 0; }\n");
    directory_.write("b.c", "int b(void) { return 0; }\n");
    directory_.write("c.c", "int c(void) { return 0; }\n");
    EXPECT_EQ(std::system(("cd " + directory_.path().string() + " && " + commands).c_str()), 0);
    Symbolizer symbolizer;
    return symbolizer.compiled_with({.path = directory_.path() / "program"});
  }

  test::TemporaryDirectory directory_;
};

TEST_F(CompiledProgram, OptionsAreThoseOfTheCommand) {
  const std::string options = how("gcc -g -O2 -fno-plt a.c -o program");
  EXPECT_THAT(options, AllOf(StartsWith("GNU 1"), HasSubstr(" -O2"), HasSubstr(" -fno-plt"), Not(HasSubstr(" -g"))));
  EXPECT_EQ(how("gcc -g3 -O2 -fno-plt -Wall a.c -o program"), options);
  EXPECT_EQ(how("gcc -g -gdwarf-4 -O2 -fno-plt a.c -o program"), options);
  EXPECT_EQ(how("gcc -g -gz -O2 -fno-plt a.c -o program"), options);
  EXPECT_NE(how("gcc -g -O1 -fno-plt a.c -o program"), options);
}

TEST_F(CompiledProgram, MostUnitsDecide) {
  const std::string most = how("gcc -g -O2 a.c b.c c.c -o program");
  EXPECT_EQ(how("gcc -g -O2 -c a.c b.c && gcc -g -O0 -c c.c && gcc -g a.o b.o c.o -o program"), most);
  EXPECT_NE(how("gcc -g -O2 -c a.c && gcc -g -O0 -c b.c c.c && gcc -g a.o b.o c.o -o program"), most);
}

TEST_F(CompiledProgram, NothingIsKnownWithoutDebugInformation) {
  EXPECT_EQ(how("gcc -O2 a.c -o program"), "");
  EXPECT_EQ(how("rm program"), "");
}

TEST_F(CompiledProgram, AUnitWithoutAProducer) {
  directory_.write("program", test::dwarf_program(5).elf());
  EXPECT_EQ(how("true"), "");
}

}  // namespace
}  // namespace perfsift::symbolize::dwarf
