// Numbers texts, and the tuples of texts that make rows.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace perfsift::analysis {

// Not thread-safe. Texts live as long as the object.
class TextNumbers {
 public:
  std::uint32_t number(std::string_view text) {
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(texts_.size());
    numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }
  std::string_view text(std::uint32_t number) const { return texts_[number]; }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

// Not thread-safe.
class TupleNumbers {
 public:
  using Tuple = std::vector<std::uint32_t>;

  std::uint32_t number(const Tuple& tuple) {
    const auto [known, is_new] = numbers_.try_emplace(tuple, static_cast<std::uint32_t>(tuples_.size()));
    if (is_new) tuples_.push_back(&known->first);
    return known->second;
  }
  const Tuple& tuple(std::uint32_t number) const { return *tuples_[number]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(tuples_.size()); }

 private:
  std::map<Tuple, std::uint32_t> numbers_;
  std::vector<const Tuple*> tuples_;
};

}  // namespace perfsift::analysis
