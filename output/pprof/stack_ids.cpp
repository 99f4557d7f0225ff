#include "output/pprof/stack_ids.h"

#include <algorithm>
#include <array>

#include <protozero/varint.hpp>

namespace perfsift::output {

std::string_view StackIds::of(analysis::CallTree::Node node) {
  // A node has a higher number than its callers.
  more_.clear();
  for (; node != analysis::CallTree::root; node = locations_.next(node)) {
    while (!path_.empty() && path_.back().node > node) path_.pop_back();
    if (!path_.empty() && path_.back().node == node) break;
    more_.push_back(node);
  }
  if (node == analysis::CallTree::root) path_.clear();
  std::size_t size = path_.empty() ? 0 : path_.back().size;
  for (auto step = more_.rbegin(); step != more_.rend(); ++step) {
    std::array<char, protozero::max_varint_length> varint{};
    const char* const end = varint.data() + protozero::add_varint_to_buffer(varint.data(), locations_.location(*step));
    prepend({varint.data(), end}, size);
    size += static_cast<std::size_t>(end - varint.data());
    path_.push_back({.node = *step, .size = size});
  }
  return std::string_view(bytes_).substr(bytes_.size() - size);
}

// Inserts bytes before the last `behind` bytes.
void StackIds::prepend(std::string_view bytes, std::size_t behind) {
  if (behind + bytes.size() > bytes_.size()) {
    std::string larger(std::max<std::size_t>(2 * bytes_.size(), 1024), '\0');
    std::ranges::copy(std::string_view(bytes_).substr(bytes_.size() - behind),
                      larger.end() - static_cast<std::ptrdiff_t>(behind));
    bytes_ = std::move(larger);
  }
  std::ranges::copy(bytes, bytes_.end() - static_cast<std::ptrdiff_t>(behind + bytes.size()));
}

}  // namespace perfsift::output
