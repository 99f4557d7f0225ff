// The cache lines of a recording's memory accesses: who reads and writes which bytes of them, and whether threads
// disturb each other without sharing data.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/memory/access_counts.h"
#include "analysis/memory/memory_cells.h"
#include "base/hash.h"

namespace perfsift::analysis {

// The accesses of one thread to one offset of a line.
struct LineAccesses {
  std::uint64_t loads = 0, stores = 0, others = 0;  // others: not known whether loads or stores
  std::uint64_t local_hitm = 0, remote_hitm = 0, local_peer = 0, remote_peer = 0;
  std::uint64_t weight = 0;

  std::uint64_t all() const { return loads + stores + others; }
  std::uint64_t conflicts() const { return local_hitm + remote_hitm + local_peer + remote_peer; }
  // An access that may be a store counts as one.
  bool may_store() const { return stores != 0 || others != 0; }
  void add(const LineAccesses& other);
};

// What threads do with a line.
enum class Sharing : std::uint8_t {
  one_thread,  // nothing is shared
  read_only,   // several threads read, and no store was sampled
  true_sharing,
  mixed,
  false_sharing,
};
std::string_view name_of(Sharing sharing);

struct LineThread {
  std::int32_t tid = 0;
  std::string_view name;  // "7:worker"
  LineAccesses accesses;
};
struct LineCode {
  std::string_view symbol, dso;
  LineAccesses accesses;
};

struct LineOffset {
  std::uint64_t offset = 0;      // in the line
  std::string_view symbol;       // the data symbol with its offset, or the address
  std::string_view member;       // the part of the variable, by debug information; the variable where it is not known
  std::string_view declaration;  // of the variable: "book.c:12"; "[unknown]"
  LineAccesses accesses;
  std::vector<LineThread> threads;  // most accesses first
  std::vector<LineCode> code;       // most accesses first
  std::set<std::int32_t> cpus;
  std::set<std::string_view> nodes;  // of the CPUs; only known ones
};

struct CacheLine {
  std::uint64_t address = 0;  // of the first access that decides; virtual
  std::string_view variable;  // of the offset with the most accesses
  std::string_view kind;      // see DataKind
  std::string_view node;      // of the line's page; empty: not known
  LineAccesses accesses;
  std::vector<LineOffset> offsets;  // ascending
  std::uint64_t threads = 0;
  std::uint64_t cpus = 0;

  Sharing sharing = Sharing::one_thread;
  // How many of the disturbing accesses (conflicts; all accesses where the recording has no conflicts) are to bytes
  // that no other thread uses, in percent of those to bytes that any two threads use.
  double false_share = 0;
  std::uint64_t disturbed = 0;       // the accesses that false_share is about
  std::uint64_t falsely_shared = 0;  // of these, those to bytes that no other thread uses
  bool stores_not_sampled = false;   // conflicts prove that there are stores, but the samples have none
  // Offsets whose users are the same threads, for Sharing::false_sharing and mixed: each group wants a line of its own.
  std::vector<std::vector<std::size_t>> groups;  // indexes into offsets
};

// Not thread-safe. One for each thread collects; add() joins them; finish() makes lines.
class CacheLines {
 public:
  explicit CacheLines(std::uint64_t line_size = 64) : line_size_(line_size) {}

  // `cells` has the access. `recording`: its number; different recordings have no lines in common.
  void add(const reader::Sample& sample, const MemoryAccess& access, MemoryCells& cells, std::uint32_t recording);
  void add(const CacheLines& other);
  // `texts`: of the cells. Lines with conflicts come first.
  void finish(const FrameTable& texts);

  std::uint64_t line_size() const { return line_size_; }
  const std::vector<CacheLine>& lines() const { return lines_; }
  bool any_conflict() const { return any_conflict_; }

 private:
  struct Key {
    std::uint64_t space = 0;    // see MemoryCells::Home; the upper bits: the number of the recording
    std::uint64_t address = 0;  // in the space
    std::uint64_t shown = 0;    // virtual address of the line
    FrameId symbol = 0, variable = 0, member = 0, declaration = 0, kind = 0, thread = 0, code = 0, dso = 0, node = 0,
            cpu_node = 0;
    std::int32_t tid = 0, cpu = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return mix(mix(key.space ^ odd_1, key.address ^ odd_2) ^ odd_3,
                 (std::uint64_t{key.code} << 32 | static_cast<std::uint32_t>(key.tid)) ^
                     static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.cpu)) << 20);
    }
  };
  using Entry = std::pair<const Key, LineAccesses>;

  std::uint64_t line_of(const Key& key) const { return key.address & ~(line_size_ - 1); }
  CacheLine make_line(std::span<const Entry* const> entries, const FrameTable& texts) const;
  LineOffset make_offset(std::span<const Entry* const> entries, const FrameTable& texts) const;

  std::uint64_t line_size_;
  bool any_conflict_ = false;
  std::unordered_map<Key, LineAccesses, Hash> accesses_;
  std::vector<CacheLine> lines_;
};

}  // namespace perfsift::analysis
