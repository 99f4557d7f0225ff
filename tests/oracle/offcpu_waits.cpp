// Waits in known ways, and logs its own measurement of each wait:
//
//   KIND TID START END CPU      in nanoseconds: CLOCK_MONOTONIC before and after, and the CPU time in between
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
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

// Two threads. One, the first of the process, waits until the other acts.
struct Meeting {
  std::atomic<int> word = 0;  // 1: a thread is about to wait, or holds the mutex; 2: the other thread wants it
  int pipe[2] = {-1, -1};
  int connection[2] = {-1, -1};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int file = -1;
  char* mapped = nullptr;
};

// libc has no frame pointers, so callchains lack the caller of a libc function: each wait has a function around it.

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
  meeting.word = 1;
  if (read(meeting.pipe[0], &byte, 1) != 1) std::abort();
  asm volatile("");
}

[[gnu::noinline]] void lock_mutex(Meeting& meeting) {
  meeting.word = 2;
  pthread_mutex_lock(&meeting.mutex);
  pthread_mutex_unlock(&meeting.mutex);
  asm volatile("");
}

[[gnu::noinline]] void poll_pipe(Meeting& meeting) {
  pollfd file{.fd = meeting.pipe[0], .events = POLLIN, .revents = 0};
  poll(&file, 1, 2);
  asm volatile("");
}

[[gnu::noinline]] void read_socket(Meeting& meeting) {
  char byte = 0;
  meeting.word = 1;
  if (read(meeting.connection[0], &byte, 1) != 1) std::abort();
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

[[gnu::noinline]] void wait_in_lock(Meeting& meeting) {
  lock_mutex(meeting);
  asm volatile("");
}

[[gnu::noinline]] void wait_in_poll(Meeting& meeting) {
  poll_pipe(meeting);
  asm volatile("");
}

[[gnu::noinline]] void wait_in_socket(Meeting& meeting) {
  read_socket(meeting);
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

// The state of the first thread in the form of proc(5): S while the thread sleeps in a call.
char state_of_waiter() {
  char text[256] = {};
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0 || read(file, text, sizeof(text) - 1) < 0) std::abort();
  close(file);
  const char* const behind_name = std::strrchr(text, ')');
  return behind_name != nullptr ? behind_name[2] : '?';
}

// Returns when the first thread has waited for 3 ms. On a busy machine, the thread may leave its CPU before it waits.
void let_wait(const Meeting& meeting, int word) {
  while (meeting.word != word || state_of_waiter() != 'S') sleep_for(100);
  sleep_for(3000);
}

void answer(Meeting& meeting) {
  pthread_setname_np(pthread_self(), "waker");
  for (int i = 0; i < waits; ++i) {
    let_wait(meeting, 1);
    meeting.word = 0;
    syscall(SYS_futex, &meeting.word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
}

void hold_mutex(Meeting& meeting) {
  pthread_setname_np(pthread_self(), "holder");
  for (int i = 0; i < waits; ++i) {
    pthread_mutex_lock(&meeting.mutex);
    meeting.word = 1;
    let_wait(meeting, 2);
    pthread_mutex_unlock(&meeting.mutex);
    while (meeting.word != 0) sleep_for(100);
  }
}

void write_socket(Meeting& meeting) {
  pthread_setname_np(pthread_self(), "sender");
  for (int i = 0; i < waits; ++i) {
    let_wait(meeting, 1);
    meeting.word = 0;
    if (send(meeting.connection[1], "x", 1, 0) != 1) std::abort();
  }
}

void write_pipe(Meeting& meeting) {
  pthread_setname_np(pthread_self(), "writer");
  for (int i = 0; i < waits; ++i) {
    let_wait(meeting, 1);
    meeting.word = 0;
    if (write(meeting.pipe[1], "x", 1) != 1) std::abort();
  }
}

}  // namespace

int main(int, char** argv) {
  Meeting meeting;
  meeting.file = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (pipe(meeting.pipe) != 0 || meeting.file < 0) return 1;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, meeting.connection) != 0) return 1;
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
  {
    std::thread holder(hold_mutex, std::ref(meeting));
    for (int i = 0; i < waits; ++i) {
      while (meeting.word == 0) sleep_for(100);
      logged("lock", wait_in_lock, meeting);
      meeting.word = 0;
    }
    holder.join();
  }
  {
    std::thread sender(write_socket, std::ref(meeting));
    for (int i = 0; i < waits; ++i) logged("socket", wait_in_socket, meeting);
    sender.join();
  }
  for (int i = 0; i < waits; ++i) logged("poll", wait_in_poll, meeting);
  for (int i = 0; i < waits; ++i) logged("nanosleep", wait_in_nanosleep, meeting);
  for (int i = 0; i < waits; ++i) logged("disk_write", wait_in_disk_write, meeting);
  for (int i = 0; i < waits; ++i) {
    posix_fadvise(meeting.file, 0, 0, POSIX_FADV_DONTNEED);
    meeting.mapped = static_cast<char*>(mmap(nullptr, 1 << 20, PROT_READ, MAP_SHARED, meeting.file, 0));
    if (meeting.mapped == MAP_FAILED) return 1;
    logged("page_fault", wait_in_page_fault, meeting);
    munmap(meeting.mapped, 1 << 20);
  }
}
