// A thread that is usually fast, but sometimes waits for the mutex of an allocator, which another thread holds during a
// cleanup. This is the example of perfsift-offcpu(1).
//
//   offcpu_allocator [MILLISECONDS]
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/prctl.h>

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

std::atomic<bool> over = false;

class Arena {
 public:
  void allocate();
  void compact();

 private:
  void tidy() {
    const auto until = Clock::now() + microseconds(900);
    while (Clock::now() < until) blocks_.resize(blocks_.size() % 64 + 1);
  }

  std::mutex mutex_;
  std::vector<int> blocks_;
};

[[gnu::noinline]] void Arena::allocate() {
  const std::lock_guard lock(mutex_);
  blocks_.resize(blocks_.size() % 64 + 1);
}

[[gnu::noinline]] void Arena::compact() {
  const std::lock_guard lock(mutex_);
  tidy();
}

[[gnu::noinline]] void wait_for_request() {
  const timespec time{.tv_sec = 0, .tv_nsec = 50'000};
  nanosleep(&time, nullptr);
}

[[gnu::noinline]] void handle_request(Arena& arena) {
  arena.allocate();
  asm volatile("");
}

void serve(Arena& arena) {
  pthread_setname_np(pthread_self(), "server");
  prctl(PR_SET_TIMERSLACK, 1);  // the default is 50 us
  while (!over) {
    wait_for_request();
    handle_request(arena);
  }
}

void keep_tidy(Arena& arena) {
  pthread_setname_np(pthread_self(), "compactor");
  while (!over) {
    std::this_thread::sleep_for(milliseconds(20));
    arena.compact();
  }
}

int main(int, char** argv) {
  Arena arena;
  std::thread server(serve, std::ref(arena)), compactor(keep_tidy, std::ref(arena));
  std::this_thread::sleep_for(milliseconds(argv[1] != nullptr ? std::atoi(argv[1]) : 2000));
  over = true;
  server.join();
  compactor.join();
}
