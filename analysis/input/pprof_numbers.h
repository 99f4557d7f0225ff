// Finds what has an id in a pprof profile.
//
// The ids may be any numbers. Most writers count from 1: such ids are looked up in an array, because a profile with
// many deep stacks refers to its locations millions of times.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace perfsift::analysis {

class PprofNumbers {
 public:
  // False: the id is known already, and keeps its number.
  bool add(std::uint64_t id, std::uint32_t number) {
    if (find(id)) return false;
    ++added_;
    // Ids that are too large for an array of a few times the entries do not make the array longer.
    if (id >= by_id_.size() && id < first_size + 4 * added_) by_id_.resize(id + 1 + added_, none);
    if (id < by_id_.size()) {
      by_id_[id] = number;
    } else {
      others_.emplace(id, number);
    }
    return true;
  }

  std::optional<std::uint32_t> find(std::uint64_t id) const {
    if (id < by_id_.size() && by_id_[id] != none) return by_id_[id];
    if (others_.empty()) return std::nullopt;
    const auto other = others_.find(id);
    return other != others_.end() ? std::optional(other->second) : std::nullopt;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint64_t first_size = 1024;

  std::uint64_t added_ = 0;
  std::vector<std::uint32_t> by_id_;
  std::unordered_map<std::uint64_t, std::uint32_t> others_;
};

}  // namespace perfsift::analysis
