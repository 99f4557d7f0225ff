#include "tests/support/memory_model.h"

#include <random>

namespace perfsift::test {

void MemoryModel::Cache::use(std::uint64_t line) {
  drop(line);
  used_[line] = ++time_;
  by_time_[time_] = line;
  if (used_.size() > lines_) drop(by_time_.begin()->second);
}

void MemoryModel::Cache::drop(std::uint64_t line) {
  const auto found = used_.find(line);
  if (found == used_.end()) return;
  by_time_.erase(found->second);
  used_.erase(found);
}

ModelAccess MemoryModel::access(ModelAccess access) {
  const std::uint64_t line = access.address / line_size;
  Core& core = cores_[access.thread];
  access.tlb_miss = !core.tlb.contains(access.address / page_size);
  core.tlb.use(access.address / page_size);
  find(access, line);
  if (access.store) {
    for (Core& other : cores_) {
      if (&other != &core) other.l1.drop(line), other.l2.drop(line);
    }
    l3_[1 - node_of_core(access.thread)].drop(line);
    modified_by_[line] = access.thread;
  } else if (access.snoop == ModelSnoop::hitm) {
    modified_by_.erase(line);  // written back
  }
  core.l1.use(line);
  core.l2.use(line);
  l3_[node_of_core(access.thread)].use(line);
  access.latency = access.store ? 0 : latency_of(access);
  return access;
}

void MemoryModel::find(ModelAccess& access, std::uint64_t line) {
  const unsigned node = node_of_core(access.thread);
  const auto modified = modified_by_.find(line);
  if (modified != modified_by_.end() && modified->second != access.thread) {
    access.level = node_of_core(modified->second) == node ? ModelLevel::l3 : ModelLevel::remote_cache;
    access.snoop = ModelSnoop::hitm;
  } else if (cores_[access.thread].l1.contains(line)) {
    access.level = ModelLevel::l1;
  } else if (cores_[access.thread].l2.contains(line)) {
    access.level = ModelLevel::l2;
  } else if (l3_[node].contains(line)) {
    access.level = ModelLevel::l3;
  } else if (l3_[1 - node].contains(line)) {
    access.level = ModelLevel::remote_cache;
    access.snoop = ModelSnoop::hit;
  } else {
    access.level = node_of(access.address) == node ? ModelLevel::local_ram : ModelLevel::remote_ram;
  }
}

unsigned MemoryModel::latency_of(const ModelAccess& access) {
  // PEBS also counts the time that a load waited for execution, so a hit may take as long as ldlat requires.
  constexpr unsigned least = 30;  // ldlat
  constexpr std::array<unsigned, 6> usual = {least + 2, least + 10, least + 50, 250, 350, 500};
  noise_ = noise_ * 6364136223846793005u + 1442695040888963407u;
  const unsigned base = usual[static_cast<std::size_t>(access.level)];
  const auto noise = static_cast<unsigned>(noise_ >> 40) % (base / 4 + 1);
  const unsigned walk = access.tlb_miss ? 30 : 0;
  return base + noise + walk + (access.snoop == ModelSnoop::hitm ? base : 0);
}

std::vector<ModelAccess> run_model(const ModelProgram& program, unsigned rounds) {
  constexpr std::uint64_t word = 8, line = 64;
  MemoryModel model(program.table + program.table_size / 2);
  std::mt19937 random(1);
  std::vector<ModelAccess> samples;
  const auto update = [&](unsigned thread, std::uint64_t address, bool locked, bool loads = true) {
    if (loads) {
      samples.push_back(
          model.access({.thread = thread, .ip = program.update, .address = address, .store = false, .locked = locked}));
    }
    samples.push_back(model.access(
        {.thread = thread, .ip = program.update + 4, .address = address, .store = true, .locked = locked}));
  };
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned thread = 0; thread < MemoryModel::threads; ++thread) {
      // A store without a load before it misses the L1, because another thread has the line.
      const bool loads = round % 5 != 0;
      update(thread, program.false_sharing + word * thread, false, loads);
      if (round % 3 == 0) update(thread, program.true_sharing, true);
      if (round == 0 && thread == 0) {
        for (const std::uint64_t i : {1, 2}) update(thread, program.prepared + word * i, false, false);
      }
      if (thread == 1 || thread == 2) {
        for (const std::uint64_t counters : {program.prepared, program.summed})
          update(thread, counters + word * thread, false);
      }
      update(thread, program.private_lines + line * thread + word * (random() % 4), false);
      const std::uint64_t index = random() % (program.table_size / word);
      samples.push_back(
          model.access({.thread = thread, .ip = program.lookup, .address = program.table + word * index}));
    }
  }
  for (const std::uint64_t i : {1, 2}) {
    samples.push_back(model.access({.thread = 3, .ip = program.lookup, .address = program.summed + word * i}));
  }
  return samples;
}

}  // namespace perfsift::test
