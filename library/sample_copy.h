// SAMPLE records that were copied out of rings, so that they live on when the rings go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "reader/format/record.h"
#include "record/rings/pieces.h"
#include "record/rings/record_sink.h"

namespace perfsift::v0::detail {

// Each record begins at a word, so that callchains in the copy are aligned.
class SampleCopy : public record::RecordSink {
 public:
  void records(std::size_t, Bytes records) override {
    record::walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
      if (header.type == reader::RecordType::sample) add(records.subspan(offset, header.size));
    });
  }
  void round() override {}

  bool empty() const { return starts_.empty(); }
  // Calls visit(record) with the bytes of each record, which live as long as the copy. More may follow behind a record.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const std::size_t start : starts_) visit(std::as_bytes(std::span(words_).subspan(start)));
  }

 private:
  void add(Bytes record) {
    starts_.push_back(words_.size());
    words_.resize(words_.size() + (record.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    std::memcpy(words_.data() + starts_.back(), record.data(), record.size());
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> starts_;
};

}  // namespace perfsift::v0::detail
