// Records in memory that only grows at its end, in pieces, so that nothing is copied when it grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::record {

// Not thread-safe.
class RecordStore {
 public:
  // `records`: whole records. A piece never splits a record.
  void add(Bytes records) {
    if (records.empty()) return;
    if (pieces_.empty() || pieces_.back().capacity() - pieces_.back().size() < records.size()) {
      pieces_.emplace_back();
      pieces_.back().reserve(std::max(records.size(), piece_size));
    }
    pieces_.back().insert(pieces_.back().end(), records.begin(), records.end());
    bytes_ += records.size();
  }

  // In the order in which they were added. The bytes live as long as the store does not change.
  template <typename Take>
  void for_each(Take&& take) const {
    for (const std::vector<std::byte>& piece : pieces_) take(Bytes(piece));
  }

  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t piece_size = std::size_t{1} << 16;

  std::vector<std::vector<std::byte>> pieces_;
  std::size_t bytes_ = 0;
};

}  // namespace perfsift::record
