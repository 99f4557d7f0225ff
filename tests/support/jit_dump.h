// Builds a jitdump, record by record, as specified in tools/perf/Documentation/jitdump-specification.txt.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/bytes.h"

namespace perfsift::test {

class JitDumpBuilder {
 public:
  explicit JitDumpBuilder(ByteOrder order = ByteOrder::native, std::uint64_t flags = 0, std::uint32_t elf_machine = 62)
      : order_(order), out_(order) {
    out_.u32(0x4a695444).u32(1).u32(40).u32(elf_machine).u32(0).u32(100).u64(1).u64(flags);
  }

  JitDumpBuilder& record(std::uint32_t id, std::uint64_t time, Bytes payload) {
    out_.u32(id).u32(static_cast<std::uint32_t>(16 + payload.size())).u64(time).bytes(payload);
    return *this;
  }
  JitDumpBuilder& load(std::uint64_t time, std::uint64_t address, std::uint64_t size, std::uint64_t index,
                       std::string_view name, Bytes code = {}) {
    BytesBuilder payload(order_);
    payload.u32(100).u32(101).u64(address).u64(address).u64(size).u64(index).text(name).u8(0);
    payload.bytes(code).zeros(size - code.size());
    return record(0, time, payload.view());
  }
  JitDumpBuilder& move(std::uint64_t time, std::uint64_t from, std::uint64_t to, std::uint64_t size,
                       std::uint64_t index) {
    BytesBuilder payload(order_);
    payload.u32(100).u32(101).u64(to).u64(from).u64(to).u64(size).u64(index);
    return record(1, time, payload.view());
  }
  struct Line {
    std::uint64_t address;
    std::uint32_t line;
    std::string_view file;
  };
  JitDumpBuilder& debug_info(std::uint64_t address, const std::vector<Line>& lines) {
    BytesBuilder payload(order_);
    payload.u64(address).u64(lines.size());
    for (const Line& line : lines) payload.u64(line.address).u32(line.line).u32(0).text(line.file).u8(0);
    return record(2, 0, payload.view());
  }
  JitDumpBuilder& unwinding(std::string_view eh_frame, std::string_view eh_frame_hdr) {
    BytesBuilder payload(order_);
    payload.u64(eh_frame.size() + eh_frame_hdr.size())
        .u64(eh_frame_hdr.size())
        .u64(0)
        .text(eh_frame)
        .text(eh_frame_hdr);
    return record(4, 0, payload.view());
  }

  Bytes view() const { return out_.view(); }

 private:
  ByteOrder order_;
  BytesBuilder out_;
};

}  // namespace perfsift::test
