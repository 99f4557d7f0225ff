// Loads and stores of one loop by the level that served them; without a PMU, its page faults: own_memory
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <perfsift/all.h>

namespace {

// The best that this machine has: only a PMU knows levels.
perfsift::Sampler memory_sampler() try {
  return perfsift::Sampler({.preset = "mem", .ring_bytes = 8 << 20});
} catch (const perfsift::Error& error) {
  std::fprintf(stderr, "%s\nPage faults are shown instead.\n", error.what());
  return perfsift::Sampler({.preset = "faults", .ring_bytes = 8 << 20});
}

// The names of perfsift::MemoryLevel, in its order.
const char* const levels[] = {
    "page fault", "L1",  "L2",         "L3",  "L4",  "line fill buffer", "miss buffer", "memory-side cache",
    "any cache",  "RAM", "persistent", "CXL", "I/O", "uncached"};

std::string row_of(const perfsift::MemoryAccess& access) {
  const char* operation = access.operation == perfsift::MemoryOperation::store  ? "store"
                          : access.operation == perfsift::MemoryOperation::load ? "load"
                                                                                : "access";
  return std::string(operation) + " " + (access.remote ? "remote " : "") + levels[static_cast<int>(access.level)];
}

}  // namespace

int main() try {
  perfsift::Sampler sampler = memory_sampler();
  std::vector<unsigned>* numbers = nullptr;
  {
    const perfsift::SamplingScope scope(sampler);
    numbers = new std::vector<unsigned>(1 << 22);
    for (std::size_t i = 0; i < numbers->size(); ++i) (*numbers)[i * 2654435761U % numbers->size()] += 1;
  }
  const auto first = reinterpret_cast<std::uint64_t>(numbers->data());
  const std::uint64_t bytes = numbers->size() * sizeof(unsigned);
  std::map<std::string, unsigned long> rows;
  for (const perfsift::LiveSample& sample : sampler.take()) {
    if (sample.address - first < bytes) ++rows[row_of(perfsift::memory_access(sample))];
  }
  for (const auto& [row, count] : rows) std::printf("%s,%lu\n", row.c_str(), count);
  if (sampler.lost() != 0) std::fprintf(stderr, "%lu samples were lost\n", sampler.lost());
  delete numbers;
} catch (const perfsift::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
