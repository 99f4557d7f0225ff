// Counts equal callchains.
//
// All threads share one hash table of distinct (owner, callchain) pairs, so a callchain that two threads see is named
// only once. The table points to the callchains in the mapped recording. Only callchains in reused memory are copied.
// Each thread keeps its own counts, because shared counts would move between processors with every sample. Most
// callchains have one leaf, so the thread that sees a callchain first counts its first leaf in a separate place.
//
// With many distinct callchains each lookup waits for memory three times: for the slot, for the entry, and for the
// count. So samples are looked up in batches, and each step prefetches the memory of the next step. The words are not
// compared, because this would be the longest wait: the words are spread over the whole recording. Callchains with
// equal 128-bit hashes are treated as equal. With ten million distinct callchains, one recording in 10^24 has two
// different callchains with the same hash.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <list>
#include <memory_resource>
#include <shared_mutex>
#include <span>
#include <vector>

#include "analysis/collect/leaf_counts.h"
#include "analysis/samples/code_versions.h"
#include "base/large_vector.h"
#include "base/stable_vector.h"
#include "reader/format/sample.h"

namespace perfsift::analysis {

// The properties by which samples with equal callchains still differ.
struct CallchainOwner {
  std::uint32_t comm = 0;  // reader::NameId
  std::uint32_t maps = 0;  // reader::MapsVersion
  std::uint32_t kernel_maps = 0;
  std::int32_t pid = 0;  // 0 unless requested
  std::int32_t tid = 0;
  std::uint32_t event : 28 = 0;                        // EventId
  std::uint32_t tail : 4 = 0;                          // StackTail: how the stack ends
  std::uint32_t mode : 5 = 0;                          // reader::CpuMode of the first words
  std::uint32_t note : 2 = 0;                          // the note on the first words: see note_number()
  std::uint32_t code_version : code_version_bits = 0;  // see CodeVersions
  bool operator==(const CallchainOwner&) const = default;
};

// The hash of an owner and all words of a callchain.
struct CallchainHash {
  std::uint64_t place = 0;  // the slot where the search in the table begins
  std::uint64_t check = 0;
  bool operator==(const CallchainHash&) const = default;
};

// A distinct callchain. It fills a cache line.
struct alignas(64) KnownCallchain {
  CallchainHash hash;
  const Unaligned<std::uint64_t>* first_word = nullptr;
  std::uint32_t word_count = 0;
  CallchainOwner owner;
  std::uint32_t number = 0;  // in the table
  std::uint32_t index = 0;   // among the callchains that the same thread saw first

  reader::Words words() const { return {first_word, word_count}; }
};

static_assert(sizeof(KnownCallchain) == 64);

// Thread-safe: each thread has its own Counter.
class CallchainTable {
 public:
  class Counter;

  // `threads`: the number of counting threads. With one thread nothing is locked.
  explicit CallchainTable(unsigned threads);

  ~CallchainTable();

  // When a counter counts samples.
  enum class Counting : std::uint8_t {
    at_once,
    later,  // callchains get numbers at once; Counter::count() counts many samples together later
  };

  // The new counter lives as long as the table.
  Counter& new_counter(Counting counting = Counting::at_once);

  // The callchains by number, once all threads have looked up all samples. Unused numbers give nullptr.
  std::vector<const KnownCallchain*> callchains() const;

 private:
  static constexpr std::size_t initial_slots = std::size_t{1} << 14;
  static constexpr std::size_t large = std::size_t{1} << 20;  // slots: beyond this size memory costs more than growing
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  // A slot holds the address of a callchain in the lower 48 bits. (Addresses of a process have 48 bits, unless the
  // process requests more.) Above the address are the upper bits of the hash, which show most misses without a read of
  // the callchain.
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
  std::shared_mutex growing_;  // held shared by threads that use slots_
  std::atomic<std::uint32_t> used_ = 0;
  std::list<Counter> counters_;
};

// The place of a count in a CallchainTable::Counter.
struct CountId {
  std::uint32_t first : 1 = 0;   // 1: in first_counts(); 0: in other_counts()
  std::uint32_t index : 31 = 0;  // the index there

  std::uint32_t bits() const { return std::bit_cast<std::uint32_t>(*this); }
  static CountId of(std::uint32_t bits) { return std::bit_cast<CountId>(bits); }
};

// One thread's access to the table. Not thread-safe.
class CallchainTable::Counter {
 public:
  Counter(CallchainTable& table, Counting counting) : table_(table), counting_(counting) {}

  // Adds one sample. `lasting`: the words live as long as the table. `leaf`: a number for the sample's leaf on top of
  // the callchain. `counted`, unless nullptr, gets CountId::bits() of the sample's count. With Counting::later it gets
  // the number of the callchain. It is set by the time look_up_rest() returns.
  void add(const CallchainOwner& owner, reader::Words words, bool lasting, std::uint32_t leaf, std::uint64_t value,
           std::uint32_t* counted = nullptr);
  // Looks up the samples of the last batch, which is not full.
  void look_up_rest();
  // Counts samples by the number of their callchain. Returns the index of the count in other_counts().
  std::size_t count(std::uint32_t callchain, std::uint32_t leaf, const Amount& amount) {
    return other_counts_.add(callchain, leaf, amount);
  }
  // Prefetch the memory that count() will read, as in LeafCounts.
  void prefetch_slot(std::uint32_t callchain, std::uint32_t leaf) const {
    other_counts_.prefetch_slot(callchain, leaf);
  }
  void prefetch_count(std::uint32_t callchain, std::uint32_t leaf) const {
    other_counts_.prefetch_count(callchain, leaf);
  }

  // The callchains that this thread saw first.
  const StableVector<KnownCallchain>& callchains() const { return callchains_; }
  // The counts of this thread. first_counts() has one leaf for each of callchains(), in their order. other_counts() has
  // all other pairs of callchain and leaf.
  const StableVector<LeafCount>& first_counts() const { return first_counts_; }
  const StableVector<LeafCount>& other_counts() const { return other_counts_.all(); }
  template <typename Callback>
  void for_each_count(Callback&& callback) const {
    for (const LeafCount& count : first_counts()) callback(count);
    for (const LeafCount& count : other_counts()) callback(count);
  }

 private:
  friend class CallchainTable;
  static constexpr std::size_t batch_size = 32, most_words = 4096;

  struct Added {
    KnownCallchain callchain;
    std::uint32_t leaf = 0;
    bool lasting = false;
    LeafCount* first_count = nullptr;  // set if this thread saw the callchain first
    std::uint64_t value = 0;
    std::uint32_t* counted = nullptr;
  };

  reader::Words keep_for_batch(reader::Words words);
  void look_up(std::span<Added> samples);
  // `lasting`: the words need not be copied for a new callchain.
  const KnownCallchain& find_or_insert(const KnownCallchain& sample, bool lasting);
  KnownCallchain& append(const KnownCallchain& sample, bool lasting);
  void count(std::span<const Added> samples);

  CallchainTable& table_;
  const Counting counting_;
  StableVector<KnownCallchain> callchains_;
  StableVector<LeafCount> first_counts_;  // one for each of callchains_
  LeafCounts other_counts_;
  std::array<Added, batch_size> batch_;
  std::size_t added_ = 0;                                 // samples in the batch
  std::vector<Unaligned<std::uint64_t>> words_of_batch_;  // words that do not last
  std::pmr::monotonic_buffer_resource copies_{huge_pages()};
};

}  // namespace perfsift::analysis
