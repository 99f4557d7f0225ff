// Numbers the tuples of texts that make rows.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace perfsift::analysis {

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
