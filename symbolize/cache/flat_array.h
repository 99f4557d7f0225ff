// An array of plain values: made here, or lying in a mapped file.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace perfsift::symbolize {

// Immutable.
template <typename T>
class FlatArray {
 public:
  FlatArray() = default;
  explicit FlatArray(std::vector<T> values) : owned_(std::move(values)), values_(owned_) {}
  // An array of values that lie elsewhere. The values must outlive the array.
  static FlatArray elsewhere(std::span<const T> values) {
    FlatArray array;
    array.values_ = values;
    return array;
  }
  // A moved vector keeps its values where they are.
  FlatArray(FlatArray&& other) noexcept
      : owned_(std::move(other.owned_)), values_(std::exchange(other.values_, std::span<const T>())) {}
  FlatArray& operator=(FlatArray&& other) noexcept {
    owned_ = std::move(other.owned_);
    values_ = std::exchange(other.values_, std::span<const T>());
    return *this;
  }

  const T& operator[](std::size_t index) const { return values_[index]; }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  const T* data() const { return values_.data(); }
  std::span<const T> all() const { return values_; }

 private:
  std::vector<T> owned_;
  std::span<const T> values_;
};

}  // namespace perfsift::symbolize
