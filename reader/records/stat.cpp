#include "reader/records/stat.h"

#include "reader/format/counted_list.h"

namespace perfsift::reader {

namespace {

// PERF_CPU_MAP__*
constexpr std::uint16_t list_encoding = 0, mask_encoding = 1, range_encoding = 2;

std::vector<std::int32_t> read_cpu_list(ByteReader& in) {
  return read_list(in, in.u16(), [](ByteReader& cpu) -> std::int32_t {
    return static_cast<std::int16_t>(cpu.u16());  // 65535 is the -1 of the writer
  });
}

// Words of 32 or 64 bits, like the writer's `long`. Words of 64 bits come after four bytes of padding, and are
// nevertheless not aligned, because the struct is packed.
std::vector<std::int32_t> read_cpu_mask(ByteReader& in) {
  const std::uint16_t words = in.u16();
  const std::uint16_t word_size = in.u16();
  if (word_size != 4 && word_size != 8) in.fail();
  if (word_size == 8) in.skip(4);

  std::vector<std::int32_t> cpus;
  for (std::int32_t word = 0; word < words && in.ok(); ++word) {
    const std::uint64_t mask = word_size == 8 ? in.u64() : in.u32();
    for (std::int32_t bit = 0; bit < word_size * 8; ++bit)
      if ((mask >> bit & 1) != 0) cpus.push_back(word * word_size * 8 + bit);
  }
  return cpus;
}

std::vector<std::int32_t> read_cpu_range(ByteReader& in) {
  const bool any = in.u8() != 0;
  in.skip(1);
  const std::int32_t first = in.u16(), last = in.u16();
  if (last < first) in.fail();

  std::vector<std::int32_t> cpus;
  if (any) cpus.push_back(-1);
  for (std::int32_t cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  return cpus;
}

}  // namespace

CpuMap read_cpu_map(ByteReader& in) {
  switch (in.u16()) {
    case list_encoding:
      return {read_cpu_list(in)};
    case mask_encoding:
      return {read_cpu_mask(in)};
    case range_encoding:
      return {read_cpu_range(in)};
    default:
      in.fail();
      return {};
  }
}

std::optional<CpuMap> decode_cpu_map(const Record& record) {
  auto in = record.reader();
  auto map = read_cpu_map(in);
  return in.ok() ? std::optional(std::move(map)) : std::nullopt;
}

std::optional<ThreadMap> decode_thread_map(const Record& record) {
  auto in = record.reader();
  ThreadMap map;
  map.threads = read_list(in, in.u64(), [](ByteReader& thread) {
    return ThreadMap::Thread{.tid = static_cast<std::int32_t>(thread.u64()), .comm = c_string(thread.bytes(16))};
  });
  return in.ok() ? std::optional(std::move(map)) : std::nullopt;
}

std::optional<StatConfig> decode_stat_config(const Record& record) {
  auto in = record.reader();
  StatConfig config;
  config.terms = read_list(in, in.u64(),
                           [](ByteReader& term) { return StatConfig::Term{.tag = term.u64(), .value = term.u64()}; });
  return in.ok() ? std::optional(std::move(config)) : std::nullopt;
}

std::optional<Stat> decode_stat(const Record& record) {
  auto in = record.reader();
  const Stat stat{
      .id = in.u64(),
      .cpu = in.i32(),
      .thread = in.i32(),
      .value = in.u64(),
      .time_enabled = in.u64(),
      .time_running = in.u64(),
  };
  return in.ok() ? std::optional(stat) : std::nullopt;
}

std::optional<StatRound> decode_stat_round(const Record& record) {
  auto in = record.reader();
  const StatRound round{.kind = static_cast<StatRound::Kind>(in.u64()), .time = in.u64()};
  return in.ok() ? std::optional(round) : std::nullopt;
}

namespace {

// perf_output_read_group() in kernel/events/core.c.
void read_group(ByteReader& in, std::uint64_t format, Read& read) {
  const std::uint64_t members = in.u64();
  if ((format & read_format::total_time_enabled) != 0) read.time_enabled = in.u64();
  if ((format & read_format::total_time_running) != 0) read.time_running = in.u64();
  read.counters = read_list(in, members, [format](ByteReader& member) {
    ReadValue counter{.value = member.u64()};
    if ((format & read_format::id) != 0) counter.id = member.u64();
    if ((format & read_format::lost) != 0) counter.lost = member.u64();
    return counter;
  });
}

// perf_output_read_one(): the times are between the value and its id.
void read_one(ByteReader& in, std::uint64_t format, Read& read) {
  ReadValue counter{.value = in.u64()};
  if ((format & read_format::total_time_enabled) != 0) read.time_enabled = in.u64();
  if ((format & read_format::total_time_running) != 0) read.time_running = in.u64();
  if ((format & read_format::id) != 0) counter.id = in.u64();
  if ((format & read_format::lost) != 0) counter.lost = in.u64();
  read.counters.push_back(counter);
}

}  // namespace

std::optional<Read> decode_read(const Record& record, std::uint64_t format) {
  auto in = record.reader();
  Read read{.pid = in.i32(), .tid = in.i32()};
  ((format & read_format::group) != 0 ? read_group : read_one)(in, format, read);
  return in.ok() ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace perfsift::reader
