// The cache lines of a recording's memory accesses: which threads read and write which bytes of a line, and whether
// threads disturb each other without sharing data (false sharing).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/line_accesses.h"
#include "analysis/memory/line_sums.h"
#include "analysis/samples/memory_nodes.h"

namespace perfsift::analysis {

// How threads share a line.
enum class Sharing : std::uint8_t {
  one_thread,  // one thread only, so nothing is shared
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
  std::uint64_t offset = 0;  // offset in the line
  LineUse data;              // a use of the offset; MemoryCollector::describe() finds the three texts for it
  std::string symbol;        // the data symbol with its offset, or the address
  std::string member;        // the part of the variable, from debug information; the variable if the part is not known
  std::string declaration;   // where the variable is declared: "book.c:12"; "[unknown]"
  LineAccesses accesses;
  std::vector<LineThread> threads;   // most accesses first
  std::vector<LineCode> code;        // most accesses first
  std::vector<std::int32_t> cpus;    // ascending
  std::vector<std::uint32_t> nodes;  // nodes of the CPUs, ascending, without unknown nodes
};

struct CacheLine {
  std::uint32_t recording = 0;  // the recording's number: see MemoryOptions
  std::uint64_t address = 0;    // virtual; the lowest, if processes map the line at several addresses
  std::string_view variable;    // the variable at the offset with the most accesses
  std::string_view kind;        // see DataKind
  std::string_view node;        // the node of the line's page; empty: not known
  LineAccesses accesses;
  std::vector<LineOffset> offsets;  // ascending
  std::uint64_t threads = 0;
  std::uint64_t cpus = 0;

  Sharing sharing = Sharing::one_thread;
  // The percentage of the disturbing accesses that go to bytes that other threads hardly use. Disturbing accesses are
  // conflicts, or all accesses if the recording has no conflicts.
  double false_share = 0;
  std::uint64_t disturbed = 0;       // the number of accesses that false_share is a share of
  std::uint64_t falsely_shared = 0;  // how many of these go to bytes that other threads hardly use
  bool stores_not_sampled = false;   // conflicts prove that there are stores, but the samples have none
  bool stores_not_known = false;     // the samples do not distinguish loads and stores, and no conflict proves a store
  // Groups of offsets with the same threads, for Sharing::false_sharing and mixed. Each group needs its own line.
  std::vector<std::vector<std::size_t>> groups;  // indexes into offsets
};

class CacheLines {
 public:
  explicit CacheLines(std::uint64_t line_size) : line_size_(line_size) {}
  // The lines of `sums`, made by `threads` threads. `texts`: the texts of the sums. `nodes`: the nodes of the recording
  // with this number.
  CacheLines(const LineSums& sums, std::uint64_t line_size, const FrameTable& texts, const MemoryNodes& nodes,
             std::uint32_t recording, unsigned threads);

  // `other`: lines of another recording, with the same size.
  void add(CacheLines&& other);
  // Sorts the lines: lines that can be repaired come first, then lines with conflicts.
  void rank();

  std::uint64_t line_size() const { return line_size_; }
  const std::vector<CacheLine>& lines() const { return lines_; }
  // The first `count` lines. 0: all lines.
  std::span<CacheLine> first(std::size_t count);
  bool any_conflict() const;

 private:
  std::uint64_t line_size_;
  std::vector<CacheLine> lines_;
};

}  // namespace perfsift::analysis
