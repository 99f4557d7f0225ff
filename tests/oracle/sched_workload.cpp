// Threads that wait for each other in all ways that a scheduler knows.
//
//   sched_workload MILLISECONDS
//
// Two pairs send a byte back and forth through pipes, four threads compete for one mutex, two sleep repeatedly, three
// use CPU time with different priorities, and one starts processes that end at once.
#include <chrono>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

Clock::time_point end;
std::mutex contended;

bool over() { return Clock::now() >= end; }

void burn(microseconds time) {
  const auto until = Clock::now() + time;
  while (Clock::now() < until) {
  }
}

struct Pipe {
  int in = -1;
  int out = -1;
  Pipe() {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    in = ends[0];
    out = ends[1];
  }
  bool receive() const {
    char byte = 0;
    return read(in, &byte, 1) == 1;
  }
  void send() const {
    if (write(out, "x", 1) != 1) std::abort();
  }
};

void ping(const Pipe& there, const Pipe& back) {
  while (!over()) {
    there.send();
    if (!back.receive()) return;
  }
  close(there.out);
}

void pong(const Pipe& there, const Pipe& back) {
  while (there.receive()) back.send();
}

void fight() {
  while (!over()) {
    const std::lock_guard lock(contended);
    burn(microseconds(30));
  }
}

void doze(microseconds time) {
  while (!over()) std::this_thread::sleep_for(time);
}

void hog(int niceness) {
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness);
  while (!over()) {
    burn(milliseconds(2));
    std::this_thread::sleep_for(microseconds(200));
  }
}

void storm() {
  while (!over()) {
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
      const pid_t child = fork();
      if (child == 0) _exit(0);
      children.push_back(child);
    }
    for (const pid_t child : children) waitpid(child, nullptr, 0);
    std::this_thread::sleep_for(milliseconds(5));
  }
}

}  // namespace

int main(int, char** argv) {
  const long duration = argv[1] != nullptr ? std::strtol(argv[1], nullptr, 10) : 1000;
  end = Clock::now() + milliseconds(duration);

  const Pipe pipes[4];
  std::vector<std::thread> threads;
  for (const std::size_t pair : {0u, 2u}) {
    threads.emplace_back(ping, std::cref(pipes[pair]), std::cref(pipes[pair + 1]));
    threads.emplace_back(pong, std::cref(pipes[pair]), std::cref(pipes[pair + 1]));
  }
  for (int i = 0; i < 4; ++i) threads.emplace_back(fight);
  threads.emplace_back(doze, microseconds(100));
  threads.emplace_back(doze, microseconds(1700));
  for (const int niceness : {0, 5, 15}) threads.emplace_back(hog, niceness);
  threads.emplace_back(storm);
  for (std::thread& thread : threads) thread.join();
}
