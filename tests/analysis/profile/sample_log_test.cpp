// A log in a process that has little memory.

#include "analysis/profile/sample_log.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/instrumented.h"

namespace perfsift::analysis {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Exits with 0 if the log has all samples, although there is no room for as many as are expected.
[[noreturn]] void log_without_room() {
  constexpr std::uint32_t count = 100'000;
  const std::size_t most = address_space_in_use() + 64 * megabyte;
  const rlimit limit{.rlim_cur = most, .rlim_max = most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
  SampleLog log;
  log.expect(1024 * megabyte / sizeof(LoggedSample), 1);
  SampleLog::Part part(log);
  for (std::uint32_t i = 0; i < count; ++i) part.add({.time = i, .position = i});
  part.finish([](std::uint32_t stack) { return stack; });
  const SampleLog::Part* const parts[] = {&part};
  log.join(parts);
  if (log.samples().size() != count) std::_Exit(3);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (log.samples()[i].time != i || log.samples()[i].position != i) std::_Exit(4);
  }
  // That there was no room, and is none.
  try {
    const LargeVector<char> room(1024 * megabyte);
    std::_Exit(5);
  } catch (const std::bad_alloc&) {
    std::_Exit(0);
  }
}

TEST(SampleLogDeathTest, GoesOnWithoutTheRoomThatIsExpected) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer needs all of the address space";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(log_without_room(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace perfsift::analysis
