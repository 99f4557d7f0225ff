#include "analysis/collect/thread_starts.h"

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

// Names as symbol tables have them, from programs that were built with these libraries and languages.
TEST(ThreadStarts, AreFunctionsOfRunTimeSystems) {
  for (const char* name :
       {"_start", "__libc_start_main@@GLIBC_2.34", "__libc_start_call_main", "start_thread",
        "execute_native_thread_routine", "gomp_thread_start", "__kmp_launch_thread", "runtime.goexit.abi0",
        "_rt0_amd64_linux", "_ZL19thread_native_entryP6Thread", "pythread_wrapper", "_ZN2v84baseL11ThreadEntryEPv",
        "_ZNSt3__114__thread_proxyB8ne180100INS_5tupleIJNS_10unique_ptrINS_15__thread_structEEEPFvvEEEEEEPvS9_",
        "_ZNSt3__1L14__thread_proxyINS_5tupleIJPFvvEEEEEEPvS5_",
        "_ZN3std3sys4unix6thread6Thread3new12thread_start17h0123456789abcdefE",
        "_ZN3std3sys3pal4unix6thread6Thread3new12thread_start17h0123456789abcdefE"})
    EXPECT_TRUE(is_thread_start(name, true)) << name;
  for (const char* name : {"main", "start", "worker", "my_gomp_thread_start", "thread_start", "restart_thread"})
    EXPECT_FALSE(is_thread_start(name, true)) << name;
}

TEST(ThreadStarts, CloneStartsAThreadOnlyWhereItCalled) {
  EXPECT_TRUE(is_thread_start("clone3", true));
  EXPECT_FALSE(is_thread_start("clone3", false));
}

TEST(ThreadStarts, ACallerWithoutANameIsKnownByWhatItCalls) {
  EXPECT_TRUE(starts_body(thread_body("main"), "/usr/lib/libc.so.6"));
  EXPECT_TRUE(starts_body(thread_body("_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJPFvvEEEEEE6_M_runEv"),
                          "/usr/lib/libstdc++.so.6.0.30"));
  EXPECT_TRUE(starts_body(thread_body("work._omp_fn.0"), "/usr/lib/libgomp.so.1.0.0"));
  EXPECT_FALSE(starts_body(thread_body("work._omp_fn.0"), "/usr/lib/libother.so.1"));
  EXPECT_FALSE(starts_body(thread_body("work"), "/usr/lib/libgomp.so.1.0.0"));
}

}  // namespace
}  // namespace perfsift::analysis
