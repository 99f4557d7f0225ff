// A program to record for about half a second: threads with names, C++ names of every kind, libc, page faults and
// system calls.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <unistd.h>

namespace workload {

template <typename T>
struct Widget {
  T factor;

  [[gnu::noinline]] long work(int rounds) const {
    volatile long sum = 0;
    for (int i = 0; i < rounds; ++i) sum = sum + i * factor;
    return sum;
  }
};

[[gnu::noinline]] std::size_t sort_words(int count, unsigned seed) {
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) words.push_back(std::to_string(rand_r(&seed)));
  std::sort(words.begin(), words.end(), [](const std::string& a, const std::string& b) { return a < b; });
  std::map<std::string, int> counts;
  for (const std::string& word : words) ++counts[word];
  return counts.size();
}

void run(int number) {
  // Names with a space, and of one letter, are hard to parse.
  pthread_setname_np(pthread_self(), number == 1 ? "b" : ("wl " + std::to_string(number)).c_str());
  const Widget<long> widget{number};
  for (int i = 0; i < 20; ++i) {
    widget.work(300'000);
    sort_words(3'000, static_cast<unsigned>(i));
    usleep(100);
  }
}

}  // namespace workload

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(workload::run, i);
  for (std::thread& thread : threads) thread.join();
}
