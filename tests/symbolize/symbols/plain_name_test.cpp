#include "symbolize/symbols/plain_name.h"

#include <gtest/gtest.h>

#include "symbolize/symbols/demangle.h"

namespace perfsift::symbolize {
namespace {

// libiberty's name without parameters must equal the shortened name with parameters.
TEST(PlainName, IsWhatTheDemanglerGivesWithoutParameters) {
  constexpr const char* mangled[] = {
      "_ZN2ns4workEPc",
      "_ZNK2ns6WidgetIlE4workEi",
      "_ZNSolsEi",
      "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
      "_ZStplIcSt11char_traitsIcESaIcEENSt7__cxx1112basic_stringIT_T0_T1_EEOS8_S5_",
      "_ZNSt8functionIFvvEEclEv",
      "_ZNKSt6vectorIiSaIiEEixEm",
      "_ZZ3fooiENKUliE_clEi",
      "_Z3barIiEDTcl3foofp_EET_",
      "_ZN12_GLOBAL__N_14workEv",
      "_ZNKSt17basic_string_viewIcSt11char_traitsIcEEcvSt6stringEv",
      "_ZN2ns4workEPc.cold",
      "_ZN2ns4workEPc.isra.0.cold",
      "_ZNO1A1bEv",
      "_Znwm",
      "_ZdaPv",
      "_ZNSt6threadC1IPFviEJRiEvEEOT_DpOT0_",
      "_Z1fPFvPFviEE",
  };
  for (const char* const name : mangled) {
    const std::string full = demangle(name, DemangleStyle::full);
    EXPECT_NE(full, name);
    EXPECT_EQ(plain_name(full), demangle(name, DemangleStyle::plain)) << full;
  }
}

TEST(PlainName, LeavesOtherNamesAsTheyAre) {
  constexpr const char* names[] = {"main",
                                   "clock_nanosleep@GLIBC_2.2.5",
                                   "ns::call::operator()",
                                   "(anonymous namespace)::work",
                                   "foo(int)::{lambda(int)#1}::operator()",
                                   "main.(*Server).Serve",
                                   "<(A, B) as core::fmt::Debug>::fmt",
                                   "work(",
                                   "(int)",
                                   ")(",
                                   "a>(b)",
                                   ""};
  for (const char* const name : names) EXPECT_EQ(plain_name(name), name);
}

}  // namespace
}  // namespace perfsift::symbolize
