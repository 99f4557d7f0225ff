// Threads that wait in many ways, for in_kernel.sh: the kinds are those that sums in the kernel can count wrongly.
//
//   in_kernel_waits [THREADS]    all kinds, one after the other, with so many short threads; prints counts of switches
//   in_kernel_waits own          threads that log their own waits: "TID NAME NANOSECONDS"
//   in_kernel_waits again        what a thread executes that is not the first one of its process
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

void sleep_for(long microseconds) {
  const timespec time{.tv_sec = microseconds / 1'000'000, .tv_nsec = microseconds % 1'000'000 * 1000};
  nanosleep(&time, nullptr);
}

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

void spin_for(long microseconds) {
  const std::int64_t end = now() + microseconds * std::int64_t{1000};
  while (now() < end) {
  }
}

std::thread named(const char* name, std::function<void()> run) {
  return std::thread([name, run = std::move(run)] {
    pthread_setname_np(pthread_self(), name);
    run();
  });
}

// Says how often the thread left its CPU: a sleep whose timer ends before the thread leaves its CPU is no switch.
std::thread counted(const char* name, std::function<void()> run) {
  return named(name, [name, run = std::move(run)] {
    run();
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    std::printf("%s left its CPU %ld times\n", name, usage.ru_nvcsw + usage.ru_nivcsw);
  });
}

void run_all(std::vector<std::thread> threads) {
  for (std::thread& thread : threads) thread.join();
}

void run_on(unsigned cpu) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(cpu, &cpus);
  sched_setaffinity(0, sizeof cpus, &cpus);
}

// Waits of 64 us to 16 ms, for percentiles.
void sleeps() {
  for (int i = 0; i < 400; ++i) sleep_for(64L << (i % 6));
  for (int i = 0; i < 8; ++i) sleep_for(16'000);
}

void locks() {
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.push_back(named("k-lock", [&] {
      for (int n = 0; n < 100; ++n) {
        const std::lock_guard lock(mutex);
        n % 2 == 0 ? sleep_for(200) : spin_for(100);
      }
    }));
  }
  run_all(std::move(threads));
}

void pipes() {
  int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0) exit(1);
  char byte = 0;
  std::vector<std::thread> threads;
  threads.push_back(counted("k-pipe", [&] {
    for (int n = 0; n < 5000; ++n)
      if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) exit(1);
  }));
  threads.push_back(counted("k-pipe", [&] {
    char own = 0;
    for (int n = 0; n < 5000; ++n)
      if (read(there[0], &own, 1) != 1 || write(back[1], &own, 1) != 1) exit(1);
  }));
  run_all(std::move(threads));
}

// More threads than CPUs: time in run queues.
void overcommitted() {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
    threads.push_back(named("k-busy", [] { spin_for(150'000); }));
  run_all(std::move(threads));
}

// Sleeps begin on one CPU and end on another.
void migrating() {
  const unsigned cpus = std::thread::hardware_concurrency();
  named("k-move", [=] {
    for (unsigned n = 0; n < 200; ++n) {
      run_on(n % cpus);
      sleep_for(100);
    }
  }).join();
}

void short_threads(int count) {
  while (count > 0) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 50 && count > 0; ++i, --count) threads.push_back(named("k-short", [] { sleep_for(200); }));
    run_all(std::move(threads));
  }
}

// Processes that have the same id, one after the other.
bool same_id() {
  pid_t id = 0;
  for (int i = 0; i < 20; ++i) {
    clone_args arguments{};
    arguments.exit_signal = SIGCHLD;
    if (id != 0) arguments.set_tid = reinterpret_cast<std::uintptr_t>(&id), arguments.set_tid_size = 1;
    const auto child = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
    if (child < 0) return false;
    if (child == 0) {
      pthread_setname_np(pthread_self(), "k-same");
      sleep_for(1000);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    id = child;
  }
  return true;
}

// Runs wait() so many times in a thread, which logs how long it waited.
std::thread logged(const char* name, int times, std::function<void(int)> wait) {
  return named(name, [=] {
    std::int64_t waited = 0;
    for (int i = 0; i < times; ++i) {
      const std::int64_t begin = now();
      wait(i);
      waited += now() - begin;
    }
    std::printf("%ld %s %lld\n", syscall(SYS_gettid), name, static_cast<long long>(waited));
  });
}

// Each call waits. In virtual machines, a call takes 50 us longer than its wait: setting a timer leaves the machine.
void own_waits() {
  logged("k-sleep", 100, [](int i) { sleep_for(5000L << (i % 3)); }).join();

  int there[2];
  if (pipe(there) != 0) exit(1);
  char byte = 0, own = 0;
  std::thread reader = logged("k-read", 100, [&](int) {
    if (read(there[0], &own, 1) != 1) exit(1);
  });
  for (int i = 0; i < 100; ++i) {
    sleep_for(10'000);
    if (write(there[1], &byte, 1) != 1) exit(1);
  }
  reader.join();

  std::mutex mutex;
  std::condition_variable changed;
  int steps = 0;
  std::thread waiter = logged("k-cond", 100, [&](int i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return steps > i; });
  });
  for (int i = 0; i < 100; ++i) {
    sleep_for(10'000);
    const std::lock_guard lock(mutex);
    ++steps;
    changed.notify_one();
  }
  waiter.join();
}

// The thread gets the id of the first thread, which ends.
void exec_in_thread() {
  const pid_t child = fork();
  if (child == 0) {
    named("k-exec", [] {
      sleep_for(10'000);
      execl("/proc/self/exe", "in_kernel_waits", "again", nullptr);
      _exit(1);
    }).join();
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "again") {
    pthread_setname_np(pthread_self(), "k-again");
    for (int i = 0; i < 10; ++i) sleep_for(2000);
    return 0;
  }
  if (argc > 1 && std::string(argv[1]) == "own") {
    own_waits();
    return 0;
  }
  const int threads = argc > 1 ? std::atoi(argv[1]) : 10'000;
  counted("k-sleep", sleeps).join();
  locks();
  pipes();
  overcommitted();
  migrating();
  short_threads(threads);
  exec_in_thread();
  std::printf("same id: %s\n", same_id() ? "yes" : std::strerror(errno));
}
