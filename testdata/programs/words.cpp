// The program of docs/ten-minutes.md: counts the words of a text that it makes itself, and prints the most frequent
// words. Built with -DHASHED, it has the fix of that page.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

struct Entry {
  std::string word;
  std::uint64_t times = 0;
};

class Counter {
 public:
  void count(const std::string& word) { ++entry(word).times; }
  std::vector<Entry> most_frequent(std::size_t wanted) const;

 private:
  Entry& entry(const std::string& word);

  std::vector<Entry> entries_;
#ifdef HASHED
  std::unordered_map<std::string, std::size_t> places_;
#endif
};

#ifdef HASHED
[[gnu::noinline]] Entry& Counter::entry(const std::string& word) {
  const auto [place, is_new] = places_.try_emplace(word, entries_.size());
  if (is_new) entries_.push_back({word});
  return entries_[place->second];
}
#else
[[gnu::noinline]] Entry& Counter::entry(const std::string& word) {
  for (Entry& known : entries_) {
    if (known.word == word) return known;
  }
  return entries_.emplace_back(Entry{word});
}
#endif

[[gnu::noinline]] std::vector<Entry> Counter::most_frequent(std::size_t wanted) const {
  std::vector<Entry> sorted = entries_;
  std::sort(sorted.begin(), sorted.end(),
            [](const Entry& a, const Entry& b) { return a.times != b.times ? a.times > b.times : a.word < b.word; });
  sorted.resize(std::min(wanted, sorted.size()));
  return sorted;
}

// The same numbers on each machine.
class Numbers {
 public:
  std::uint32_t below(std::uint32_t end) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state_ >> 33) % end);
  }

 private:
  std::uint64_t state_ = 1;
};

// Frequent words are short, as in most languages.
[[gnu::noinline]] std::string make_text(std::size_t words) {
  constexpr std::string_view syllables[] = {"ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu"};
  Numbers numbers;
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    for (std::uint32_t length = 1 + numbers.below(1 + numbers.below(5)); length > 0; --length)
      text += syllables[numbers.below(10)];
    text += ' ';
  }
  return text;
}

[[gnu::noinline]] void count_words(std::string_view text, Counter& counter) {
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    counter.count(std::string(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
}

}  // namespace

int main() {
  const std::string text = make_text(200'000);
  Counter counter;
  count_words(text, counter);
  for (const Entry& entry : counter.most_frequent(3))
    std::printf("%8llu %s\n", static_cast<unsigned long long>(entry.times), entry.word.c_str());
}
