// The program of demo.data: two named threads whose stacks hold what C++ stacks hold, namely recursion,
// templates, lambdas and a busy leaf.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include <pthread.h>

namespace demo {

using Numbers = std::vector<std::uint32_t>;

std::atomic<std::uint32_t> result;  // stored, so that no work can be optimised away

[[gnu::noinline]] std::uint32_t scramble(std::uint32_t x) {
  for (int round = 0; round < 64; ++round) x = x * 1664525 + 1013904223;
  return x;
}

[[gnu::noinline]] Numbers make_numbers(std::size_t count) {
  Numbers numbers;
  for (std::uint32_t i = 0; i < count; ++i) numbers.push_back(scramble(i));
  return numbers;
}

// Recursion whose depth changes from sample to sample.
[[gnu::noinline]] void quick_sort(Numbers::iterator first, Numbers::iterator last) {
  if (last - first < 2) return;
  const std::uint32_t pivot = *first;
  const auto middle = std::partition(first + 1, last, [pivot](std::uint32_t n) { return n < pivot; });
  std::iter_swap(first, middle - 1);
  quick_sort(first, middle - 1);
  quick_sort(middle, last);
}

template <unsigned Level>
struct Layer {
  template <typename Work>
  [[gnu::noinline]] static std::uint32_t run(const Work& work) {
    return Layer<Level - 1>::run(work);
  }
};

template <>
struct Layer<0> {
  template <typename Work>
  [[gnu::noinline]] static std::uint32_t run(const Work& work) {
    return work();
  }
};

void named(const char* name, const std::function<void()>& work) {
  pthread_setname_np(pthread_self(), name);
  work();
}

void sort_numbers() {
  for (int i = 0; i < 150; ++i) {
    Numbers numbers = make_numbers(10'000);
    quick_sort(numbers.begin(), numbers.end());
    result += numbers.front();
  }
}

void hash_in_layers() {
  for (std::uint32_t i = 0; i < 250; ++i) {
    result += Layer<5>::run([i] {
      std::uint32_t sum = 0;
      for (std::uint32_t n = 0; n < 10'000; ++n) sum += scramble(n + i);
      return sum;
    });
  }
}

}  // namespace demo

int main() {
  std::thread sorter([] { demo::named("sorter", demo::sort_numbers); });
  std::thread hasher([] { demo::named("hasher", demo::hash_in_layers); });
  sorter.join();
  hasher.join();
}
