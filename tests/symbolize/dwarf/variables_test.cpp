// The part of a variable at an address. The compiled programs print the places of their own expressions, such as
// orders[3].book.bid.

#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <sstream>
#include <tuple>

#include <dwarf.h>
#include <gmock/gmock.h>

#include "tests/support/temporary.h"
#include "tests/symbolize/dwarf/frames.h"

namespace perfsift::symbolize::dwarf::variables_tests {  // a unity build compiles other tests in the same file
namespace {

using testing::EndsWith;

constexpr std::string_view source = R"(#include <cstddef>
#include <cstdint>
#include <cstdio>
struct Price { int32_t units; uint16_t ticks[3]; };
typedef const volatile Price FixedPrice;
struct Book { Price bid, ask; FixedPrice last; };
struct Base { virtual ~Base() {} long base_count = 0; };
struct Empty {};
struct Order : Empty, Base {
  Book book = {};
  char side = 0;
  double weight = 0;
  struct { int nested; Price inner; };
  union { uint64_t all; struct { uint32_t low, high; } half; } word;
  static long total;
  enum Kind { buy, sell } kind[2][3];
};
long Order::total = 3;
namespace market {
Order orders[10];
int counters[4][5][6] = {{{1}}};
}
struct Flags { unsigned ready : 3; unsigned mode : 13; unsigned rest : 16; unsigned last; } flags;
Book *pointer;
int plain;
__attribute__((used)) static struct { char a; long b; } pairs[2];
int next() { __attribute__((used)) static struct { char kept[7]; short number; } state; return state.number++ + state.kept[3]; }
#define SHOW(symbol, variable, part) \
  std::printf("%s %zu %s\n", #symbol, (size_t)((char *)&(variable part) - (char *)&variable), #part)
const void *volatile kept;
int main() {
  using namespace market;
  const void *const all[] = {orders, counters, &flags, &Order::total};
  for (const void *each : all)
    kept = each;
  SHOW(_ZN6market6ordersE, orders, [0].base_count);
  SHOW(_ZN6market6ordersE, orders, [3].book.bid.units);
  SHOW(_ZN6market6ordersE, orders, [3].book.bid.ticks[2]);
  SHOW(_ZN6market6ordersE, orders, [9].book.last.ticks[1]);
  SHOW(_ZN6market6ordersE, orders, [4].side);
  SHOW(_ZN6market6ordersE, orders, [4].weight);
  SHOW(_ZN6market6ordersE, orders, [4].nested);
  SHOW(_ZN6market6ordersE, orders, [4].inner.ticks[0]);
  SHOW(_ZN6market6ordersE, orders, [9].kind[1][2]);
  SHOW(_ZN6market8countersE, counters, [3][4][5]);
  SHOW(_ZN6market8countersE, counters, [0][1][0]);
  SHOW(flags, flags, .last);
  SHOW(_ZL5pairs, pairs, [1].b);
  std::printf("pointer 0 \nplain 0 \n_ZN5Order5totalE 0 \n");
  std::printf("_ZN6market6ordersE %zu [1].word.{all|half.low}\n", sizeof(Order) + offsetof(Order, word));
  std::printf("_ZN6market6ordersE %zu [1].word.{all|half.high}\n", sizeof(Order) + offsetof(Order, word) + 4);
  std::printf("_ZN6market6ordersE %zu [1].[padding]\n", sizeof(Order) + offsetof(Order, side) + 1);
  std::printf("flags 0 .{ready|mode}\nflags 1 .mode\nflags 3 .rest\n");
  std::printf("_ZZ4nextvE5state 5 .kept[5]\n_ZZ4nextvE5state 8 .number\n_ZZ4nextvE5state 7 .[padding]\n");
  return plain + next() + (pointer != nullptr) + (int)pairs[0].b;
}
)";

bool is_there(const std::string& tool) { return std::system(("command -v " + tool + " >/dev/null").c_str()) == 0; }

class CompiledVariables : public testing::Test {
 protected:
  bool compile(const std::string& compiler, const std::string& flags, std::string_view text = source) {
    directory.write("a.cc", text);
    return run(compiler + " -g -w -Wno-invalid-offsetof " + flags + " a.cc -o program 2>errors");
  }
  bool run(const std::string& command) const {
    return std::system(("cd " + directory.path().string() + " && " + command).c_str()) == 0;
  }
  std::string here(const std::string& name) const { return directory.path() / name; }
  std::shared_ptr<const DebugInfo> opened(const std::string& name = "program") const {
    Missing why = Missing::none;
    return test::debug_info_of(ElfFile::open(here(name), why));
  }
  // Addresses by the names of symbols.
  std::map<std::string, std::uint64_t> symbols(const std::string& name = "program") const {
    EXPECT_TRUE(run("nm " + name + " >symbols"));
    std::istringstream lines(test::content_of(here("symbols")));
    std::map<std::string, std::uint64_t> found;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string address, kind, symbol;
      if (words >> address >> kind >> symbol) found[symbol] = std::stoull(address, nullptr, 16);
    }
    return found;
  }
  // Compares with the program's own output. Returns the number of comparisons.
  unsigned compare(const DebugInfo& info) const {
    EXPECT_TRUE(run("./program >said; true"));
    const auto addresses = symbols();
    std::istringstream lines(test::content_of(here("said")));
    unsigned compared = 0;
    for (std::string line; std::getline(lines, line); ++compared) {
      std::istringstream words(line);
      std::string symbol, path;
      std::uint64_t offset = 0;
      words >> symbol >> offset >> path;
      const auto found = info.find_variable(addresses.at(symbol) + offset);
      EXPECT_TRUE(found.has_value()) << line;
      if (!found) continue;
      EXPECT_EQ(found->path, path) << line;
      EXPECT_THAT(found->file, EndsWith("/a.cc")) << line;
    }
    return compared;
  }

  test::TemporaryDirectory directory;
};

class VariablesIn : public CompiledVariables,
                    public testing::WithParamInterface<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(
    Dwarf, VariablesIn,
    testing::Combine(testing::Values("g++", "clang++"),
                     testing::Values("-O0 -gdwarf-2", "-O1 -gdwarf-3 -gstrict-dwarf", "-O1 -gdwarf-4", "-O1 -gdwarf-5",
                                     "-O1 -gdwarf-5 -gdwarf64", "-O1 -gdwarf-4 -gsplit-dwarf",
                                     "-O1 -gdwarf-5 -gsplit-dwarf", "-O1 -gz=zlib", "-O1 -no-pie -fno-pic",
                                     "-O1 -fdata-sections -ffunction-sections -Wl,--gc-sections")));

TEST_P(VariablesIn, PartsAreThoseThatTheProgramPrints) {
  const auto [compiler, flags] = GetParam();
  if (!is_there(compiler)) GTEST_SKIP() << "no " << compiler;
  ASSERT_TRUE(compile(compiler, flags)) << test::content_of(here("errors"));
  const auto info = opened();
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(compare(*info), 25U);
  const auto addresses = symbols();
  const auto declared = [&](const char* symbol) {
    const auto found = info->find_variable(addresses.at(symbol));
    return found ? found->name + " in line " + std::to_string(found->line) : "not found";
  };
  EXPECT_EQ(declared("_ZN6market6ordersE"), "orders in line 20");
  EXPECT_EQ(declared("plain"), "plain in line 25");
  EXPECT_EQ(declared("_ZZ4nextvE5state"), "state in line 27");
  EXPECT_FALSE(info->find_variable(addresses.at("main")).has_value());
}

// Addresses between variables, in code, and on stacks have no part.
TEST_F(CompiledVariables, OtherAddressesHaveNone) {
  if (!is_there("g++")) GTEST_SKIP() << "no g++";
  ASSERT_TRUE(
      compile("g++", "-O0", "int one = 1; thread_local int own = 2; int main() { int local = one; return local; }"));
  const auto info = opened();
  const auto addresses = symbols();
  EXPECT_TRUE(info->find_variable(addresses.at("one") + 3).has_value());
  EXPECT_FALSE(info->find_variable(addresses.at("one") + 4).has_value());
  EXPECT_FALSE(info->find_variable(addresses.at("own")).has_value());
  EXPECT_FALSE(info->find_variable(0).has_value());
  EXPECT_FALSE(info->find_variable(~std::uint64_t{0}).has_value());
}

// Types that dwz moved into a supplementary file.
TEST_F(CompiledVariables, TypesMayBeInASupplementaryFile) {
  if (!is_there("g++") || !is_there("dwz")) GTEST_SKIP() << "no g++ or no dwz";
  ASSERT_TRUE(compile("g++", "-O1 -gdwarf-4 -include string -include map"));
  ASSERT_TRUE(run("cp program other"));
  if (!run("dwz -m common program other 2>errors")) GTEST_SKIP() << test::content_of(here("errors"));
  EXPECT_EQ(compare(*opened()), 25U);
  ASSERT_TRUE(run("rm common"));
  const auto without = opened()->find_variable(symbols().at("plain"));
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ(without->path, "");
}

// The debug file has the sections of the program without their contents.
TEST_F(CompiledVariables, ADebugFileIsEnough) {
  if (!is_there("g++") || !is_there("objcopy")) GTEST_SKIP() << "no g++ or no objcopy";
  ASSERT_TRUE(compile("g++", "-O1") && run("objcopy --only-keep-debug program program.debug"));
  EXPECT_EQ(compare(*opened("program.debug")), 25U);
}

TEST_F(CompiledVariables, DamagedEntriesCostPartsAndNothingElse) {
  if (!is_there("g++")) GTEST_SKIP() << "no g++";
  ASSERT_TRUE(compile("g++", "-O1"));
  const std::string whole = test::content_of(here("program"));
  Missing why = Missing::none;
  const auto sound = ElfFile::open(here("program"), why);
  const auto addresses = symbols();
  std::mt19937 random(1);
  unsigned found = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::byte> image(whole.size());
    std::memcpy(image.data(), whole.data(), whole.size());
    for (int damaged = 0; damaged < 8; ++damaged) {
      const auto& section = *sound->section(damaged % 4 == 0 ? ".debug_abbrev" : ".debug_info");
      image[section.header.sh_offset + random() % section.header.sh_size] = static_cast<std::byte>(random());
    }
    const auto info = test::debug_info_of(ElfFile::from_memory(std::move(image), here("program")));
    for (const char* symbol : {"_ZN6market6ordersE", "flags", "_ZL5pairs", "_ZN6market8countersE"}) {
      const auto variable = info ? info->find_variable(addresses.at(symbol) + random() % 64) : std::nullopt;
      if (!variable) continue;
      ++found;
      EXPECT_LT(variable->path.size(), 100'000U);
    }
  }
  EXPECT_GT(found, 500U) << "too much damage to say anything";
}

class HandmadeVariables : public testing::TestWithParam<int> {
 protected:
  test::DwarfProgram program = test::dwarf_program(static_cast<std::uint16_t>(GetParam()));

  std::vector<std::string> parts() const {
    const auto info = test::debug_info_of(ElfFile::from_memory(program.elf(), "/nowhere/program"));
    std::vector<std::string> texts;
    for (std::uint64_t at = test::DwarfProgram::table; info && at < test::DwarfProgram::table + 16; at += 4) {
      const auto found = info->find_variable(at);
      texts.push_back(found ? found->name + found->path + " " + found->file + ":" + std::to_string(found->line) : "");
    }
    return texts;
  }
};
INSTANTIATE_TEST_SUITE_P(Dwarf, HandmadeVariables, testing::Values(4, 5));

TEST_P(HandmadeVariables, AreNamed) {
  EXPECT_THAT(parts(), testing::ElementsAre("table[0].a /src/a.c:7", "table[0].b /src/a.c:7", "table[1].a /src/a.c:7",
                                            "table[1].b /src/a.c:7"));
}

// Some of these types are arrays of themselves, and structures that are their own member.
TEST_P(HandmadeVariables, ATypeMayBeAnyEntry) {
  std::vector<std::byte>& info = program.sections.at(".debug_info");
  for (const std::size_t at : program.types) {
    for (std::uint32_t other = 0; other <= info.size(); ++other) {
      std::uint32_t sound = 0;
      std::memcpy(&sound, info.data() + at, sizeof sound);
      std::memcpy(info.data() + at, &other, sizeof other);
      for (const std::string& text : parts()) EXPECT_LT(text.size(), 100'000U) << at << ' ' << other;
      std::memcpy(info.data() + at, &sound, sizeof sound);
    }
  }
}

TEST_P(HandmadeVariables, WhateverAByteIsNothingWorseIsLostThanAPart) {
  for (const char* name : {".debug_info", ".debug_abbrev", ".debug_addr"}) {
    if (!program.sections.contains(name)) continue;
    const std::vector<std::byte> whole = program.sections.at(name);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const unsigned value : {0x00U, 0x01U, 0x7fU, 0x80U, 0xffU}) {
        program.sections.at(name)[at] = static_cast<std::byte>(value);
        EXPECT_LE(parts().size(), 4U) << name << ' ' << at << ' ' << value;
      }
      program.sections.at(name)[at] = whole[at];
    }
  }
}

}  // namespace
}  // namespace perfsift::symbolize::dwarf::variables_tests
