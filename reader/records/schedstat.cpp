#include "reader/records/schedstat.h"

namespace perfsift::reader {

namespace {

bool layout_is_known(std::uint16_t version) { return version >= 15 && version <= 17; }

SchedstatDomain::LoadBalance read_load_balance(ByteReader& in, std::uint16_t version) {
  SchedstatDomain::LoadBalance balance{.calls = in.u32(), .balanced = in.u32(), .failed = in.u32()};
  balance.imbalance_load = in.u32();
  if (version >= 17) {
    balance.imbalance_utilization = in.u32();
    balance.imbalance_tasks = in.u32();
    balance.imbalance_misfit = in.u32();
  }
  balance.gained = in.u32();
  balance.gained_hot = in.u32();
  balance.no_busier_queue = in.u32();
  balance.no_busier_group = in.u32();
  return balance;
}

SchedstatDomain::TaskBalance read_task_balance(ByteReader& in) {
  return {.calls = in.u32(), .balanced = in.u32(), .pushed = in.u32()};
}

}  // namespace

std::optional<SchedstatCpu> decode_schedstat_cpu(const Record& record) {
  auto in = record.reader();
  SchedstatCpu stat{.time = in.u64(), .cpu = in.u32(), .version = in.u16()};
  if (!layout_is_known(stat.version)) return std::nullopt;
  in.skip(2);
  stat.yields = in.u32();
  stat.array_expired = in.u32();
  stat.schedules = in.u32();
  stat.schedules_idle = in.u32();
  stat.wakeups = in.u32();
  stat.wakeups_local = in.u32();
  stat.run_time = in.u64();
  stat.wait_time = in.u64();
  stat.timeslices = in.u64();
  return in.ok() ? std::optional(stat) : std::nullopt;
}

std::optional<SchedstatDomain> decode_schedstat_domain(const Record& record) {
  auto in = record.reader();
  SchedstatDomain stat{.time = in.u64(), .cpu = in.u32(), .version = in.u16(), .domain = in.u16()};
  if (!layout_is_known(stat.version)) return std::nullopt;
  // Version 16 changed the order (enum cpu_idle_type in the kernel).
  auto& first = stat.version == 15 ? stat.idle : stat.busy;
  auto& second = stat.version == 15 ? stat.busy : stat.idle;
  first = read_load_balance(in, stat.version);
  second = read_load_balance(in, stat.version);
  stat.newly_idle = read_load_balance(in, stat.version);
  stat.active = {.calls = in.u32(), .failed = in.u32(), .pushed = in.u32()};
  stat.exec = read_task_balance(in);
  stat.fork = read_task_balance(in);
  stat.wakeups_remote = in.u32();
  stat.wakeups_moved_affine = in.u32();
  stat.wakeups_moved_balance = in.u32();
  return in.ok() ? std::optional(stat) : std::nullopt;
}

}  // namespace perfsift::reader
