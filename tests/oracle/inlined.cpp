// A program whose functions are hard to name: templates, lambdas, local classes, functions inlined into each other, in
// several sections, in code and in constructors.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

template <int depth>
struct Layer {
  static long run(const std::function<long(long)>& leaf, long value) {
    if (value % 7 == 0) return Layer<depth - 1>::run(leaf, value + 1) + 1;
    return Layer<depth - 1>::run([&](long inner) { return leaf(inner) + depth; }, value);
  }
};

template <>
struct Layer<0> {
  static long run(const std::function<long(long)>& leaf, long value) { return leaf(value); }
};

class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

template <typename Number>
class Square final : public Shape {
 public:
  explicit Square(Number side) : side_(side) {}
  double area() const override { return static_cast<double>(side_) * static_cast<double>(side_); }

 private:
  Number side_;
};

struct Weigh {
  double operator()(int number) const { return number; }
  double operator()(const std::string& text) const { return static_cast<double>(text.size()); }
};

long count_words(const std::vector<std::string>& words) {
  std::map<std::string, long> counts;
  for (const auto& word : words) ++counts[word];
  return std::accumulate(counts.begin(), counts.end(), 0L,
                         [](long sum, const auto& entry) { return sum + entry.second * entry.second; });
}

}  // namespace

__attribute__((noinline)) void fail(int code) {
  if (code != 0) throw std::runtime_error(std::to_string(code));
}

int main(int argc, char** argv) {
  struct Local {
    std::unordered_map<int, std::unique_ptr<Shape>> shapes;
    void add(int key) {
      if (key % 2 == 0)
        shapes.emplace(key, std::make_unique<Square<int>>(key));
      else
        shapes.emplace(key, std::make_unique<Square<float>>(static_cast<float>(key)));
    }
  } local;
  std::vector<std::string> words(argv, argv + argc);
  for (int i = 0; i < 1000; ++i) {
    local.add(i);
    words.push_back(std::string(static_cast<std::size_t>(i % 17), 'x'));
  }
  std::ranges::sort(words,
                    [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  double total = 0;
  for (const auto& [key, shape] : local.shapes) total += shape->area();
  const std::vector<std::variant<int, std::string>> mixed = {1, std::string("two"), 3};
  for (const auto& one : mixed) total += std::visit(Weigh{}, one);
  try {
    fail(argc);
  } catch (const std::exception& error) {
    total += static_cast<double>(std::string(error.what()).size());
  }
  std::printf("%f %ld %ld\n", total, count_words(words), Layer<12>::run([](long v) { return v * 3; }, argc));
}
