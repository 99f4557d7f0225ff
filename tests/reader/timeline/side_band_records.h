// Feeds a Timeline with records in the layouts of the kernel and perf, one after the other in time.
#pragma once

#include <string_view>

#include "reader/timeline/timeline.h"
#include "tests/support/bytes.h"

namespace perfsift::test {

inline constexpr std::uint32_t exec_protection = 5;  // PROT_READ | PROT_EXEC
inline constexpr std::uint32_t data_protection = 3;  // PROT_READ | PROT_WRITE

class TimelineRecords {
 public:
  explicit TimelineRecords(reader::TimelineRules rules = {}) : timeline(rules) {}

  bool apply(reader::RecordType type, std::uint16_t misc, const BytesBuilder& payload) {
    now.time += 10;
    ++now.position;
    return apply_at(now, type, misc, payload);
  }
  bool apply_at(reader::Moment moment, reader::RecordType type, std::uint16_t misc, const BytesBuilder& payload) {
    const reader::Record record{.header = {.type = type, .misc = misc}, .payload = payload.view()};
    return timeline.apply(record, moment);
  }

  bool comm(std::uint32_t pid, std::uint32_t tid, std::string_view name, std::uint16_t misc = 2) {
    return apply(reader::RecordType::comm, misc, BytesBuilder().u32(pid).u32(tid).padded(name));
  }
  bool exec(std::uint32_t pid, std::uint32_t tid, std::string_view name) {
    return comm(pid, tid, name, 2 | reader::misc::comm_exec);
  }
  bool fork(std::uint32_t pid, std::uint32_t tid, std::uint32_t ppid, std::uint32_t ptid, std::uint16_t misc = 0) {
    return apply(reader::RecordType::fork, misc, BytesBuilder().u32(pid).u32(ppid).u32(tid).u32(ptid).u64(0));
  }
  bool exit(std::uint32_t pid, std::uint32_t tid) {
    return apply(reader::RecordType::exit, 0, BytesBuilder().u32(pid).u32(pid).u32(tid).u32(tid).u64(0));
  }
  bool mmap(std::uint16_t misc, std::uint32_t pid, std::uint64_t start, std::uint64_t length, std::uint64_t page_offset,
            std::string_view path) {
    return apply(reader::RecordType::mmap, misc,
                 BytesBuilder().u32(pid).u32(pid).u64(start).u64(length).u64(page_offset).padded(path));
  }
  bool mmap2(std::uint32_t pid, std::uint32_t tid, std::uint64_t start, std::uint64_t length, std::uint64_t page_offset,
             std::string_view path, std::uint32_t protection = exec_protection, std::uint32_t flags = 2) {
    BytesBuilder payload;
    payload.u32(pid).u32(tid).u64(start).u64(length).u64(page_offset);
    payload.u32(8).u32(1).u64(1234).u64(0);  // maj, min, ino, generation
    return apply(reader::RecordType::mmap2, 2, payload.u32(protection).u32(flags).padded(path));
  }
  bool kernel_mmap(std::uint64_t start, std::uint64_t length, std::uint64_t page_offset, std::string_view name) {
    return mmap(1, ~0u, start, length, page_offset, name);
  }
  bool ksymbol(std::uint64_t address, std::uint32_t length, std::uint16_t flags, std::string_view name) {
    return apply(reader::RecordType::ksymbol, 0,
                 BytesBuilder().u64(address).u32(length).u16(1).u16(flags).padded(name));
  }

  // The state at the time of the last record.
  reader::ThreadState thread(std::int32_t pid, std::int32_t tid) const { return timeline.thread(pid, tid, now); }
  std::string comm_of(std::int32_t pid, std::int32_t tid) const { return timeline.comm(tid, thread(pid, tid)); }
  // "path+offset", or an empty text without a mapping.
  std::string place(const reader::ThreadState& state, reader::CpuMode mode, std::uint64_t address) const {
    const CodeAddress code = timeline.resolve(state, mode, address, false);
    if (code.binary == CodeAddress::no_binary) return {};
    char offset[20];
    std::snprintf(offset, sizeof offset, "+%llx", static_cast<unsigned long long>(code.offset));
    return timeline.binaries()[code.binary].path + offset;
  }
  std::string user_place(std::int32_t pid, std::int32_t tid, std::uint64_t address) const {
    return place(thread(pid, tid), reader::CpuMode::user, address);
  }
  std::string kernel_place(std::uint64_t address) const {
    return place(thread(0, 0), reader::CpuMode::kernel, address);
  }
  const Binary& kernel_binary(std::uint64_t address) const {
    return timeline.binaries()[timeline.mapping(thread(0, 0), reader::CpuMode::kernel, address)->binary];
  }
  const Binary& user_binary(std::int32_t pid, std::uint64_t address) const {
    return timeline.binaries()[timeline.mapping(thread(pid, pid), reader::CpuMode::user, address)->binary];
  }

  reader::Timeline timeline;
  reader::Moment now;
};

}  // namespace perfsift::test
