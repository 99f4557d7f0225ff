// Makes spikes at known times: a thread named "rx-0" waits for a lock that another thread, "holder", keeps too long.
//
//   flight_spikes COUNT HELD_US GAP_MS
//
// Prints a line for each spike, "START END BLOCKED", and the tid of rx-0 first. START and END are nanoseconds of
// CLOCK_MONOTONIC around the wait; BLOCKED is the part of that time in which the thread neither ran nor waited for a
// CPU, by the kernel's own accounts: on a busy machine, rx-0 may lose its CPU before it waits for the lock, and the
// wait is shorter. The thread has the name "rx-0" only while it waits for the lock, so its other waits have another
// name.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

enum State : int { is_free, is_held, is_wanted };

struct Lock {
  std::atomic<int> word = is_free;
};

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::int64_t cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Time on run queues so far, in nanoseconds (kernel's proc_pid_schedstat()).
std::int64_t run_queue_time() {
  long long on_cpu = 0, waited = 0;
  std::FILE* file = std::fopen("/proc/thread-self/schedstat", "r");
  if (file == nullptr || std::fscanf(file, "%lld %lld", &on_cpu, &waited) != 2) std::perror("schedstat"), std::exit(1);
  std::fclose(file);
  return waited;
}

void sleep_for(std::int64_t microseconds) {
  const timespec time{.tv_sec = microseconds / 1'000'000, .tv_nsec = microseconds % 1'000'000 * 1000};
  nanosleep(&time, nullptr);
}

}  // namespace

// libc has no frame pointers, so callchains lack the caller of a libc function: each wait has a function around it.
extern "C" {

[[gnu::noinline]] void wait_for_lock(Lock& lock) {
  lock.word = is_wanted;
  while (lock.word == is_wanted) syscall(SYS_futex, &lock.word, FUTEX_WAIT_PRIVATE, is_wanted, nullptr, nullptr, 0);
  asm volatile("");
}

[[gnu::noinline]] void handle_packet(Lock& lock) {
  wait_for_lock(lock);
  asm volatile("");
}

[[gnu::noinline]] void give_lock_up(Lock& lock) {
  lock.word = is_free;
  syscall(SYS_futex, &lock.word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  asm volatile("");
}

[[gnu::noinline]] void hold_lock(Lock& lock, std::int64_t microseconds) {
  while (lock.word != is_wanted) sleep_for(50);
  sleep_for(microseconds);
  give_lock_up(lock);
  asm volatile("");
}

}  // extern "C"

int main(int count_of_words, char** words) {
  if (count_of_words != 4) return std::fprintf(stderr, "flight_spikes COUNT HELD_US GAP_MS\n"), 2;
  const int spikes = std::atoi(words[1]);
  const std::int64_t held = std::atoll(words[2]), gap = std::atoll(words[3]) * 1000;
  Lock lock;
  std::printf("%ld\n", syscall(SYS_gettid));
  prctl(PR_SET_NAME, "rx-idle");
  for (int spike = 0; spike < spikes; ++spike) {
    sleep_for(gap);
    lock.word = is_held;
    std::thread holder([&] {
      prctl(PR_SET_NAME, "holder");
      hold_lock(lock, held);
    });
    prctl(PR_SET_NAME, "rx-0");
    const std::int64_t not_blocked_before = run_queue_time() + cpu_time();
    const std::int64_t start = now();
    handle_packet(lock);
    const std::int64_t end = now();
    const std::int64_t blocked = end - start - (run_queue_time() + cpu_time() - not_blocked_before);
    prctl(PR_SET_NAME, "rx-idle");
    holder.join();
    std::printf("%lld %lld %lld\n", static_cast<long long>(start), static_cast<long long>(end),
                static_cast<long long>(blocked));
    std::fflush(stdout);
  }
  return 0;
}
