#include "tests/support/ibs_recording.h"

#include <array>
#include <random>
#include <string_view>

namespace perfsift::test {
namespace {

namespace bit = reader::sample_bit;
using reader::Feature;
using reader::RecordType;

constexpr std::uint32_t type_of_op = 11, type_of_fetch = 10;
constexpr std::uint64_t ibs_period = 100'000;
constexpr std::uint32_t ibs_attr_size = 128;  // PERF_ATTR_SIZE_VER7: perf 6.1 refuses larger ones
constexpr std::uint64_t ibs_side_band_flags = 1u << 8 | 1u << 9 | 1u << 17 | 1u << 23;  // mmap, comm, mmap_data, mmap2

std::uint64_t fields_of_ibs(bool more) {
  constexpr std::uint64_t usual = bit::identifier | bit::ip | bit::tid | bit::time | bit::cpu | bit::period | bit::raw;
  return more ? usual | bit::addr | bit::weight_struct | bit::data_src | bit::phys_addr : usual;
}

void add_events(RecordingBuilder& in, const IbsMachine& machine) {
  struct Described {
    std::uint32_t type;
    std::uint64_t id;
    std::string_view name;
  };
  constexpr std::array all = {Described{type_of_op, 1, "ibs_op//"}, Described{type_of_fetch, 2, "ibs_fetch//"}};
  BytesBuilder descriptions;
  descriptions.u32(all.size()).u32(ibs_attr_size);
  for (const Described& event : all) {
    constexpr std::uint64_t flags = sample_id_all | ibs_side_band_flags;
    const std::uint64_t fields = fields_of_ibs(machine.fields && event.type == type_of_op);
    in.event(
        {.type = event.type, .sample_period = ibs_period, .sample_type = fields, .flags = flags, .size = ibs_attr_size},
        {event.id});
    descriptions.u32(event.type).u32(ibs_attr_size).u64(0).u64(ibs_period).u64(fields).u64(0).u64(flags);
    descriptions.zeros(ibs_attr_size - 48).u32(1).header_string(event.name).u64(event.id);
  }
  in.feature(Feature::event_description, descriptions);
}

void add_pmus(RecordingBuilder& in, const IbsMachine& machine) {
  BytesBuilder mappings;
  mappings.u32(3).u32(4).header_string("cpu");
  mappings.u32(type_of_fetch).header_string("ibs_fetch");
  in.feature(Feature::pmu_mappings, mappings.u32(type_of_op).header_string("ibs_op"));
  std::vector<std::string_view> names;
  if (machine.zen4) names.emplace_back("zen4_ibs_extensions");
  if (machine.newest) names.insert(names.end(), {"ldlat", "dtlb_pgsize", "rmtsocket", "strmst"});
  BytesBuilder capabilities;
  capabilities.u32(1).u32(static_cast<std::uint32_t>(names.size()));
  for (const std::string_view name : names) capabilities.header_string(name).header_string("1");
  in.feature(Feature::pmu_caps, capabilities.header_string("ibs_op"));
}

// The source of a load's data, by ModelLevel: DataSrc and RmtNode of IBS_OP_DATA2.
struct Source {
  unsigned source = 0;
  bool remote = false;
};
constexpr std::array<Source, 6> coarse = {{{0}, {0}, {2}, {3}, {4}, {3, true}}};
constexpr std::array<Source, 6> fine = {{{0}, {0}, {1}, {3}, {5, true}, {3, true}}};

std::uint64_t flag_at(bool value, unsigned shift) { return std::uint64_t{value ? 1u : 0u} << shift; }

// Random bits, which the model does not define.
class Noise {
 public:
  std::uint64_t bits(unsigned shift, unsigned width) {
    return (random_() & ((std::uint64_t{1} << width) - 1)) << shift;
  }

 private:
  std::mt19937_64 random_{1};
};

IbsOpRegisters registers_of(const IbsMachine& machine, const ModelAccess& access, std::int64_t physical, Noise& noise) {
  IbsOpRegisters result;
  result.control |= (ibs_period >> 4 & 0xffff) | (ibs_period >> 20 << 20) | noise.bits(19, 1) | noise.bits(32, 27);
  if (machine.newest) result.control |= noise.bits(59, 5);
  result.instruction = access.ip;
  result.data = noise.bits(0, 32);
  const Source from = (machine.zen4 ? fine : coarse)[static_cast<std::size_t>(access.level)];
  const bool other_state = access.snoop != ModelSnoop::hitm;
  result.data_2 = (from.source & 7) | flag_at(from.remote, 4) | flag_at(other_state, 5) |
                  std::uint64_t{from.source >> 3} << 6 | noise.bits(8, 2);
  const bool l1_miss = access.level != ModelLevel::l1, l2_miss = l1_miss && access.level != ModelLevel::l2;
  result.data_3 = flag_at(!access.store, 0) | flag_at(access.store, 1) | flag_at(access.tlb_miss, 2) |
                  flag_at(access.tlb_miss, 3) | flag_at(l1_miss, 7) | flag_at(access.locked, 15) |
                  std::uint64_t{3} << 17 | flag_at(l2_miss, 20) | std::uint64_t{4} << 22;
  result.data_3 |= noise.bits(4, 3) | noise.bits(8, 1) | noise.bits(13, 1) | noise.bits(19, 1) | noise.bits(26, 6);
  result.data_3 |= std::uint64_t{access.latency & 0xffff} << 32 | noise.bits(48, 16);
  result.linear = access.address;
  result.physical = access.address + static_cast<std::uint64_t>(physical);
  return result;
}

IbsOpRegisters branch_at(const ModelAccess& access, Noise& noise) {
  IbsOpRegisters result;
  result.instruction = access.ip + 8;
  result.data = noise.bits(0, 32) | noise.bits(34, 3) | flag_at(true, 37) | noise.bits(39, 2);
  result.target = noise.bits(0, 1) * access.ip;
  return result;
}

IbsFetchRegisters fetch_of(const ModelAccess& access, Noise& noise) {
  IbsFetchRegisters result;
  result.control |= noise.bits(0, 48) | noise.bits(50, 12);
  result.linear = access.ip & ~std::uint64_t{15};
  result.physical = result.linear + (std::uint64_t{1} << 32);
  result.extension = noise.bits(0, 63);
  return result;
}

void add_noise(IbsOpRegisters& registers, Noise& noise) {
  for (std::uint64_t* one : {&registers.control, &registers.instruction, &registers.data, &registers.data_2,
                             &registers.data_3, &registers.linear, &registers.physical, &registers.target}) {
    *one ^= noise.bits(0, 63) ^ noise.bits(63, 1);
  }
  registers.control |= IbsOpRegisters{}.control;
}

void add_noise(IbsFetchRegisters& registers, Noise& noise) {
  for (std::uint64_t* one : {&registers.control, &registers.linear, &registers.physical, &registers.extension}) {
    *one ^= noise.bits(0, 63) ^ noise.bits(63, 1);
  }
  registers.control |= IbsFetchRegisters{}.control;
}

BytesBuilder raw_of(std::uint32_t capabilities) { return std::move(BytesBuilder().u32(capabilities)); }

// The fields other than the registers.
struct Fields {
  std::uint64_t address = 0, weight = 0, data_source = 0x1e05080021, physical = 0;
};

// Adds samples, one after the other.
class SampleAdder {
 public:
  SampleAdder(RecordingBuilder& in, const IbsMachine& machine) : in_(in), machine_(machine) {}

  void add(std::uint64_t id, const ModelAccess& access, std::uint64_t ip, Bytes raw, const Fields& fields) {
    const bool more = machine_.fields && id == 1;
    BytesBuilder out;
    out.u64(id).u64(ip).u32(model_process).u32(model_process + 1 + access.thread).u64(time_ += 100);
    if (more) out.u64(fields.address);
    out.u32(access.thread).u32(0).u64(ibs_period).u32(static_cast<std::uint32_t>(raw.size())).bytes(raw);
    if (more) out.u64(fields.weight).u64(fields.data_source).u64(fields.physical);
    in_.record(RecordType::sample, out, user_mode);
  }

 private:
  RecordingBuilder& in_;
  const IbsMachine& machine_;
  std::uint64_t time_ = 1000;
};

// A load that misses the L1 has a latency, and the time from tag to retirement (var2_w).
std::uint64_t weight_of(const ModelAccess& access, const IbsOpRegisters& registers) {
  if (access.store || access.level == ModelLevel::l1) return 0;
  return access.latency | (registers.data >> 16 & 0xffff) << 32;
}

}  // namespace

std::uint32_t IbsMachine::capabilities() const {
  constexpr std::uint32_t of_zen2 = 0x3ff;
  constexpr std::uint32_t op_data_4 = 1u << 10, of_zen4 = 1u << 11, of_zen6 = 1u << 12 | 1u << 16 | 1u << 19;
  return of_zen2 | (zen4 ? of_zen4 : op_data_4) | (newest ? of_zen6 : 0);
}

std::vector<std::byte> ibs_raw(std::uint32_t capabilities, const IbsOpRegisters& registers) {
  BytesBuilder raw = raw_of(capabilities);
  raw.u64(registers.control).u64(registers.instruction).u64(registers.data).u64(registers.data_2);
  raw.u64(registers.data_3).u64(registers.linear).u64(registers.physical);
  if ((capabilities >> 5 & 1) != 0) raw.u64(registers.target);
  if ((capabilities >> 10 & 1) != 0) raw.u64(0);  // IBS_OP_DATA4
  return raw.take();
}

std::vector<std::byte> ibs_raw(std::uint32_t capabilities, const IbsFetchRegisters& registers) {
  BytesBuilder raw = raw_of(capabilities);
  raw.u64(registers.control).u64(registers.linear).u64(registers.physical);
  if ((capabilities >> 9 & 1) != 0) raw.u64(registers.extension);
  return raw.take();
}

std::vector<std::byte> ibs_recording(const IbsMachine& machine, const std::vector<ModelAccess>& accesses,
                                     const std::vector<ModelMapping>& mappings, const MemoryMachine& memory) {
  RecordingBuilder in;
  add_events(in, machine);
  add_pmus(in, machine);
  add_model_machine(in, machine.cpu_id, memory);
  add_model_process(in, mappings);
  SampleAdder samples(in, machine);
  Noise noise;
  unsigned count = 0;
  for (const ModelAccess& access : accesses) {
    IbsOpRegisters registers = registers_of(machine, access, memory.physical, noise);
    const Fields fields{.address = access.address,
                        .weight = weight_of(access, registers),
                        .data_source = data_source_of(machine, access),
                        .physical = registers.physical};
    if (machine.random) add_noise(registers, noise);
    samples.add(1, access, access.ip, ibs_raw(machine.capabilities(), registers), fields);
    if (++count % 8 == 0) {
      const IbsOpRegisters branch = branch_at(access, noise);
      samples.add(1, access, branch.instruction, ibs_raw(machine.capabilities(), branch), {});
    } else if (count % 8 == 4) {
      IbsFetchRegisters fetch = fetch_of(access, noise);
      if (machine.random) add_noise(fetch, noise);
      samples.add(2, access, access.ip, ibs_raw(machine.capabilities(), fetch), {});
    }
  }
  return in.round().file();
}

std::vector<std::byte> ibs_recording_of(const std::string& cpu_id, Bytes raw) {
  const IbsMachine machine{.cpu_id = cpu_id};
  RecordingBuilder in;
  add_events(in, machine);
  add_pmus(in, machine);
  in.feature(Feature::cpu_id, std::move(BytesBuilder().header_string(cpu_id)));
  SampleAdder samples(in, machine);
  BytesBuilder padded;
  padded.bytes(raw).zeros((12 - raw.size() % 8) % 8);  // preceded by the size, padded to a multiple of 8
  for (const std::uint64_t id : {1u, 2u}) samples.add(id, {}, 0x401000, padded.view(), {});
  return in.round().file();
}

// Positions of the parts of union perf_mem_data_src in include/uapi/linux/perf_event.h; values by
// arch/x86/events/amd/ibs.c of Linux 6.17.
std::uint64_t data_source_of(const IbsMachine& machine, const ModelAccess& access) {
  struct Code {
    std::uint64_t level, number, remote, hops;
  };
  constexpr std::uint64_t hit = 2, not_available = 1;
  constexpr std::array<Code, 6> codes = {{{hit | 0x08, 1, 0, 0},
                                          {hit | 0x20, 2, 0, 0},
                                          {hit | 0x40, 3, 0, 0},
                                          {hit | 0x80, 13, 0, 0},
                                          {hit | 0x800, 11, 1, 1},
                                          {hit | 0x100, 13, 1, 1}}};
  Code code = codes[static_cast<std::size_t>(access.level)];
  if (!machine.zen4 && access.level == ModelLevel::l3) code = {hit | 0x40 | 0x400, 11, 0, 0};
  const bool near = access.level == ModelLevel::l1 || access.level == ModelLevel::l2;
  if (access.store && !near) code = {not_available, 15, 0, 0};
  const bool tells_state = access.level == ModelLevel::l3 || (machine.zen4 && access.level == ModelLevel::remote_cache);
  const bool hitm = !access.store && tells_state && access.snoop == ModelSnoop::hitm;
  const std::uint64_t operation = access.store ? 4 : 2;
  const std::uint64_t tlb = access.tlb_miss ? 16 | 4 : 8 | 2;
  return operation | code.level << 5 | std::uint64_t{hitm ? 16u : 1u} << 19 |
         std::uint64_t{access.locked ? 2u : 1u} << 24 | tlb << 26 | code.number << 33 | code.remote << 37 |
         code.hops << 43;
}

}  // namespace perfsift::test
