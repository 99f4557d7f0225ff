// The same program must give the same frames from all forms of debug information that compilers write.

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include <gmock/gmock.h>

#include "symbolize/symbols/elf_symbols.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/dwarf/frames.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize::dwarf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// The label is at the code of the innermost call.
constexpr std::string_view source = R"(namespace space {
template <typename T>
__attribute__((always_inline)) inline T innermost(T x) {
  asm volatile(".globl here\nhere: nop");
  return x * 3;
}
struct Middle {
  __attribute__((always_inline)) int twice(int x) { return innermost(x) + 1; }
};
}  // namespace space
extern "C" __attribute__((noinline)) int outer(int x) {
  space::Middle middle;
  return middle.twice(x) + 2;
}
int main(int argc, char**) { return outer(argc); }
)";

bool is_there(const std::string& tool) { return std::system(("command -v " + tool + " >/dev/null").c_str()) == 0; }

class Compiled : public testing::Test {
 protected:
  // Each program has its own folder, as split units are searched beside the program.
  bool compile(const std::string& compiler, const std::string& flags) {
    directory.write("a.cc", source);
    return run(compiler + " -g " + flags + " a.cc -o program 2>errors");
  }
  bool run(const std::string& command) const {
    return std::system(("cd " + directory.path().string() + " && " + command).c_str()) == 0;
  }
  std::string here(const std::string& name) const { return directory.path() / name; }

  std::vector<std::string> frames_in(const std::string& name) const {
    Missing why = Missing::none;
    const auto file = ElfFile::open(here(name), why);
    const auto info = test::debug_info_of(ElfFile::open(here(name), why));
    return info ? test::frames_at(*info, address_of_label()) : std::vector<std::string>{"no debug information"};
  }
  std::uint64_t address_of_label() const {
    run("nm program | awk '$3 == \"here\" { print $1 }' >label");
    return std::stoull(test::content_of(here("label")), nullptr, 16);
  }

  test::TemporaryDirectory directory;
};

class CompiledIn : public Compiled, public testing::WithParamInterface<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(
    Dwarf, CompiledIn,
    testing::Combine(testing::Values("g++", "clang++"),
                     testing::Values("-O2 -gdwarf-2", "-O2 -gdwarf-3", "-O2 -gdwarf-4", "-O2 -gdwarf-5",
                                     "-O2 -gdwarf-5 -gdwarf64", "-O0 -gdwarf-4", "-O0 -gdwarf-5",
                                     "-O2 -gdwarf-4 -gsplit-dwarf", "-O2 -gdwarf-5 -gsplit-dwarf", "-O2 -gz=zlib",
                                     "-O2 -no-pie -fno-pic", "-O2 -ffunction-sections -Wl,--gc-sections")));

TEST_P(CompiledIn, TheFramesAreThoseOfTheSource) {
  const auto [compiler, flags] = GetParam();
  if (!is_there(compiler)) GTEST_SKIP() << "no " << compiler;
  ASSERT_TRUE(compile(compiler, flags)) << test::content_of(here("errors"));
  EXPECT_THAT(frames_in("program"),
              ElementsAre(AllOf(StartsWith("inlined _ZN5space9innermostIiEET_S1_ at "), HasSubstr("/a.cc:4:")),
                          AllOf(StartsWith("inlined _ZN5space6Middle5twiceEi at "), HasSubstr("/a.cc:8:")),
                          AllOf(StartsWith("outer at "), HasSubstr("/a.cc:13:"))));
}

// Object files that are not linked: addresses, and references between debug sections, are in relocations.
class ObjectFile : public Compiled, public testing::WithParamInterface<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Dwarf, ObjectFile,
                         testing::Combine(testing::Values("g++", "clang++", "clang++ --target=aarch64-linux-gnu",
                                                          "clang++ --target=i686-linux-gnu"),
                                          testing::Values("-gdwarf-2", "-gdwarf-4", "-gdwarf-5", "-gz=zlib",
                                                          "-gdwarf-4 -gsplit-dwarf", "-gdwarf-5 -gsplit-dwarf",
                                                          "-gdwarf-5 -fdebug-types-section")));

TEST_P(ObjectFile, HasTheFramesOfTheSource) {
  const auto [compiler, flags] = GetParam();
  if (!is_there(compiler)) GTEST_SKIP() << "no " << compiler;
  // One section per function: for other tools, all sections start at the same address.
  directory.write("a.cc", "int before(int x) { return x + 1; }\n" + std::string(source));
  ASSERT_TRUE(run(std::string(compiler) + " -g " + flags + " -O2 -ffunction-sections -c a.cc -o program 2>errors"))
      << test::content_of(here("errors"));
  Missing why = Missing::none;
  const auto file = ElfFile::open(here("program"), why);
  const ElfFile::Section* section = file->section(".text.outer");
  ASSERT_NE(section, nullptr);
  EXPECT_NE(section->header.sh_addr, 0U) << "where `before` is";
  const auto info = test::debug_info_of(ElfFile::open(here("program"), why));
  ASSERT_NE(info, nullptr);
  EXPECT_THAT(test::frames_at(*info, section->header.sh_addr + address_of_label()),
              ElementsAre(AllOf(StartsWith("inlined _ZN5space9innermostIiEET_S1_ at "), HasSubstr("/a.cc:5:")),
                          AllOf(StartsWith("inlined _ZN5space6Middle5twiceEi at "), HasSubstr("/a.cc:9:")),
                          AllOf(StartsWith("outer at "), HasSubstr("/a.cc:14:"))));
  EXPECT_THAT(test::frames_at(*info, file->section(".text._Z6beforei")->header.sh_addr),
              ElementsAre(AllOf(StartsWith("_Z6beforei at "), HasSubstr("/a.cc:1:"))));
}

// Random bytes in headers, symbols and relocations.
TEST_F(Compiled, ADamagedObjectFileCostsFramesAndNothingElse) {
  if (!is_there("g++")) GTEST_SKIP() << "no g++";
  directory.write("a.cc", source);
  ASSERT_TRUE(run("g++ -g -O2 -ffunction-sections -c a.cc -o program"));
  const std::string whole = test::content_of(here("program"));
  std::mt19937 random(1);
  unsigned with_frames = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::byte> image(whole.size());
    std::memcpy(image.data(), whole.data(), whole.size());
    for (int damaged = 0; damaged < 4; ++damaged) {
      // Every second changed byte is in the section headers, which are at the end.
      const std::size_t range = damaged % 2 == 0 ? image.size() : std::min<std::size_t>(image.size(), 2048);
      image[image.size() - 1 - random() % range] = static_cast<std::byte>(random());
    }
    const auto file = ElfFile::from_memory(std::move(image), here("program"));
    const auto info = file ? test::debug_info_of(file) : nullptr;
    if (info && !test::frames_at(*info, 0).empty()) ++with_frames;
  }
  EXPECT_GT(with_frames, 200U) << "too much damage to say anything";
}

TEST_F(Compiled, SplitUnitsAreFoundBesideTheProgram) {
  if (!is_there("g++")) GTEST_SKIP() << "no g++";
  ASSERT_TRUE(compile("g++", "-O2 -gdwarf-5 -gsplit-dwarf"));
  const auto expected = frames_in("program");
  ASSERT_EQ(expected.size(), 3U);
  ASSERT_TRUE(run("mkdir moved && cp program moved && mv *.dwo moved"));
  EXPECT_EQ(frames_in("moved/program"), expected);
  EXPECT_THAT(frames_in("program"), ElementsAre(StartsWith(" at ")));  // the line is in the program itself
}

struct Packager {
  const char* program;
  const char* compiler;
  const char* flags;
};

// GNU's dwp supports only the index from before DWARF 5. LLVM's dwp supports the index of DWARF 5, but not GCC's
// output.
class Packaged : public Compiled, public testing::WithParamInterface<Packager> {};
INSTANTIATE_TEST_SUITE_P(Dwarf, Packaged,
                         testing::Values(Packager{"dwp", "g++", "-gdwarf-4"},
                                         Packager{"llvm-dwp", "clang++", "-gdwarf-5"}));

TEST_P(Packaged, SplitUnitsAreFoundInAPackage) {
  const auto [packager, compiler, flags] = GetParam();
  if (!is_there(compiler) || !is_there(packager)) GTEST_SKIP() << "no " << compiler << " or no " << packager;
  ASSERT_TRUE(compile(compiler, std::string("-O2 -gsplit-dwarf ") + flags));
  const auto expected = frames_in("program");
  ASSERT_EQ(expected.size(), 3U);
  ASSERT_TRUE(run(std::string("timeout 60 ") + packager + " -o program.dwp *.dwo && rm *.dwo"));
  EXPECT_EQ(frames_in("program"), expected);
}

TEST_F(Compiled, ASplitUnitOfAnotherBuildIsNotUsed) {
  if (!is_there("g++")) GTEST_SKIP() << "no g++";
  ASSERT_TRUE(compile("g++", "-O2 -gdwarf-5 -gsplit-dwarf"));
  directory.write("a.cc", "\n" + std::string(source));
  ASSERT_TRUE(run("cp program old && g++ -g -O1 -gdwarf-5 -gsplit-dwarf a.cc -o program && mv old program"));
  EXPECT_THAT(frames_in("program"), ElementsAre(StartsWith(" at ")));
}

TEST_F(Compiled, WhatDwzMovedIntoASupplementaryFileIsReadThere) {
  if (!is_there("g++") || !is_there("dwz")) GTEST_SKIP() << "no g++ or no dwz";
  ASSERT_TRUE(compile("g++", "-O2 -gdwarf-4 -include string -include map"));
  const auto expected = frames_in("program");
  for (const std::string flags : {"", "--dwarf-5"}) {
    ASSERT_TRUE(run("cp program one && cp program two"));
    if (!run("dwz " + flags + " -m common one two 2>errors")) GTEST_SKIP() << test::content_of(here("errors"));
    EXPECT_EQ(frames_in("one"), expected);
    // Without the file, or with the file of another build, only names are lost.
    ASSERT_TRUE(run("mv common moved"));
    EXPECT_EQ(frames_in("one").size(), expected.size());
    EXPECT_NE(frames_in("one"), expected);
    ASSERT_TRUE(run("cp program common"));
    EXPECT_NE(frames_in("one"), expected);
  }
}

TEST_F(Compiled, ASymbolFileLooksInTheFileThatHasTheDebugInformation) {
  if (!is_there("g++")) GTEST_SKIP() << "no g++";
  ASSERT_TRUE(compile("g++", "-O2 -Wl,--build-id=sha1"));
  // The program keeps its symbol table. Only the other file has debug information.
  ASSERT_TRUE(run("objcopy --only-keep-debug program program.debug && cp program whole"));
  ASSERT_TRUE(run("strip --strip-debug program && objcopy --add-gnu-debuglink=program.debug program"));
  const auto expected = frames_in("whole");
  ASSERT_EQ(expected.size(), 3U);

  Symbolizer symbolizer(test::nowhere_else());
  Binary binary;
  binary.path = here("program");
  const SymbolFile& file = symbolizer.file(binary);
  Missing why = Missing::none;
  const auto offset = ElfFile::open(here("program"), why)->file_offset(address_of_label());
  ASSERT_TRUE(offset.has_value());
  EXPECT_EQ(test::name_at(file, *offset), "outer");
  std::vector<SourceFrame> frames;
  file.append_source_frames(*offset, frames);
  EXPECT_EQ(test::texts_of(frames), expected);

  frames.clear();
  file.append_source_frames(~std::uint64_t{0}, frames);
  EXPECT_TRUE(frames.empty());
}

}  // namespace
}  // namespace perfsift::symbolize::dwarf
