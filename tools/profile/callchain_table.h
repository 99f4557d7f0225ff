// Counts equal callchains.
//
// A hash table of distinct (who, callchain) pairs. The callchains themselves stay where they lie in the mapped
// recording; only those whose bytes will be reused are copied.
//
// With many distinct callchains each look-up waits for memory three times: for the slot, for the entry, for the words
// to compare. So samples are looked up a batch at a time, and each step asks for the memory that the next will need.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <vector>

#include "base/large_vector.h"
#include "reader/sample.h"

namespace perfsift::tools {

// Asks for all memory that the words lie in.
inline void prefetch(reader::Words words) {
  constexpr std::size_t line_words = 8;
  for (std::size_t i = 0; i < words.size(); i += line_words) __builtin_prefetch(&words[i]);
}

// Everything but the callchain that makes two samples different.
struct CallchainOwner {
  std::uint32_t comm = 0;  // reader::NameId
  std::uint32_t maps = 0;  // reader::MapsVersion
  std::uint32_t kernel_maps = 0;
  std::int32_t pid = 0;  // 0 unless asked for
  std::int32_t tid = 0;
  std::uint32_t event = 0;  // EventId
  std::uint32_t mode = 0;   // reader::CpuMode of the sample
  bool operator==(const CallchainOwner&) const = default;
};

struct CountedCallchain {
  std::uint64_t hash = 0;
  reader::Words words;
  CallchainOwner owner;
  std::uint64_t samples = 0;
  std::uint64_t value = 0;
};

// Not thread-safe.
class CallchainTable {
 public:
  CallchainTable() : slots_(initial_slots, empty) { batch_.reserve(batch_size); }

  // Adds one sample. `lasting`: the words stay where they are as long as the table.
  void add(const CallchainOwner& owner, reader::Words words, bool lasting, std::uint64_t value);

  // Everything that was added.
  const LargeVector<CountedCallchain>& callchains() {
    look_up_batch();
    return callchains_;
  }

 private:
  static constexpr std::size_t initial_slots = std::size_t{1} << 14;
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  static constexpr std::size_t batch_size = 16;

  // What a new callchain does with the words of its sample.
  enum class Words : bool { kept, copied };

  void look_up_batch();
  void count(const CountedCallchain& sample, Words words);
  CountedCallchain& find_or_insert(const CountedCallchain& sample, Words words);
  void grow();

  // The upper half of the hash, and the index of the callchain: most misses are seen without looking further.
  LargeVector<std::uint64_t> slots_;
  LargeVector<CountedCallchain> callchains_;
  std::vector<CountedCallchain> batch_;  // samples that wait to be looked up
  std::deque<std::vector<Unaligned<std::uint64_t>>> copies_;
};

}  // namespace perfsift::tools
