// Text that grows, in memory that is not set to zero first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace perfsift::output {

class Text {
 public:
  std::string_view view() const { return {bytes_.get(), size_}; }
  char* begin() { return bytes_.get(); }
  std::size_t size() const { return size_; }
  void resize(std::size_t size) { size_ = size; }

  void append(std::string_view text) {
    reserve(text.size());
    if (!text.empty()) std::memcpy(bytes_.get() + size_, text.data(), text.size());
    size_ += text.size();
  }
  // Makes room for so many bytes behind the end.
  void reserve(std::size_t more) {
    if (size_ + more <= capacity_) return;
    capacity_ = std::max(2 * (size_ + more), std::size_t{1} << 16);
    std::unique_ptr<char[]> larger(new char[capacity_]);
    if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
  }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace perfsift::output
