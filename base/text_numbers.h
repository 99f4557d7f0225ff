// Numbers for distinct texts, in the order in which they come.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfsift {

class TextNumbers {
 public:
  std::uint32_t of(std::string_view text) {
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return known->second;
    texts_.emplace_back(text);
    return numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size() - 1)).first->second;
  }
  // The texts, by their numbers. There are none afterwards.
  std::vector<std::string> take() {
    numbers_.clear();
    return std::exchange(texts_, {});
  }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::string> texts_;
};

}  // namespace perfsift
