// Works for a while, in a stack that begins as the arguments say: starts HOW [broken]. With "broken", a function
// without a frame pointer is in the stack, so a stack by frame pointers ends there.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

#include <pthread.h>

extern "C" void through(void (*function)());

namespace {

bool broken = false;
volatile double sink = 0;

[[gnu::noinline]] void work() {
  const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 5;
  while (std::clock() < end) {
    for (int i = 1; i < 200000; ++i) sink = sink + 1.0 / i;
  }
}

[[gnu::noinline]] void spin() {
  if (broken) {
    through(work);
  } else {
    work();
  }
  asm volatile("");  // no tail call
}

void* in_pthread(void*) {
  spin();
  return nullptr;
}

void on_signal(int) { spin(); }

bool compared = false;
int compare(const void* a, const void* b) {
  if (!compared) compared = true, spin();
  return std::memcmp(a, b, sizeof(int));
}

void run(const char* how) {
  if (std::strcmp(how, "main") == 0) spin();
  if (std::strcmp(how, "pthread") == 0) {
    pthread_t thread;
    pthread_create(&thread, nullptr, in_pthread, nullptr);
    pthread_join(thread, nullptr);
  }
  if (std::strcmp(how, "std::thread") == 0) std::thread(spin).join();
  if (std::strcmp(how, "signal") == 0) {
    std::signal(SIGUSR1, on_signal);
    std::raise(SIGUSR1);
  }
  if (std::strcmp(how, "qsort") == 0) {
    int numbers[] = {3, 1, 2};
    std::qsort(numbers, 3, sizeof(int), compare);
  }
#ifdef _OPENMP
  if (std::strcmp(how, "openmp") == 0) {
#pragma omp parallel num_threads(2)
    spin();
  }
#endif
}

}  // namespace

int main(int argc, char** argv) {
  broken = argc > 2;
  if (argc > 1) run(argv[1]);
  return 0;
}
