// Vendors' names through libpfm4, for processors that this machine need not have: LIBPFM_FORCE_PMU. libpfm4 knows only
// processors of the architecture for which it was built, and chooses one of them once in a process, so that each test
// runs in a process of its own. The numbers are those of the vendors' manuals (Intel SDM volume 3, chapter 20; AMD PPR
// for family 19h model 11h; the PMU events of the Arm Architecture Reference Manual).
#include "record/events/libpfm_names.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "record/events/event_parser.h"
#include "tests/record/events/machine_tree.h"
#include "tests/support/emulated.h"

namespace perfsift::record {

namespace {

struct VendorEvent {
  const char* name;
  std::uint64_t config;
  unsigned precise = 0;
  bool user_only = false;
};

// Ends the process with status 0 if all events have the configs that are expected.
[[noreturn]] void check_and_exit(const char* processor, const std::vector<VendorEvent>& expected) {
  setenv("LIBPFM_FORCE_PMU", processor, 1);
  const test::MachineTree without_pmus;
  int status = 0;
  for (const VendorEvent& vendor : expected) {
    try {
      const EventRequest event = parse_events(vendor.name, without_pmus.sources()).at(0);
      const bool same = event.attr.type == 4 && event.attr.config == vendor.config && event.name == vendor.name &&
                        event.attr.precise_ip() == vendor.precise && event.attr.exclude_kernel() == vendor.user_only;
      if (!same) std::fprintf(stderr, "%s: %llx\n", vendor.name, static_cast<unsigned long long>(event.attr.config));
      status |= same ? 0 : 1;
    } catch (const UsageError& error) {
      std::fprintf(stderr, "%s\n", error.what());
      status = 1;
    }
  }
  std::_Exit(status);
}

// Ends the process with the error of a name that no event has.
[[noreturn]] void refuse_and_exit(const char* processor, const char* name) {
  setenv("LIBPFM_FORCE_PMU", processor, 1);
  try {
    parse_events(name, test::MachineTree().sources());
  } catch (const UsageError& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::_Exit(0);
}

// An emulator cannot start a program again. GoogleTest runs tests of this kind before all others, so that in a copy of
// the process, too, libpfm4 has not chosen yet.
class VendorNamesDeathTest : public testing::Test {
 protected:
  VendorNamesDeathTest() { testing::FLAGS_gtest_death_test_style = test::emulated() ? "fast" : "threadsafe"; }
};

}  // namespace

#if defined(__x86_64__)
TEST_F(VendorNamesDeathTest, OfSkylakeAreEncoded) {
  EXPECT_EXIT(check_and_exit("skx", {{"MEM_LOAD_RETIRED:L3_MISS", 0x20d1},
                                     {"skx::MEM_LOAD_RETIRED:L3_MISS", 0x20d1},
                                     {"mem_load_retired.l3_miss", 0x20d1},
                                     {"MEM_LOAD_RETIRED:L3_MISS:upp", 0x20d1, 2, true},
                                     {"MEM_INST_RETIRED:ALL_LOADS:p", 0x81d0, 1},
                                     {"LONGEST_LAT_CACHE:MISS", 0x412e}}),
              testing::ExitedWithCode(0), "");
}

TEST_F(VendorNamesDeathTest, OfSapphireRapidsAreEncoded) {
  EXPECT_EXIT(check_and_exit("spr", {{"MEM_LOAD_RETIRED:L3_MISS", 0x20d1}}), testing::ExitedWithCode(0), "");
}

TEST_F(VendorNamesDeathTest, OfZen4AreEncoded) {
  EXPECT_EXIT(check_and_exit("amd64_fam19h_zen4",
                             {{"RETIRED_INSTRUCTIONS", 0xc0}, {"LS_DISPATCH:LD_DISPATCH:u", 0x129, 0, true}}),
              testing::ExitedWithCode(0), "");
}

TEST_F(VendorNamesDeathTest, AreProposedForWrongNames) {
  EXPECT_EXIT(refuse_and_exit("skx", "MEM_LOAD_RETIRD"), testing::ExitedWithCode(0),
              "'MEM_LOAD_RETIRD' is no event; nearest: MEM_LOAD_RETIRED");
}
#elif defined(__aarch64__)
TEST_F(VendorNamesDeathTest, OfNeoverseN1AreEncoded) {
  EXPECT_EXIT(check_and_exit("arm_n1", {{"L1D_CACHE_REFILL", 0x03},
                                        {"arm_n1::L1D_CACHE_REFILL", 0x03},
                                        {"l1d_cache_refill", 0x03},
                                        {"LL_CACHE_MISS_RD:u", 0x37, 0, true},
                                        {"MEM_ACCESS_RD", 0x66},
                                        {"INST_RETIRED:upp", 0x08, 2, true}}),
              testing::ExitedWithCode(0), "");
}

TEST_F(VendorNamesDeathTest, AreProposedForWrongNames) {
  EXPECT_EXIT(refuse_and_exit("arm_n1", "L1D_CACHE_REFIL"), testing::ExitedWithCode(0),
              "'L1D_CACHE_REFIL' is no event; nearest: L1D_CACHE_REFILL");
}
#endif

TEST(VendorNames, TheKernelsOwnEventsAreNoVendors) {
  EXPECT_FALSE(libpfm_event("PERF_COUNT_HW_CPU_CYCLES"));
  EXPECT_FALSE(libpfm_event("sched:sched_switch"));
  EXPECT_FALSE(libpfm_event(""));
}

}  // namespace perfsift::record
