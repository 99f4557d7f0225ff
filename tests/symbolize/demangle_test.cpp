#include "symbolize/demangle.h"

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

// From the Rust project's rustc-demangle tests.
TEST(Demangle, RustNamesLoseTheirHash) {
  EXPECT_EQ(plain("_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE"), "core::fmt::Formatter::write_str");
  EXPECT_EQ(full("_RNvC6_123foo3bar"), "123foo::bar");
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

// The type of each level is a pair of the type before it, twice: 2^levels times "int".
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
    pairs += "S_I" + argument + argument + "E";
  }
  return "_Z1f" + pairs;
}

TEST(Demangle, ANameThatStandsForMoreThanFitsIntoMemoryStaysAsItIs) {
  EXPECT_EQ(full(pair_of_pairs(2)), "f(std::pair<int, int>, std::pair<std::pair<int, int>, std::pair<int, int> >)");
  EXPECT_EQ(full(pair_of_pairs(60)), pair_of_pairs(60));
}

}  // namespace
}  // namespace perfsift::symbolize
