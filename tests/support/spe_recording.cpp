#include "tests/support/spe_recording.h"

#include <random>
#include <string_view>

#include "reader/auxtrace/counter_clock.h"

namespace perfsift::test {
namespace {

namespace bit = reader::sample_bit;
using reader::Feature;
using reader::RecordType;

constexpr std::uint64_t side_band_flags = 1u << 8 | 1u << 9 | 1u << 23;  // mmap, comm, mmap2
constexpr std::uint64_t context_switch_flag = 1u << 26;
constexpr std::uint32_t size_of_attr = 128;  // perf 6.1 refuses larger ones
constexpr std::uint64_t dummy_event = 9;     // PERF_COUNT_SW_DUMMY

std::uint64_t traced_fields(const SpeMachine& machine) {
  const std::uint64_t usual =
      bit::ip | bit::tid | bit::identifier | bit::addr | bit::phys_addr | bit::data_src | bit::weight | bit::period;
  return machine.timed ? usual | bit::time | bit::cpu : usual;
}

void add_events(RecordingBuilder& in, const SpeMachine& machine) {
  struct Described {
    std::uint32_t type;
    std::uint64_t config, flags, id;
    std::string_view name;
  };
  const Described all[] = {
      {SpeMachine::pmu_type, 0x7, sample_id_all, 1, "arm_spe_0/ts_enable=1,load_filter=1/"},
      {reader::event_type::software, dummy_event,
       sample_id_all | side_band_flags | (machine.contexts ? 0 : context_switch_flag), 2, "dummy:u"}};
  BytesBuilder descriptions;
  descriptions.u32(2).u32(size_of_attr);
  for (const Described& event : all) {
    in.event({.type = event.type,
              .config = event.config,
              .sample_period = 1024,
              .sample_type = traced_fields(machine),
              .flags = event.flags,
              .size = size_of_attr},
             {event.id});
    descriptions.u32(event.type).u32(size_of_attr).u64(event.config).u64(1024).u64(traced_fields(machine)).u64(0);
    descriptions.u64(event.flags).zeros(size_of_attr - 48).u32(1);
    descriptions.header_string(event.name).u64(event.id);
  }
  in.feature(Feature::event_description, descriptions);
}

// The end of records other than samples.
BytesBuilder& add_trailer(BytesBuilder& out, const SpeMachine& machine, std::uint64_t time, std::uint32_t tid,
                          std::uint32_t cpu) {
  out.u32(SpeMachine::process).u32(tid);
  if (machine.timed) out.u64(time).u32(cpu).u32(0);
  return out.u64(2);
}

void add_process(RecordingBuilder& in, const SpeMachine& machine) {
  constexpr std::uint32_t process = SpeMachine::process;
  constexpr std::uint16_t exec = 1u << 13;
  BytesBuilder comm, mapping;
  in.record(RecordType::comm,
            add_trailer(comm.u32(process).u32(process).padded("traced"), machine, SpeMachine::zero, process, 0), exec);
  mapping.u32(process).u32(process).u64(0x400000).u64(0x100000).u64(0).u32(0).u32(0).u64(0).u64(0);
  mapping.u32(5).u32(2).padded("/traced");
  in.record(RecordType::mmap2, add_trailer(mapping, machine, SpeMachine::zero, process, 0), user_mode);
  for (unsigned cpu = 0; cpu < SpeMachine::cpus; ++cpu) {
    BytesBuilder fork;
    fork.u32(process).u32(process).u32(process + 1 + cpu).u32(process).u64(SpeMachine::zero);
    in.record(RecordType::fork, add_trailer(fork, machine, SpeMachine::zero, process, cpu));
  }
}

// struct perf_record_auxtrace_info: the words of tools/perf/util/arm-spe.h.
void announce_trace(RecordingBuilder& in, const SpeMachine& machine) {
  BytesBuilder info;
  info.u32(4).u32(0);  // PERF_AUXTRACE_ARM_SPE
  if (!machine.describes_cpus) {
    info.u64(SpeMachine::pmu_type).u64(machine.timed ? 1 : 0);
  } else {
    constexpr std::uint64_t magic = 0x1010101010101010, snooped = 1u << 23;
    info.u64(2).u64(4).u64(SpeMachine::pmu_type).u64(SpeMachine::cpus);
    for (unsigned cpu = 0; cpu < SpeMachine::cpus; ++cpu) {
      info.u64(magic).u64(cpu).u64(4).u64(SpeMachine::midr[cpu]).u64(SpeMachine::pmu_type).u64(1024);
      info.u64(cpu == 2 ? snooped : 0);
    }
  }
  in.record(RecordType::auxtrace_info, info);
}

void switch_to(RecordingBuilder& in, const SpeMachine& machine, std::uint64_t time, unsigned cpu, std::uint32_t tid) {
  constexpr std::uint16_t out = 1u << 13;
  BytesBuilder change;
  change.u32(SpeMachine::process).u32(tid);
  in.record(RecordType::switch_cpu_wide, add_trailer(change, machine, time, 0, cpu), out);
}

}  // namespace

SpePacketWriter& SpePacketWriter::sized(unsigned header, std::uint64_t payload, unsigned size) {
  switch (size) {
    case 1:
      return u8(header).u8(static_cast<unsigned>(payload));
    case 2:
      return u8(header + 0x10).u16(static_cast<std::uint16_t>(payload));
    case 4:
      return u8(header + 0x20).u32(static_cast<std::uint32_t>(payload));
    default:
      return u8(header + 0x30).u64(payload);
  }
}

RecordingBuilder spe_machine(const SpeMachine& machine) {
  RecordingBuilder in;
  BytesBuilder arch, cpu;
  in.feature(Feature::arch, arch.header_string("aarch64"));
  in.feature(Feature::cpu_id, cpu.header_string("0x00000000413fd0c1"));
  in.feature(Feature::nr_cpus, BytesBuilder().u32(SpeMachine::cpus).u32(SpeMachine::cpus));
  add_events(in, machine);
  BytesBuilder conversion;
  conversion.u64(SpeMachine::shift).u64(SpeMachine::multiplier).u64(SpeMachine::zero);
  in.record(RecordType::time_conv, conversion.u64(0).u64(0).u8(1).u8(0).zeros(6));
  announce_trace(in, machine);
  add_process(in, machine);
  return in;
}

RecordingBuilder& add_spe_piece(RecordingBuilder& in, const SpeMachine& machine, unsigned cpu, Bytes data,
                                std::uint64_t offset) {
  constexpr std::uint32_t none = ~0u;
  BytesBuilder about;
  about.u64(data.size()).u64(offset).u64(0).u32(cpu).u32(machine.timed ? none : SpeMachine::process + 1 + cpu);
  about.u32(machine.timed ? cpu : none).u32(0);
  return in.record_and_data(RecordType::auxtrace, about, data);
}

std::vector<std::byte> random_spe_trace(const SpeMachine& machine, unsigned cpu, std::uint64_t first,
                                        unsigned records) {
  std::mt19937_64 random(cpu * 1000 + first);
  constexpr std::uint64_t non_secure = std::uint64_t{1} << 63;
  constexpr unsigned sizes[] = {1, 2, 4, 8};
  constexpr std::uint64_t kernel = 0x00ff800010000000, user = 0x400000, range = 0xfffff;
  SpePacketWriter out;
  std::uint64_t counter = first;
  for (unsigned i = 0; i < records; ++i) {
    const std::uint64_t level = random() % 3, base = level == 0 ? user : kernel;
    out.address(0, (base + (random() & range & ~3u)) | level << 61 | non_secure);
    if (machine.contexts) out.context(SpeMachine::process + 1 + (cpu + random() % 2) % SpeMachine::cpus);
    const auto kind = static_cast<unsigned>(random() % 3);
    // perf 7.2 treats calls and returns as vector operations, so there are none.
    constexpr std::uint64_t neither_call_nor_return = 0xe7;
    out.operation(kind, static_cast<unsigned>(random() & (kind == 2 ? neither_call_nor_return : 0xff)));
    if (kind == 2) out.address(1, (base + (random() & range)) | level << 61 | non_secure);
    if (kind == 1) out.address(2, (random() & 0xff00ffffffffffff) | (random() % 2 != 0 ? 0x00f0000000000000 : 0));
    if (kind == 1 && random() % 2 != 0) out.address(3, random());
    if (random() % 4 == 0) out.address(4, base | non_secure);
    const unsigned size = sizes[random() % 4];
    out.events(random() & random(), size);
    out.counter(1, static_cast<std::uint16_t>(random())).counter(0, static_cast<std::uint16_t>(random() % 4096));
    if (random() % 2 != 0) out.counter(2, static_cast<std::uint16_t>(random()));
    if (random() % 8 == 0) out.counter(9, 77);  // perf does not use this counter
    if (random() % 4 != 0) out.data_source(random() % 20, sizes[random() % 2]);
    // No two CPUs have records with equal times: perf does not define their order.
    counter = counter / SpeMachine::cpus * SpeMachine::cpus + (random() % 50 + 1) * SpeMachine::cpus + cpu;
    if (machine.timed && (i == 0 || random() % 16 != 0)) {
      out.timestamp(counter);
    } else {
      out.end();
    }
    out.padding(random() % 8);
  }
  return out.take();
}

std::vector<std::byte> spe_recording(const SpeMachine& machine, unsigned records_of_cpu) {
  RecordingBuilder in = spe_machine(machine);
  const reader::CounterClock clock(
      {.shift = SpeMachine::shift, .multiplier = SpeMachine::multiplier, .zero = SpeMachine::zero});
  constexpr unsigned pieces = 3;
  constexpr std::uint64_t start = 1'000'000, most_ticks = 200;  // of a record
  for (unsigned piece = 0; piece < pieces; ++piece) {
    const std::uint64_t first = start + piece * (records_of_cpu + 2) * most_ticks;
    for (unsigned cpu = 0; cpu < SpeMachine::cpus; ++cpu) {
      for (unsigned i = 0; i < 10 && !machine.contexts; ++i) {
        const std::uint64_t time = clock.time(first + i * records_of_cpu * most_ticks / 20);
        switch_to(in, machine, time, cpu, SpeMachine::process + 1 + (cpu + i) % SpeMachine::cpus);
      }
      add_spe_piece(in, machine, cpu, random_spe_trace(machine, cpu, first, records_of_cpu));
    }
    in.round();
  }
  return in.file();
}

}  // namespace perfsift::test
