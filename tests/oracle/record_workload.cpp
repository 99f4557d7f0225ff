// A program to record whose events can be counted beforehand:
//
//   record_workload spin N      N turns, three of four to the left
//   record_workload faults N    N pages are touched for the first time
//   record_workload writes N    `watched` is written N times
//   record_workload threads N   N threads, one after the other
//   record_workload many N      N threads that sleep at the same time, until standard input ends
//
// With a word more, the program prints a line when it is ready, and begins after it has read a line: then others can
// attach to it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

// At an address that nm(1) prints: a breakpoint needs it.
extern "C" {
volatile long watched = 0;
}

namespace {

volatile unsigned long sum = 0;

[[gnu::noinline]] void work(int rounds) {
  for (int round = 0; round < rounds; ++round) sum = sum + static_cast<unsigned long>(round);
}
// No call is the last action, so each function stays on the stack.
[[gnu::noinline]] void turn_left() {
  work(3000);
  sum = sum + 1;
}
[[gnu::noinline]] void turn_right() {
  work(1000);
  sum = sum + 2;
}

void spin(long turns) {
  for (long turn = 0; turn < turns; ++turn) turn_left(), turn_right();
}

[[gnu::noinline]] void fault(long pages) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t size = static_cast<std::size_t>(pages) * page;
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::exit(1);
  madvise(memory, size, MADV_NOHUGEPAGE);  // one fault would bring 512 pages
  for (std::size_t at = 0; at < size; at += page) static_cast<volatile char*>(memory)[at] = 1;
}

[[gnu::noinline]] void write_watched(long times) {
  for (long time = 0; time < times; ++time) watched = time;
}

[[gnu::noinline]] void start_threads(long threads) {
  for (long thread = 0; thread < threads; ++thread) std::thread([] { work(100); }).join();
}

void start_many(long count) {
  std::vector<std::thread> threads;
  for (long thread = 0; thread < count; ++thread) threads.emplace_back([] { pause(); });
  std::puts("all");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const long count = std::atol(argv[2]);
  if (argc > 3) {
    std::puts("ready");
    std::fflush(stdout);
    if (std::getchar() == EOF) return 1;
  }
  const auto is = [&](const char* word) { return std::strcmp(argv[1], word) == 0; };
  if (is("spin")) return spin(count), 0;
  if (is("faults")) return fault(count), 0;
  if (is("writes")) return write_watched(count), 0;
  if (is("threads")) return start_threads(count), 0;
  if (is("many")) return start_many(count), 0;
  return 2;
}
