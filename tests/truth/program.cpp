// A program that knows its own stacks: every function has a mark in its frame (see mark.h).
//
//   program SECONDS      of CPU time, so that a busy machine gives as many samples
//
// The program repeats everything that makes stacks hard to unwind.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <alloca.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef __ARM_FEATURE_SVE
#include <arm_sve.h>
#endif

#include "tests/truth/mark.h"

// Where perf cannot record the program, stack_copier.cpp is linked into it.
extern "C" [[gnu::weak]] void truth_copy_stacks_of_thread();

namespace library {
using Callback = long (*)(long);
long descend(int depth, Callback callback, long value);
long sort(int* numbers, unsigned count);
}  // namespace library

namespace {

volatile long sink;
std::clock_t deadline;

TRUTH_FRAME long spin(long rounds) {
  TRUTH_MARK;
  long sum = rounds;
  for (long i = 0; i < rounds; ++i) sum += sum * 31 ^ i;
  return sum;
}

// A function without a mark and without a frame. Its callers must still be found.
[[gnu::noinline]] long leaf(long value) {
  long sum = value;
  for (int i = 0; i < 200; ++i) sum = sum * 7 + i;
  return sum;
}

TRUTH_FRAME long recurse(int depth, long value) {
  TRUTH_MARK;
  if (depth == 0) return spin(200) + leaf(value);
  return recurse(depth - 1, value + depth) + leaf(depth);
}

template <int N>
TRUTH_FRAME long nested(long value) {
  TRUTH_MARK;
  if constexpr (N > 0) {
    return nested<N - 1>(value + N) + leaf(value);
  } else {
    return spin(300) + value;
  }
}

TRUTH_FRAME long through_lambdas(long value) {
  TRUTH_MARK;
  const std::function<long(long)> inner = [](long v) __attribute__((noinline)) {
    TRUTH_MARK;
    return spin(100) + v;
  };
  const std::function<long(long)> outer = [&](long v) __attribute__((noinline)) {
    TRUTH_MARK;
    return inner(v) + leaf(v);
  };
  return outer(value) + 1;
}

TRUTH_INLINED long inlined_inner(long value) {
  TRUTH_MARK_INLINED(inner);
  return spin(4000) + value;
}
struct Middle {
  TRUTH_INLINED long inlined_middle(long value) const {
    TRUTH_MARK_INLINED(middle);
    return inlined_inner(value * 3) + spin(4000);
  }
};
template <typename Part>
TRUTH_INLINED long inlined_outer(long value, const Part& part) {
  TRUTH_MARK_INLINED(outer);
  return inlined_inner(value) + part.inlined_middle(value) + spin(4000);
}
// A function with calls inside every combination of the inlined functions.
TRUTH_FRAME long with_inlined_calls(long value) {
  TRUTH_MARK;
  const Middle middle;
  return inlined_inner(value) + inlined_outer(value, middle) + middle.inlined_middle(value) + spin(4000);
}

TRUTH_FRAME long with_alloca(unsigned size) {
  TRUTH_MARK;
  char* room = static_cast<char*>(alloca(size));
  std::memset(room, static_cast<int>(size), size);
  return spin(100) + room[size / 2];
}

TRUTH_FRAME long aligned_frame(long value) {
  TRUTH_MARK;
  alignas(64) char room[128];
  std::memset(room, static_cast<int>(value), sizeof room);
  return with_alloca(static_cast<unsigned>(64 + (value & 255))) + room[value & 127];
}

// Instructions of aarch64 take an immediate of 12 bits: the frame is made in two steps.
TRUTH_FRAME long large_frame(long value) {
  TRUTH_MARK;
  volatile char room[5000];
  for (unsigned i = 0; i < sizeof room; i += 64) room[i] = static_cast<char>(value + i);
  return spin(100) + room[value & 4095];
}

#ifdef __ARM_FEATURE_SVE
// Where vectors lie in a frame, the size of the frame is known only when the program runs.
TRUTH_FRAME long scalable_frame(svint64_t vector, long value) {
  TRUTH_MARK;
  const svint64_t sum = svadd_x(svptrue_b64(), vector, value);
  return spin(100) + svaddv(svptrue_b64(), sum) + leaf(value) +
         svaddv(svptrue_b64(), svmul_x(svptrue_b64(), sum, vector));
}
TRUTH_FRAME long vectors(long value) {
  TRUTH_MARK;
  const svint64_t vector = svindex_s64(value, 3);
  return scalable_frame(vector, value) + scalable_frame(svadd_x(svptrue_b64(), vector, vector), value + 1);
}
#else
long vectors(long value) { return value; }
#endif

TRUTH_FRAME long many_values(long a, long b, long c, long d, long e, long f, long g, long h) {
  TRUTH_MARK;
  const long i = leaf(a), j = leaf(b), k = leaf(c), l = leaf(d), m = leaf(e), n = leaf(f);
  return spin(50) + i * j + k * l + m * n + leaf(i + j + k) + g * h + leaf(l + m + n) + i + j + k + l + m + n;
}

// The function ends with this call, so -O2 makes the call a jump, and the frame is gone.
[[gnu::noinline]] long tail_target(long value) {
  TRUTH_MARK;
  return spin(100) + value;
}
[[gnu::noinline]] long tail_caller(long value) { return tail_target(value * 3); }
TRUTH_FRAME long tail(long value) {
  TRUTH_MARK;
  return tail_caller(value) + 1;
}

struct Shape {
  virtual ~Shape() = default;
  virtual long area(long value) const = 0;
};
struct Square : Shape {
  TRUTH_FRAME long area(long value) const override {
    TRUTH_MARK;
    return spin(100) + value * value;
  }
};
struct Framed : Shape {
  std::unique_ptr<Shape> inner = std::make_unique<Square>();
  TRUTH_FRAME long area(long value) const override {
    TRUTH_MARK;
    return inner->area(value + 1) + leaf(value);
  }
};

#ifdef __cpp_exceptions
// A call that never returns is the end of the function, so the return address is in the next function.
[[noreturn, gnu::noinline]] void fail(long value) {
  TRUTH_MARK;
  throw std::runtime_error(std::to_string(value));
}
TRUTH_FRAME long throwing(int depth, long value) {
  TRUTH_MARK;
  if (depth == 0 && value != 0) fail(value);
  return depth == 0 ? 0 : throwing(depth - 1, value) + 1;
}
TRUTH_FRAME long catching(long value) {
  TRUTH_MARK;
  try {
    return throwing(3, value);
  } catch (const std::exception& error) {
    return static_cast<long>(std::strlen(error.what()));
  }
}
#else
long catching(long value) { return value; }
#endif

TRUTH_FRAME long in_the_c_library(long value) {
  TRUTH_MARK;
  char text[256];
  std::snprintf(text, sizeof text, "%ld %s %.3f", value, "text", static_cast<double>(value) / 3);
  std::map<std::string, long> words;
  for (int i = 0; i < 20; ++i) words[std::string(text) + std::to_string(i)] = i;
  return static_cast<long>(words.size()) + getppid() + std::chrono::steady_clock::now().time_since_epoch().count() % 2;
}

TRUTH_FRAME long sorting(long value) {
  TRUTH_MARK;
  std::vector<int> numbers;
  for (int i = 0; i < 300; ++i) numbers.push_back(static_cast<int>((value * 7919 + i * 104729) % 1000));
  const long middle = library::sort(numbers.data(), static_cast<unsigned>(numbers.size()));
  std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return leaf(a) % 1000 < leaf(b) % 1000; });
  return middle + numbers.front();
}

TRUTH_FRAME void handle(int) {
  TRUTH_MARK;
  sink = sink + spin(2000) + nested<3>(1);
}

TRUTH_FRAME long called_back(long value) {
  TRUTH_MARK;
  return recurse(3, value) + nested<2>(value);
}

TRUTH_FRAME long everything(long round) {
  TRUTH_MARK;
  long sum = recurse(static_cast<int>(round % 20), round) + nested<8>(round) + through_lambdas(round);
  sum += with_inlined_calls(round);
  sum += large_frame(round) + vectors(round);
  sum += aligned_frame(round) + many_values(round, 2, 3, 4, 5, 6, 7, 8) + tail(round) + Framed().area(round);
  sum += library::descend(static_cast<int>(round % 6), called_back, round);
  sum += catching(round) + in_the_c_library(round) + sorting(round);
  if (round % 10 == 0) std::raise(SIGUSR1);  // handled on this stack
  if (round % 10 == 5) std::raise(SIGUSR2);  // handled on another stack
  return sum;
}

TRUTH_FRAME void work() {
  const truth::Mark outermost(truth::Kind::outermost);
  if (truth_copy_stacks_of_thread != nullptr) truth_copy_stacks_of_thread();
  for (long round = 1; std::clock() < deadline; ++round) sink = sink + everything(round);
}

void handle_signals() {
  static char other_stack[65536];
  const stack_t stack{.ss_sp = other_stack, .ss_flags = 0, .ss_size = sizeof other_stack};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGALRM, &action, nullptr);
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &action, nullptr);
  const itimerval often{.it_interval = {0, 3000}, .it_value = {0, 3000}};  // interrupts any instruction
  setitimer(ITIMER_REAL, &often, nullptr);
}

}  // namespace

int main(int, char** argv) {
  deadline = static_cast<std::clock_t>(std::atof(argv[1]) * CLOCKS_PER_SEC);
  handle_signals();
  std::thread other(work);
  work();
  other.join();
}
