#include "tests/support/memory_recording.h"

#include <array>
#include <string_view>

#include "tests/support/elf_builder.h"

namespace perfsift::test {
namespace {

namespace bit = reader::sample_bit;
using reader::Feature;
using reader::RecordType;

// Positions of the parts of union perf_mem_data_src in include/uapi/linux/perf_event.h.
constexpr unsigned level_shift = 5, snoop_shift = 19, lock_shift = 24, tlb_shift = 26, number_shift = 33,
                   remote_shift = 37;
constexpr std::uint64_t at(std::uint64_t value, unsigned shift) { return value << shift; }

constexpr std::uint64_t op_load = 2, op_store = 4;
constexpr std::uint64_t level_na = 1, level_hit = 2, level_miss = 4;
// By ModelLevel: mem_lvl, mem_lvl_num, mem_remote.
struct LevelCode {
  std::uint64_t level, number, remote;
};
constexpr std::array<LevelCode, 6> level_codes = {
    {{0x08, 1, 0}, {0x20, 2, 0}, {0x40, 3, 0}, {0x80, 13, 0}, {0x400, 3, 1}, {0x100, 13, 1}}};
constexpr std::array<std::uint64_t, 3> snoop_codes = {2, 4, 16};  // by ModelSnoop
constexpr std::uint64_t snoop_na = 1;
constexpr std::uint64_t tlb_hit = 2 | 8 | 16, tlb_walk = 4 | 32;

struct ModelEvent {
  std::string_view name;
  std::uint64_t config = 0;
  std::uint64_t id = 0;
  std::uint32_t type = 4;  // PERF_TYPE_RAW; PMUs of hybrid machines have other types
};

constexpr std::uint64_t loads = 0x1cd, stores = 0x82d0, auxiliary = 0x8203;
constexpr std::uint32_t type_of_atom = 10, type_of_ibs = 11;

std::vector<ModelEvent> events_of(MemoryPmu pmu) {
  if (pmu == MemoryPmu::amd) return {{"ibs_op//", 0, 1, type_of_ibs}};
  if (pmu == MemoryPmu::hybrid) {
    return {{"cpu_core/mem-loads-aux/", auxiliary, 1},
            {"cpu_core/mem-loads,ldlat=30/", loads, 2},
            {"cpu_core/mem-stores/P", stores, 3},
            {"cpu_atom/mem-loads,ldlat=30/P", loads, 4, type_of_atom},
            {"cpu_atom/mem-stores/P", stores, 5, type_of_atom}};
  }
  return {{"cpu/mem-loads,ldlat=30/P", loads, 1}, {"cpu/mem-stores/P", stores, 2}};
}

// Ids of the hybrid machine.
constexpr std::uint64_t auxiliary_of_big_core = 1, loads_of_big_core = 2;

// On the hybrid machine, the first two cores are big.
std::uint64_t event_of(MemoryPmu pmu, const ModelAccess& access) {
  if (pmu == MemoryPmu::amd) return 1;
  const std::uint64_t is_store = access.store ? 1 : 0;
  if (pmu == MemoryPmu::hybrid) return (access.thread < 2 ? 2 : 4) + is_store;
  return 1 + is_store;
}

constexpr std::uint64_t usual_fields = bit::ip | bit::tid | bit::time | bit::addr | bit::cpu | bit::period |
                                       bit::data_src | bit::transaction | bit::phys_addr | bit::data_page_size |
                                       bit::code_page_size | bit::identifier;

std::uint64_t fields_of(MemoryPmu pmu) {
  return usual_fields | (pmu == MemoryPmu::amd ? bit::weight : bit::weight_struct);
}

constexpr std::uint64_t mmap_flag = 1u << 8, comm_flag = 1u << 9, mmap_data_flag = 1u << 17, mmap2_flag = 1u << 23;
constexpr std::uint64_t precise_ip = 3u << 15;
constexpr std::uint64_t attr_flags = precise_ip | mmap_flag | comm_flag | mmap_data_flag | mmap2_flag | sample_id_all;
constexpr std::uint64_t model_period = 1000;
constexpr std::uint32_t attr_size = 128;  // PERF_ATTR_SIZE_VER7: perf 6.1 refuses larger ones

void add_descriptions(RecordingBuilder& in, MemoryPmu pmu) {
  const std::vector<ModelEvent> events = events_of(pmu);
  BytesBuilder out;
  out.u32(static_cast<std::uint32_t>(events.size())).u32(attr_size);
  for (const ModelEvent& event : events) {
    // type, size, config, sample_period, sample_type, read_format, flags, and the rest of perf_event_attr
    out.u32(event.type).u32(attr_size).u64(event.config).u64(model_period).u64(fields_of(pmu)).u64(0).u64(attr_flags);
    out.zeros(attr_size - 48).u32(1);
    out.header_string(event.name).u64(event.id);
  }
  in.feature(Feature::event_description, out);
}

// The end of records other than samples: {tid, time, cpu, identifier}.
BytesBuilder& add_trailer(BytesBuilder& out, std::int32_t tid) {
  return out.u32(model_process).u32(static_cast<std::uint32_t>(tid)).u64(1).u32(0).u32(0).u64(1);
}

BytesBuilder sample_of(MemoryPmu pmu, std::uint64_t event, const ModelAccess& access, std::uint64_t time,
                       const MemoryMachine& machine) {
  constexpr std::uint64_t page_size = 4096, issue_cycles = 10, retire_cycles = 2;
  // By thread. PERF_TXN_*: no transaction, a running one, an elided lock with the code of an abort, and another abort.
  constexpr std::uint64_t transactions[] = {0, 2, 0x2a00000065, 0x9a};
  constexpr std::uint64_t code_pages[] = {2 << 20, 2 << 20, 4096, 4096};
  BytesBuilder out;
  out.u64(event).u64(access.ip).u32(model_process).u32(model_process + 1 + access.thread).u64(time);
  out.u64(access.address).u32(access.thread).u32(0).u64(model_period);
  if (pmu == MemoryPmu::amd) {  // the latency of a miss of the L1
    out.u64(access.level == ModelLevel::l1 ? 0 : access.latency);
  } else {
    out.u64(access.latency | (access.latency + issue_cycles) << 32 | retire_cycles << 48);
  }
  out.u64(data_source_of(pmu, access)).u64(transactions[access.thread]);
  out.u64(access.address + static_cast<std::uint64_t>(machine.physical)).u64(page_size);
  return std::move(out.u64(code_pages[access.thread]));
}

}  // namespace

void add_model_machine(RecordingBuilder& in, std::string_view cpu_id, const MemoryMachine& machine) {
  BytesBuilder arch, cpu, cores, numa, memory;
  in.feature(Feature::arch, arch.header_string("x86_64"));
  in.feature(Feature::cpu_id, cpu.header_string(cpu_id));
  in.feature(Feature::nr_cpus, BytesBuilder().u32(MemoryModel::threads).u32(MemoryModel::threads));
  // perf expects all strings to have the length that perf record writes (string_size() in tools/perf/util/header.c).
  const auto add_cpus = [&](std::string_view list) {
    constexpr std::uint32_t name_size = 64;
    cores.u32(name_size).text(list).zeros(name_size - list.size());
  };
  cores.u32(2);
  for (const char* const siblings : {"0-1", "2-3"}) add_cpus(siblings);
  cores.u32(MemoryModel::threads);
  for (const char* const alone : {"0", "1", "2", "3"}) add_cpus(alone);
  for (std::uint32_t i = 0; i < MemoryModel::threads; ++i) cores.u32(i % 2).u32(i / 2);
  in.feature(Feature::cpu_topology, cores);
  numa.u32(2);
  numa.u32(0).u64(1 << 20).u64(1 << 19);
  numa.header_string("0-1");
  numa.u32(1).u64(1 << 20).u64(1 << 19);
  in.feature(Feature::numa_topology, numa.header_string("2-3"));
  // version, size of a block, nodes; for each: node, size, bits, words
  constexpr std::uint64_t words = 4;
  const std::uint64_t block = machine.node_1;
  memory.u64(1).u64(block).u64(2);
  memory.u64(0).u64(words * 64).u64(words * 64).u64(1);
  memory.zeros((words - 1) * 8);
  memory.u64(1).u64(words * 64).u64(words * 64).u64(~std::uint64_t{1});
  for (std::uint64_t i = 1; i < words; ++i) memory.u64(~std::uint64_t{0});
  in.feature(Feature::memory_topology, memory);
}

void add_model_process(RecordingBuilder& in, const std::vector<ModelMapping>& mappings) {
  BytesBuilder comm;
  comm.u32(model_process).u32(model_process).padded("model");
  in.record(RecordType::comm, add_trailer(comm, model_process), 1u << 13);
  for (const ModelMapping& mapping : mappings) {
    constexpr std::uint32_t executable = 4, is_private = 2;
    BytesBuilder out;
    out.u32(model_process).u32(model_process).u64(mapping.start).u64(mapping.size).u64(mapping.offset);
    out.u32(0).u32(0).u64(0).u64(0).u32(mapping.protection).u32(is_private).padded(mapping.path);
    const bool is_data = (mapping.protection & executable) == 0;
    in.record(RecordType::mmap2, add_trailer(out, model_process),
              static_cast<std::uint16_t>(user_mode | (is_data ? 1u << 13 : 0)));
  }
  for (unsigned thread = 0; thread < MemoryModel::threads; ++thread) {
    const std::uint32_t tid = model_process + 1 + thread;
    BytesBuilder fork;
    fork.u32(model_process).u32(model_process).u32(tid).u32(model_process).u64(1);
    in.record(RecordType::fork, add_trailer(fork, model_process));
  }
}

std::uint64_t data_source_of(MemoryPmu pmu, const ModelAccess& access) {
  const LevelCode& code = level_codes[static_cast<std::size_t>(access.level)];
  std::uint64_t source = access.store ? op_store : op_load;
  if (access.locked) source |= at(2, lock_shift);
  source |= at(access.tlb_miss ? tlb_walk : tlb_hit, tlb_shift);
  // A store says only whether it hit the L1.
  if (access.store) {
    source |= at(snoop_na, snoop_shift);
    const bool hit = access.level == ModelLevel::l1;
    if (pmu == MemoryPmu::amd) return source | at(level_na, level_shift);
    return source | at(level_codes[0].level | (hit ? level_hit : level_miss), level_shift);
  }
  source |= at(snoop_codes[static_cast<std::size_t>(access.snoop)], snoop_shift);
  if (pmu == MemoryPmu::amd) return source | at(code.level | level_hit, level_shift);
  source |= at(code.number, number_shift) | at(code.remote, remote_shift);
  return source | at(level_hit | (pmu == MemoryPmu::numbers_only ? 0 : code.level), level_shift);
}

std::vector<std::byte> ModelFile::image() {
  struct Symbol {
    std::string_view name;
    std::uint64_t address = 0, size = 0;
    std::uint8_t type = STT_OBJECT;
    std::uint16_t section = 2;  // .data
  };
  const Symbol all[] = {{"update", text, 0x100, STT_FUNC, 1},
                        {"lookup", text + 0x100, 0x100, STT_FUNC, 1},
                        {"counters", counters, 0x40},
                        {"total", total, 8},
                        {"scratch", scratch, 0x100},
                        {"prepared", prepared, 0x40},
                        {"summed", summed, 0x40},
                        {"table", table, table_size}};
  BytesBuilder names, symbols;
  names.zeros(1);
  symbols.zeros(sizeof(Elf64_Sym));
  for (const Symbol& symbol : all) {
    symbols.u32(static_cast<std::uint32_t>(names.size()));
    symbols.u8(ELF64_ST_INFO(STB_GLOBAL, symbol.type)).u8(0).u16(symbol.section).u64(symbol.address).u64(symbol.size);
    names.text(symbol.name).zeros(1);
  }
  constexpr std::uint32_t strtab = 5;
  const std::vector<std::byte> zeros(page);
  ElfBuilder elf(EM_X86_64, ET_EXEC);
  elf.segment({.p_type = PT_LOAD,
               .p_flags = PF_R | PF_X,
               .p_offset = page,
               .p_vaddr = text,
               .p_paddr = text,
               .p_filesz = page,
               .p_memsz = page,
               .p_align = page});
  elf.segment({.p_type = PT_LOAD,
               .p_flags = PF_R | PF_W,
               .p_offset = 2 * page,
               .p_vaddr = data,
               .p_paddr = data,
               .p_filesz = page,
               .p_memsz = page + table_size,
               .p_align = page});
  elf.section(".text", zeros, {.flags = SHF_ALLOC | SHF_EXECINSTR, .address = text, .offset = page});
  elf.section(".data", zeros, {.flags = SHF_ALLOC | SHF_WRITE, .address = data, .offset = 2 * page});
  elf.section(".bss", {}, {.type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_WRITE, .address = table, .size = table_size});
  elf.section(".symtab", symbols.view(), {.type = SHT_SYMTAB, .link = strtab, .entry_size = sizeof(Elf64_Sym)});
  elf.section(".strtab", names.view(), {.type = SHT_STRTAB});
  return elf.take();
}

ModelProgram ModelFile::program() {
  return {.false_sharing = counters,
          .prepared = prepared,
          .summed = summed,
          .true_sharing = total,
          .private_lines = scratch,
          .table = table,
          .table_size = table_size,
          .update = text + 0x10,
          .lookup = text + 0x110};
}

std::vector<ModelMapping> ModelFile::mappings(const std::string& path, bool bss_in_file) {
  constexpr std::uint32_t read = 1, write = 2, execute = 4;
  const std::uint64_t in_file = bss_in_file ? page + table_size : page;
  std::vector<ModelMapping> mappings = {
      {.start = text, .size = page, .offset = page, .protection = read | execute, .path = path},
      {.start = data, .size = in_file, .offset = 2 * page, .protection = read | write, .path = path}};
  if (!bss_in_file) {
    mappings.push_back({.start = table, .size = table_size, .protection = read | write, .path = "//anon"});
  }
  return mappings;
}

MemoryMachine ModelFile::machine() {
  constexpr std::uint64_t gigabyte = 1 << 30;
  const std::uint64_t end_of_node_0 = table + table_size / 2;
  return {.physical = static_cast<std::int64_t>(gigabyte - end_of_node_0), .node_1 = gigabyte};
}

std::vector<std::byte> memory_recording(MemoryPmu pmu, const std::vector<ModelAccess>& accesses,
                                        const std::vector<ModelMapping>& mappings, const MemoryMachine& machine) {
  RecordingBuilder in;
  for (const ModelEvent& event : events_of(pmu)) {
    in.event({.type = event.type,
              .config = event.config,
              .sample_period = model_period,
              .sample_type = fields_of(pmu),
              .flags = attr_flags,
              .size = attr_size},
             {event.id});
  }
  add_descriptions(in, pmu);
  add_model_machine(in, pmu == MemoryPmu::amd ? "AuthenticAMD,25,1,1" : "GenuineIntel,6,85,7", machine);
  add_model_process(in, mappings);
  std::uint64_t time = 1000;
  for (const ModelAccess& access : accesses) {
    const std::uint64_t event = event_of(pmu, access);
    if (pmu == MemoryPmu::hybrid && event == loads_of_big_core) {
      in.record(RecordType::sample, sample_of(pmu, auxiliary_of_big_core, access, time, machine), user_mode);
    }
    in.record(RecordType::sample, sample_of(pmu, event, access, time, machine), user_mode);
    time += 100;
  }
  return in.round().file();
}

}  // namespace perfsift::test
