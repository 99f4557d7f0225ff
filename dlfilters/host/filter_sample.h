// A sample in the layout that filters get.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "dlfilters/abi.h"
#include "dlfilters/host/answers.h"
#include "reader/format/sample.h"

namespace perfsift::dlfilter {

// The parts of a record that filters get pointers to. Null when not recorded.
//
// The interface does not promise that these parts lie in the record. But filters read on behind them to find the
// registers and stacks that perf does not hand out.
struct RecordParts {
  const std::uint64_t* callchain = nullptr;
  const Branch* branches = nullptr;
  const void* raw = nullptr;
};

// A record of a foreign byte order, as perf hands it to filters: every word in this machine's byte order, and raw data,
// which describes its own fields, unchanged (perf_event__all64_swap() and evsel__parse_sample()).
class RecordCopy {
 public:
  // Valid until the next call.
  RecordParts make(const reader::Sample& sample);

 private:
  void swap_words(Bytes record);
  std::size_t begin_of_callchain(const reader::Sample& sample) const;

  std::vector<std::uint64_t> words_;
};

// Memory for a sample at the end of mapped memory, so that a filter that reads a member beyond the sample crashes at
// once.
class GuardedSample {
 public:
  explicit GuardedSample(std::uint32_t size);
  ~GuardedSample();
  GuardedSample(const GuardedSample&) = delete;
  GuardedSample& operator=(const GuardedSample&) = delete;

  // A copy of the first `size` bytes. The members behind must not be read.
  const Sample& take(const Sample& sample);

 private:
  std::uint32_t size_;
  void* pages_;
  std::byte* place_;
};

// Not thread-safe.
class FilterSample {
 public:
  FilterSample(ApiVersion api, ByteOrder order);

  // Valid until the next call. It points into the recording.
  const Sample& make(const reader::Sample& sample);

 private:
  RecordParts parts_of(const reader::Sample& sample);

  ApiVersion api_;
  ByteOrder order_;
  RecordCopy copy_;
  std::vector<std::uint64_t> joined_;  // a callchain that is in no record, behind its length
  Sample made_{};
  std::unique_ptr<GuardedSample> guarded_;  // of v0
};

}  // namespace perfsift::dlfilter
