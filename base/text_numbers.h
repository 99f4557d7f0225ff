// Numbers for distinct texts, in the order in which they come.
#pragma once

#include <cstdint>
#include <deque>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perfsift {

// Not thread-safe. Texts live as long as the object, or until take().
class TextNumbers {
 public:
  std::uint32_t of(std::string_view text) {
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(texts_.size());
    numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }
  std::string_view text(std::uint32_t number) const { return texts_[number]; }
  // The texts, by their numbers. There are none afterwards.
  std::vector<std::string> take() {
    numbers_.clear();
    auto texts = std::exchange(texts_, {});
    return {std::move_iterator(texts.begin()), std::move_iterator(texts.end())};
  }

 private:
  std::deque<std::string> texts_;  // whose elements keep their places
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace perfsift
