// Counts equal callchains.
//
// A hash table of distinct (who, callchain) pairs, which all threads share: one that two of them see is named once. The
// callchains themselves stay where they lie in the mapped recording; only those whose bytes will be reused are copied.
// How often each was seen every thread counts for itself, as lines of the cache that all of them write to would go from
// one processor to the other with every sample. Most callchains have one leaf: the thread that was the first to see a
// callchain counts the first leaf in a place of its own.
//
// With many distinct callchains each look-up waits for memory several times: for the slot, for the entry, and for the
// count. So samples are looked up a batch at a time, and each step asks for the memory that the next will need. The
// words are not compared, which would be one more wait, the longest, as they lie all over the recording: callchains are
// taken for equal when 128 bits of hash are. Of ten million different ones two are, once in 10^24 recordings.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory_resource>
#include <shared_mutex>
#include <span>
#include <vector>

#include "analysis/profile/leaf_counts.h"
#include "analysis/samples/code_versions.h"
#include "base/large_vector.h"
#include "base/stable_vector.h"
#include "reader/format/sample.h"

namespace perfsift::analysis {

// Everything but the callchain that makes two samples different.
struct CallchainOwner {
  std::uint32_t comm = 0;  // reader::NameId
  std::uint32_t maps = 0;  // reader::MapsVersion
  std::uint32_t kernel_maps = 0;
  std::int32_t pid = 0;  // 0 unless asked for
  std::int32_t tid = 0;
  std::uint32_t event : 28 = 0;                        // EventId
  std::uint32_t tail : 4 = 0;                          // StackTail
  std::uint32_t mode : 5 = 0;                          // reader::CpuMode of the first words
  std::uint32_t note : 2 = 0;                          // and what is to be said of them: see note_number()
  std::uint32_t code_version : code_version_bits = 0;  // see CodeVersions
  bool operator==(const CallchainOwner&) const = default;
};

// Of an owner and all words of a callchain.
struct CallchainHash {
  std::uint64_t place = 0;  // in the table
  std::uint64_t check = 0;
  bool operator==(const CallchainHash&) const = default;
};

// Fills a cache line.
struct alignas(64) KnownCallchain {
  CallchainHash hash;
  const Unaligned<std::uint64_t>* first_word = nullptr;
  std::uint32_t word_count = 0;
  CallchainOwner owner;
  std::uint32_t number = 0;  // which of the table's
  std::uint32_t index = 0;   // which of those that the same thread was the first to see

  reader::Words words() const { return {first_word, word_count}; }
};

static_assert(sizeof(KnownCallchain) == 64);

// Thread-safe: each thread counts with a Counter of its own.
class CallchainTable {
 public:
  class Counter;

  // `threads`: how many will count at a time. One alone need not be careful.
  explicit CallchainTable(unsigned threads);

  ~CallchainTable();

  // Lives as long as the table.
  Counter& new_counter();

  // When all threads have looked up everything: the callchains by their numbers. Those of some numbers are nowhere.
  std::vector<const KnownCallchain*> callchains() const;

 private:
  static constexpr std::size_t initial_slots = std::size_t{1} << 14;
  static constexpr std::size_t large = std::size_t{1} << 20;  // slots: from here on memory costs more than growing
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  // What a slot holds: where a callchain is (a process has 48 bits of addresses, unless it asks for more), and above
  // that the upper bits of its hash, by which most misses are seen without looking further.
  static constexpr std::uint64_t address_bits = (std::uint64_t{1} << 48) - 1;
  static std::uint64_t tag_of(std::uint64_t hash_or_slot) { return hash_or_slot & ~address_bits; }
  static std::uint64_t slot_of(const KnownCallchain& callchain) {
    return tag_of(callchain.hash.place) | reinterpret_cast<std::uintptr_t>(&callchain);
  }
  static const KnownCallchain& callchain_in(std::uint64_t slot) {
    return *reinterpret_cast<const KnownCallchain*>(slot & address_bits);
  }

  std::size_t mask() const { return slots_.size() - 1; }
  bool is_full() const { return used_ > slots_.size() / 8 * 5; }
  void grow();

  const bool shared_;
  LargeVector<std::uint64_t> slots_;
  std::shared_mutex growing_;  // shared by those who use slots_
  std::atomic<std::uint32_t> used_ = 0;
  std::list<Counter> counters_;
};

// One thread's hands on the table. Not thread-safe.
class CallchainTable::Counter {
 public:
  explicit Counter(CallchainTable& table) : table_(table) { batch_.reserve(batch_size); }

  // Adds one sample. `lasting`: the words stay where they are as long as the table. `leaf`: what it had on top of the
  // callchain, any number.
  void add(const CallchainOwner& owner, reader::Words words, bool lasting, std::uint32_t leaf, std::uint64_t value);
  // What was added last may wait to be looked up together with what comes next: this looks it up.
  void look_up_rest();

  // Those that this thread was the first to see.
  const StableVector<KnownCallchain>& callchains() const { return callchains_; }
  // What this thread has added, by the numbers of callchains: of each that it was the first to see one leaf, in their
  // order, and all others.
  const StableVector<LeafCount>& first_counts() const { return first_counts_; }
  const StableVector<LeafCount>& other_counts() const { return other_counts_.all(); }
  template <typename Callback>
  void for_each_count(Callback&& callback) const {
    for (const LeafCount& count : first_counts()) callback(count);
    for (const LeafCount& count : other_counts()) callback(count);
  }

 private:
  friend class CallchainTable;
  static constexpr std::size_t batch_size = 32;

  struct Added {
    KnownCallchain callchain;
    std::uint32_t leaf = 0;
    LeafCount* first_count = nullptr;  // of the callchain, where this thread was the first to see it
    std::uint64_t value = 0;
  };
  // What a new callchain does with the words of its sample.
  enum class Words : bool { kept, copied };

  void look_up(std::span<Added> samples, Words words);
  const KnownCallchain& find_or_insert(const KnownCallchain& sample, Words words);
  KnownCallchain& append(const KnownCallchain& sample, Words words);
  void count(std::span<const Added> samples);

  CallchainTable& table_;
  StableVector<KnownCallchain> callchains_;
  StableVector<LeafCount> first_counts_;  // of each of them
  LeafCounts other_counts_;
  std::vector<Added> batch_;  // samples that wait to be looked up
  std::pmr::monotonic_buffer_resource copies_{huge_pages()};
};

}  // namespace perfsift::analysis
