// Waits in known ways, and tells of each what it saw itself:
//
//   KIND TID START END CPU      in nanoseconds: CLOCK_MONOTONIC before and after, and the processor's time in between
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int waits = 20;

std::int64_t now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void sleep_for(long microseconds) {
  const timespec time{.tv_sec = 0, .tv_nsec = microseconds * 1000};
  nanosleep(&time, nullptr);
}

// Two threads, of which one waits until the other does something.
struct Meeting {
  std::atomic<int> word = 0;  // 1: somebody waits
  int pipe[2] = {-1, -1};
  int file = -1;
  char* mapped = nullptr;
};

// libc keeps no frame pointers, which hides whoever called it from callchains: so each wait has a function around it.

extern "C" {

[[gnu::noinline]] void futex(Meeting& meeting) {
  meeting.word = 1;
  while (meeting.word == 1) syscall(SYS_futex, &meeting.word, FUTEX_WAIT_PRIVATE, 1, nullptr, nullptr, 0);
  asm volatile("");
}

[[gnu::noinline]] void doze(Meeting&) {
  sleep_for(2000);
  asm volatile("");
}

[[gnu::noinline]] void read_pipe(Meeting& meeting) {
  char byte = 0;
  if (read(meeting.pipe[0], &byte, 1) != 1) std::abort();
  asm volatile("");
}

[[gnu::noinline]] void disk_write(Meeting& meeting) {
  const std::string block(1 << 20, 'x');
  if (pwrite(meeting.file, block.data(), block.size(), 0) < 0) std::abort();
  fdatasync(meeting.file);
  asm volatile("");
}

[[gnu::noinline]] void page_fault(Meeting& meeting) {
  *static_cast<volatile char*>(meeting.mapped);
  asm volatile("");
}

[[gnu::noinline]] void wait_in_futex(Meeting& meeting) {
  futex(meeting);
  asm volatile("");
}

[[gnu::noinline]] void wait_in_nanosleep(Meeting& meeting) {
  doze(meeting);
  asm volatile("");
}

[[gnu::noinline]] void wait_in_pipe(Meeting& meeting) {
  read_pipe(meeting);
  asm volatile("");
}

[[gnu::noinline]] void wait_in_disk_write(Meeting& meeting) {
  disk_write(meeting);
  asm volatile("");
}

[[gnu::noinline]] void wait_in_page_fault(Meeting& meeting) {
  page_fault(meeting);
  asm volatile("");
}

}  // extern "C"

void logged(const char* kind, void (*wait)(Meeting&), Meeting& meeting) {
  const std::int64_t cpu = now(CLOCK_THREAD_CPUTIME_ID);
  const std::int64_t start = now(CLOCK_MONOTONIC);
  wait(meeting);
  const std::int64_t end = now(CLOCK_MONOTONIC);
  std::printf("%s %ld %lld %lld %lld\n", kind, syscall(SYS_gettid), static_cast<long long>(start),
              static_cast<long long>(end), static_cast<long long>(now(CLOCK_THREAD_CPUTIME_ID) - cpu));
}

void answer(Meeting& meeting) {
  pthread_setname_np(pthread_self(), "waker");
  for (int i = 0; i < waits;) {
    sleep_for(3000);
    if (meeting.word == 0) continue;
    ++i;
    meeting.word = 0;
    syscall(SYS_futex, &meeting.word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
}

void write_pipe(Meeting& meeting) {
  pthread_setname_np(pthread_self(), "writer");
  for (int i = 0; i < waits; ++i) {
    sleep_for(4000);
    if (write(meeting.pipe[1], "x", 1) != 1) std::abort();
  }
}

}  // namespace

int main(int, char** argv) {
  Meeting meeting;
  meeting.file = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (pipe(meeting.pipe) != 0 || meeting.file < 0) return 1;
  {
    std::thread waker(answer, std::ref(meeting));
    for (int i = 0; i < waits; ++i) logged("futex", wait_in_futex, meeting);
    waker.join();
  }
  {
    std::thread writer(write_pipe, std::ref(meeting));
    for (int i = 0; i < waits; ++i) logged("pipe", wait_in_pipe, meeting);
    writer.join();
  }
  for (int i = 0; i < waits; ++i) logged("nanosleep", wait_in_nanosleep, meeting);
  for (int i = 0; i < 5; ++i) logged("disk_write", wait_in_disk_write, meeting);
  for (int i = 0; i < 5; ++i) {
    posix_fadvise(meeting.file, 0, 0, POSIX_FADV_DONTNEED);
    meeting.mapped = static_cast<char*>(mmap(nullptr, 1 << 20, PROT_READ, MAP_SHARED, meeting.file, 0));
    if (meeting.mapped == MAP_FAILED) return 1;
    logged("page_fault", wait_in_page_fault, meeting);
    munmap(meeting.mapped, 1 << 20);
  }
}
