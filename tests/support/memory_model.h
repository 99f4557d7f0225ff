// Simulated memory accesses of threads on a machine of two nodes. The caches decide the result of an access, so tests
// know more than the recording contains.
//
// Each of the four threads runs on its own core, with two cores per node. Cores have an L1 and an L2, nodes an L3 and
// memory. A store makes the line exclusive to its core. A load of a line that another core has modified finds HITM.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace perfsift::test {

enum class ModelLevel : std::uint8_t { l1, l2, l3, local_ram, remote_cache, remote_ram };
enum class ModelSnoop : std::uint8_t { none, hit, hitm };

struct ModelAccess {
  unsigned thread = 0;  // the number of the thread and of its core
  std::uint64_t ip = 0;
  std::uint64_t address = 0;
  bool store = false;
  bool locked = false;
  ModelLevel level = ModelLevel::l1;
  ModelSnoop snoop = ModelSnoop::none;
  bool tlb_miss = false;
  unsigned latency = 0;  // in cycles
};

class MemoryModel {
 public:
  static constexpr unsigned threads = 4;
  static constexpr unsigned node_of_core(unsigned core) { return core / 2; }
  // Memory up to this address is on node 0, the rest on node 1.
  explicit MemoryModel(std::uint64_t end_of_node_0) : end_of_node_0_(end_of_node_0) {}

  unsigned node_of(std::uint64_t address) const { return address < end_of_node_0_ ? 0 : 1; }
  // Simulates an access, and sets its results.
  ModelAccess access(ModelAccess access);

 private:
  static constexpr std::uint64_t line_size = 64, page_size = 4096;

  // Holds the most recently used lines.
  class Cache {
   public:
    explicit Cache(std::size_t lines) : lines_(lines) {}
    bool contains(std::uint64_t line) const { return used_.contains(line); }
    void use(std::uint64_t line);
    void drop(std::uint64_t line);

   private:
    std::size_t lines_;
    std::uint64_t time_ = 0;
    std::map<std::uint64_t, std::uint64_t> used_;  // line, time of its last use
    std::map<std::uint64_t, std::uint64_t> by_time_;
  };
  struct Core {
    Cache l1{64}, l2{512}, tlb{32};
  };

  void find(ModelAccess& access, std::uint64_t line);
  unsigned latency_of(const ModelAccess& access);

  std::uint64_t end_of_node_0_;
  std::array<Core, threads> cores_;
  std::array<Cache, 2> l3_{Cache(4096), Cache(4096)};
  std::map<std::uint64_t, unsigned> modified_by_;  // line, core
  std::uint64_t noise_ = 1;
};

// The accesses of the model's program, by addresses that the caller chooses.
struct ModelProgram {
  std::uint64_t false_sharing = 0;  // a line: thread i updates the eight bytes at 8 * i
  std::uint64_t prepared = 0;  // a line: threads 1 and 2 update the word with their number, which thread 0 wrote before
  std::uint64_t summed = 0;    // a line like `prepared`, but thread 3 reads both words at the end
  std::uint64_t true_sharing = 0;   // all threads update the same eight bytes, with locks
  std::uint64_t private_lines = 0;  // thread i updates bytes of line i
  std::uint64_t table = 0;          // all threads read the table
  std::uint64_t table_size = 0;
  std::uint64_t update = 0;  // the code of the updates: loads at +0, stores at +4
  std::uint64_t lookup = 0;  // the code of the reads of the table
};

// The samples of a run: `rounds` of each kind of access by each thread. The same arguments give the same samples.
std::vector<ModelAccess> run_model(const ModelProgram& program, unsigned rounds);

}  // namespace perfsift::test
