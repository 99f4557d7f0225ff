#include "symbolize/symbols/demangle.h"

#include <gtest/gtest.h>

namespace perfsift::symbolize {
namespace {

std::string plain(std::string_view name) { return demangle(name, DemangleStyle::plain); }
std::string full(std::string_view name) { return demangle(name, DemangleStyle::full); }

TEST(Demangle, PlainNamesOfCppHaveNoParameters) {
  EXPECT_EQ(plain("_ZN2ns6WidgetIlE4workEi"), "ns::Widget<long>::work");
  EXPECT_EQ(plain("_ZNKSt6vectorIiSaIiEE4sizeEv"), "std::vector<int, std::allocator<int> >::size");
}

TEST(Demangle, FullNamesOfCppHaveThem) {
  EXPECT_EQ(full("_ZN2ns6WidgetIlE4workEi"), "ns::Widget<long>::work(int)");
  EXPECT_EQ(full("_ZNKSt6vectorIiSaIiEE4sizeEv"), "std::vector<int, std::allocator<int> >::size() const");
}

TEST(Demangle, RawNamesStayAsTheyAre) {
  EXPECT_EQ(demangle("_ZN2ns6WidgetIlE4workEi", DemangleStyle::raw), "_ZN2ns6WidgetIlE4workEi");
}

TEST(Demangle, NamesThatAreNotMangledStayAsTheyAre) {
  for (const auto* name : {"main", "", "_", "_Z", "_Zzzz", "_start", "memcpy@@GLIBC_2.14", "i", "std::sort"})
    EXPECT_EQ(plain(name), name);
}

// The names come from the tests of the Rust project's rustc-demangle.
TEST(Demangle, RustNamesLoseTheirHash) {
  EXPECT_EQ(plain("_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE"), "core::fmt::Formatter::write_str");
  EXPECT_EQ(full("_RNvC6_123foo3bar"), "123foo::bar");
}

// The names that rustc 1.95 gives a program with these modules and functions.
TEST(Demangle, RustNamesOfTheNewKindAreReadable) {
  EXPECT_EQ(plain("_RNvCs6xxl1lAjzDf_1a4main"), "a::main");
  EXPECT_EQ(plain("_RNvXNtCs6xxl1lAjzDf_1a6shapesNtB2_6CircleNtB2_4Area4area"),
            "<a::shapes::Circle as a::shapes::Area>::area");
  EXPECT_EQ(plain("_RINvNtCs6xxl1lAjzDf_1a6shapes5totalNtB2_6CircleEB4_"), "a::shapes::total::<a::shapes::Circle>");
  EXPECT_EQ(plain("_RINvCs6xxl1lAjzDf_1a5applyNCNvB2_4main0EB2_"), "a::apply::<a::main::{closure#0}>");
  EXPECT_EQ(plain("_RNvCs6xxl1lAjzDf_1au9gre_6ka8i"), "a::größe");
}

// The suffixes that g++ 12 and clang 14 add to a function that is specialised, split or kept local.
TEST(Demangle, ClonesOfAFunctionAreNamedAsPerfNamesThem) {
  for (const char* clone : {".constprop.0", ".isra.0", ".part.1", ".cold", ".isra.0.cold", ".lto_priv.3",
                            ".llvm.8113541927520612245", ".__uniq.1234.llvm.5678"}) {
    const std::string mangled = std::string("_ZN2nsL4halfEiiPi") + clone;
    EXPECT_EQ(plain(mangled), "ns::half") << clone;
    EXPECT_EQ(demangle(mangled, DemangleStyle::perf_6_1), "ns::half") << clone;
    EXPECT_EQ(full(mangled).find("ns::half(int, int, int*) [clone ."), 0u) << clone;
  }
  EXPECT_EQ(full("_ZN2nsL4halfEiiPi.isra.0.cold"), "ns::half(int, int, int*) [clone .isra.0] [clone .cold]");
  EXPECT_EQ(plain("memcpy.part.0"), "memcpy.part.0");
  EXPECT_EQ(plain("_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE.llvm.123"), "core::fmt::Formatter::write_str");
}

// The names come from the D ABI specification, and the tests of libiberty.
TEST(Demangle, DNamesAreReadable) {
  EXPECT_EQ(plain("_Dmain"), "D main");
  EXPECT_EQ(plain("_D8demangle4testFZv"), "demangle.test()");
  EXPECT_EQ(plain("_D8demangle4testFaAyaZv"), "demangle.test(char, immutable(char)[])");
  EXPECT_EQ(full("_D8demangle9__T4testZv"), "demangle.test!()");
  EXPECT_EQ(plain("_D8demangle3ABCQe1ai"), "demangle.ABC.ABC.a");
  for (const char* none : {"_D", "_Dx", "_Destroy", "_D8demangl"}) EXPECT_EQ(plain(none), none);
}

TEST(Demangle, PerfKnowsNoD) {
  EXPECT_EQ(demangle("_D8demangle4testFZv", DemangleStyle::perf_6_1), "_D8demangle4testFZv");
}

TEST(Demangle, SwiftNamesStayAsTheyAre) {
  EXPECT_EQ(plain("$s4main6squareyS2iF"), "$s4main6squareyS2iF");
  EXPECT_EQ(plain("_TF4main6squareFSiSi"), "_TF4main6squareFSiSi");
}

// A typical name of a template: long, but not deep.
TEST(Demangle, LongNamesOfCppAreReadable) {
  std::string mangled = "_ZN2ns1fI", arguments;
  for (int i = 0; i < 300; ++i) {
    mangled += "NS_4typeE";
    arguments += (i == 0 ? "" : ", ") + std::string("ns::type");
  }
  mangled += "EEvv";
  ASSERT_GT(mangled.size(), 1024u);
  EXPECT_EQ(plain(mangled), "ns::f<" + arguments + ">");
  EXPECT_EQ(full(mangled), "void ns::f<" + arguments + ">()");
  EXPECT_EQ(demangle(mangled, DemangleStyle::perf_6_1), mangled) << "perf's demangler gives up";
}

TEST(Demangle, OcamlNamesAreReadable) {
  EXPECT_EQ(plain("camlStdlib__List__map_123"), "Stdlib.List.map_123");
  EXPECT_EQ(plain("camlM__$2b_1"), "M.+_1");
  EXPECT_EQ(plain("camlM__$2"), "M.$2");
  EXPECT_EQ(plain("camlp4"), "camlp4");
}

TEST(Demangle, AStubKeepsSayingThatItIsOne) {
  EXPECT_EQ(plain("_ZNSo5flushEv@plt"), "std::ostream::flush@plt");
  EXPECT_EQ(full("_ZNSo5flushEv@plt"), "std::ostream::flush()@plt");
  EXPECT_EQ(plain("memcpy@plt"), "memcpy@plt");
}

TEST(Demangle, TheVersionOfACppNameIsDropped) {
  EXPECT_EQ(plain("_ZNSo5flushEv@@GLIBCXX_3.4"), "std::ostream::flush");
  EXPECT_EQ(full("_ZNSo5flushEv@GLIBCXX_3.4"), "std::ostream::flush()");
}

TEST(Demangle, ANameNestedTooDeeplyStaysAsItIs) {
  const std::string deep = "_Z1f" + std::string(100'000, 'P') + "i";
  EXPECT_EQ(full(deep), deep);
  const std::string rust = "_RNvMC0" + std::string(100'000, 'S') + "p4main";
  EXPECT_EQ(full(rust), rust);
}

// The type of each level is a pair of the previous type, twice: 2^levels times "int".
std::string pair_of_pairs(int levels) {
  const auto base36 = [](int value) {
    const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string text(1, digits[static_cast<std::size_t>(value % 36)]);
    return value < 36 ? text : digits[static_cast<std::size_t>(value / 36)] + text;
  };
  // S_ is std::pair itself, S0_ the first pair, S1_ the second …
  std::string pairs = "St4pairIiiE";
  for (int level = 1; level < levels; ++level) {
    std::string argument = "S" + base36(level - 1) + "_";
    pairs.append("S_I").append(argument).append(argument).append("E");
  }
  return "_Z1f" + pairs;
}

// Each level is a tuple of the previous level, twice. Q and a letter refer back: the letter is the distance from the
// Q.
std::string tuple_of_tuples(int levels) {
  std::string types = "B2ii";
  for (int level = 1; level < levels; ++level) types += level == 1 ? "B2QgQi" : "B2QiQk";
  return "_D1m1fF" + types + "Zv";
}

TEST(Demangle, ADNameThatRepeatsItselfTooOftenStaysAsItIs) {
  EXPECT_EQ(full(tuple_of_tuples(2)), "m.f(Tuple!(int, int), Tuple!(Tuple!(int, int), Tuple!(int, int)))");
  EXPECT_EQ(full(tuple_of_tuples(100)), tuple_of_tuples(100));
}

TEST(Demangle, ANameThatStandsForMoreThanFitsIntoMemoryStaysAsItIs) {
  EXPECT_EQ(full(pair_of_pairs(2)), "f(std::pair<int, int>, std::pair<std::pair<int, int>, std::pair<int, int> >)");
  EXPECT_EQ(full(pair_of_pairs(60)), pair_of_pairs(60));
}

}  // namespace
}  // namespace perfsift::symbolize
