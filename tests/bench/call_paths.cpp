// A program to record: threads that walk random paths through a deep tree of template functions.
//
//   call_paths PATHS SECONDS THREADS
//
// PATHS is the number of different paths. A sampled stack is a path and the leaf's current work, so there are several
// times as many distinct stacks as paths. Every thread uses SECONDS of CPU time, so the number of samples depends only
// on the sampling period, not on other work of the machine.
//
// Every level has a function for each of its kinds, with one call site for each kind of the level below. This gives
// about 9,000 return addresses, as many as in the profile of a large C++ program.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pthread.h>

namespace workload {

constexpr unsigned kinds = 20;
constexpr unsigned levels = 22;

std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

unsigned below(std::uint64_t random, unsigned limit) { return static_cast<unsigned>((random >> 32) * limit >> 32); }

struct LessRemainder {
  std::uint32_t modulus;
  bool operator()(std::uint32_t a, std::uint32_t b) const { return a % modulus < b % modulus; }
};

// The work of the leaves: some microseconds of three kinds of work, so that the leaves of stacks differ, too.
struct Scratch {
  std::array<std::uint32_t, 48> numbers{};
  std::unordered_map<std::uint32_t, std::uint32_t> counts;

  [[gnu::noinline]] void fill_with_random_numbers(std::uint64_t seed) {
    for (auto& number : numbers) number = static_cast<std::uint32_t>(seed = mix(seed));
  }
  [[gnu::noinline]] void sort_by_remainder(std::uint32_t modulus) {
    std::sort(numbers.begin(), numbers.end(), LessRemainder{modulus});
  }
  [[gnu::noinline]] std::uint32_t count_remainders(std::uint32_t modulus) {
    std::uint32_t most = 0;
    for (const std::uint32_t number : numbers) most = std::max(most, ++counts[number % modulus]);
    return most;
  }
};

template <unsigned Level, unsigned Kind>
struct Handler {
  [[gnu::noinline]] static std::uint64_t process_request(Scratch& scratch, std::uint64_t path) {
    return call_handler_below(scratch, mix(path), std::make_integer_sequence<unsigned, kinds>()) + Kind;
  }

 private:
  template <unsigned... Kinds>
  [[gnu::always_inline]] static std::uint64_t call_handler_below(Scratch& scratch, std::uint64_t path,
                                                                 std::integer_sequence<unsigned, Kinds...>) {
    const unsigned choice = below(path, kinds);
    std::uint64_t result = 0;
    ((choice == Kinds && (result = Handler<Level - 1, Kinds>::process_request(scratch, path), true)) || ...);
    return result;
  }
};

template <unsigned Kind>
struct Handler<0, Kind> {
  [[gnu::noinline]] static std::uint64_t process_request(Scratch& scratch, std::uint64_t path) {
    scratch.fill_with_random_numbers(path);
    scratch.sort_by_remainder(1000 + Kind);
    return scratch.count_remainders(100 + Kind);
  }
};

double cpu_seconds_of_this_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::uint64_t serve_requests(unsigned thread, unsigned paths, double seconds) {
  pthread_setname_np(pthread_self(), ("server-" + std::to_string(thread)).c_str());
  Scratch scratch;
  std::uint64_t random = thread;
  std::uint64_t sum = 0;
  while (cpu_seconds_of_this_thread() < seconds) {
    for (int i = 0; i < 1000; ++i) {
      random = mix(random);
      sum += Handler<levels, 0>::process_request(scratch, below(random, paths));
    }
  }
  return sum;
}

}  // namespace workload

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("Usage: call_paths PATHS SECONDS THREADS\n", stderr), 2;
  const auto paths = static_cast<unsigned>(std::atoi(argv[1]));
  const double seconds = std::atof(argv[2]);
  const auto threads = static_cast<unsigned>(std::atoi(argv[3]));

  std::atomic<std::uint64_t> sum = 0;
  std::vector<std::thread> servers;
  for (unsigned i = 0; i < threads; ++i) {
    servers.emplace_back([=, &sum] { sum += workload::serve_requests(i, paths, seconds); });
  }
  for (std::thread& server : servers) server.join();
  std::printf("%llu\n", static_cast<unsigned long long>(sum));  // keeps the compiler from removing the work
}
