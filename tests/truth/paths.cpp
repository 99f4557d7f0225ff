// A program that logs its own stacks, for recordings without stack copies: callchains by frame pointers.
//
//   paths SECONDS      of CPU time; prints each of its stacks once, outermost function first
//
// The program is nearly always in path_leaf(), and each function logs its entry and exit. Inlined functions are part
// of the stack, too: debug information has these functions.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

thread_local std::vector<const char*> active;
std::mutex mutex;
std::set<std::string> logged;
std::clock_t deadline;

class Entered {
 public:
  explicit Entered(const char* name) { active.push_back(name); }
  ~Entered() { active.pop_back(); }
};

void log() {
  std::string stack;
  for (const char* name : active) stack += std::string(stack.empty() ? "" : ";") + name;
  const std::lock_guard lock(mutex);
  logged.insert(stack);
}

#define PATH_FRAME [[gnu::noinline, gnu::noclone]]
#define PATH_INLINED [[gnu::always_inline]] inline

// The memory effects keep calls of this function in their places in the source. GCC gives a leaf a frame only if the
// leaf asks for a frame. Without the frame, the caller is missing in the chain of frame pointers.
PATH_FRAME long path_leaf(long value) {
  asm volatile("" : : "r"(__builtin_frame_address(0)));
  long sum = value;
  for (int i = 0; i < 300'000; ++i) {
    sum = sum * 7 + i;
    asm volatile("" : "+r"(sum) : : "memory");
  }
  return sum;
}

// The function is inlined into the frame of its caller.
PATH_INLINED long work(long value) {
  const Entered entered("path_leaf");
  log();
  return path_leaf(value) + 1;
}

PATH_INLINED long path_inner(long value) {
  const Entered entered("path_inner");
  return work(value) * 3;
}
struct Shape {
  PATH_INLINED long path_method(long value) const {
    const Entered entered("path_method");
    return path_inner(value) + work(value);
  }
};
template <typename Part>
PATH_INLINED long path_outer(long value, const Part& part) {
  const Entered entered("path_outer");
  return path_inner(value) + part.path_method(value);
}
PATH_FRAME long path_inlining(long value) {
  const Entered entered("path_inlining");
  return path_outer(value, Shape()) + path_inner(value) + work(value);
}

PATH_FRAME long path_recursive(int depth, long value) {
  const Entered entered("path_recursive");
  return depth == 0 ? work(value) : path_recursive(depth - 1, value + 1) + 1;
}

template <int N>
PATH_FRAME long path_nested(long value) {
  const Entered entered("path_nested");
  if constexpr (N > 0) return path_nested<N - 1>(value) + path_inner(value);
  return work(value);
}

PATH_FRAME long path_lambda(long value) {
  const Entered entered("path_lambda");
  const auto lambda = [](long v) __attribute__((noinline)) {
    const Entered inside("path_lambda");
    return work(v) + path_inner(v);
  };
  return lambda(value) + 1;
}

PATH_FRAME long path_all(long value) {
  const Entered entered("path_all");
  return path_inlining(value) + path_recursive(5, value) + path_nested<4>(value) + path_lambda(value);
}

void run() {
  for (long round = 0; std::clock() < deadline; ++round) path_all(round);
}

}  // namespace

int main(int, char** argv) {
  deadline = static_cast<std::clock_t>(std::atof(argv[1]) * CLOCKS_PER_SEC);
  std::thread other(run);
  run();
  other.join();
  for (const std::string& stack : logged) std::puts(stack.c_str());
}
