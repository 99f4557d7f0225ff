// Writes a recording of threads that take turns on a CPU for some seconds, with all kinds of waits: waits_recording
// FILE SEED. Names of the kernel: see waits_kallsyms in store_waits.sh.

#include <cstdlib>
#include <fstream>
#include <vector>

#include "tests/support/sched_recording.h"

namespace {

using namespace perfsift::test;

constexpr std::uint64_t kernel = 0xffffffff81000000, kernel_context = ~std::uint64_t{127},
                        user_context = ~std::uint64_t{511};
constexpr std::uint64_t switches = 4'000;

// Numbers that are the same on all machines.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t below(std::uint64_t end) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 33) % end;
  }
  // Small ones more often.
  std::uint64_t length() { return 1'000 + below(1 << (10 + below(14))); }

 private:
  std::uint64_t state_;
};

// The functions of waits_kallsyms: schedule, then one of seven, then the entry of the kernel, then a program's.
std::vector<std::uint64_t> stack_of(std::uint64_t thread, std::uint64_t wait) {
  return {kernel_context,       kernel + 0x100, kernel + 0x200 + 0x100 * wait, kernel + 0x900, user_context,
          0x1000 + 16 * thread, 0x2000};
}

}  // namespace

int main(int, char** arguments) {
  constexpr std::uint64_t threads = 6;
  Numbers numbers(std::strtoull(arguments[2], nullptr, 10));
  SchedRecording recording;
  recording.kernel_at(1, kernel);
  const char* const names[threads] = {"web", "db", "a b;c", "web", "log", "db"};
  for (std::uint32_t i = 0; i < threads; ++i) recording.comm_at(2 + i, 10 + i, names[i]);
  recording.in_cgroup(20, 77, "/shop");
  std::uint64_t now = 1'000'000'000;
  std::uint32_t current = 0;
  bool asleep[threads] = {};
  for (std::uint64_t i = 0; i < switches; ++i) {
    now += numbers.length() * (i % 500 == 0 ? 2'000 : 1);
    const auto next = static_cast<std::uint32_t>((current + 1 + numbers.below(threads - 1)) % threads);
    if (asleep[next]) recording.waking_at(now, 10 + current, 10 + next), now += numbers.length();
    const std::uint64_t kind = numbers.below(4);
    const std::uint64_t state = kind == 0 ? preempted : kind == 1 ? D : S;
    if (i == switches / 2) recording.in_cgroup(now, 78, "/shop/other").lost_at(now, 3);
    recording.cpu_clock_at(now, 10 + current, {0x1000 + 16 * current, 0x2000});
    recording.switch_at(now, 10 + current, state, 10 + next, stack_of(current, numbers.below(7)));
    asleep[current] = state != preempted;
    asleep[next] = false;
    current = next;
  }
  const auto bytes = recording.bytes();
  std::ofstream(arguments[1], std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}
