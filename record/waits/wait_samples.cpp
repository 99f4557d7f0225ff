#include "record/waits/wait_samples.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "reader/callchain.h"
#include "reader/format/abi.h"
#include "reader/writer/byte_writer.h"
#include "reader/writer/features/tracing_data.h"
#include "reader/writer/records/sample.h"
#include "record/attr_configuration.h"
#include "record/waits/programs/wait_types.h"

namespace perfsift::record {
namespace {

namespace bit = reader::sample_bit;

constexpr std::uint64_t first_id = std::uint64_t{1} << 62;

std::uint64_t id_of(const reader::MeasuredTracepoint& tracepoint) { return first_id + tracepoint.id; }

reader::EventAttr attr_of(const reader::MeasuredTracepoint& tracepoint, std::uint32_t copied_stack) {
  reader::EventAttr attr{.type = reader::event_type::tracepoint, .config = tracepoint.id};
  attr.sample_period = 1;
  attr.sample_type =
      bit::identifier | bit::ip | bit::tid | bit::time | bit::cpu | bit::period | bit::callchain | bit::raw;
  attr.set(reader::attr_flag::sample_id_all);
  attr.set(reader::attr_flag::use_clockid);
  attr.clock_id = CLOCK_MONOTONIC;
  attr.sample_max_stack = 2 * WAIT_STACK_WORDS;  // of the kernel and of the program
  if (copied_stack != 0 && &tracepoint == &reader::measured_wait_tracepoint) {
    attr.sample_type |= bit::regs_user | bit::stack_user;
    attr.sample_regs_user = unwind_registers();
    attr.sample_stack_user = copied_stack;
  }
  return attr;
}

std::string description_of(const reader::MeasuredTracepoint& tracepoint) {
  constexpr std::size_t size = 8;
  std::string fields, print, arguments;
  std::size_t offset = reader::measured_common_bytes;
  for (const reader::MeasuredField& field : tracepoint.fields) {
    fields += fmt::format("\tfield:{} {};\toffset:{};\tsize:{};\tsigned:{};\n", field.is_signed ? "s64" : "u64",
                          field.name, offset, size, field.is_signed ? 1 : 0);
    print += fmt::format("{}{}=%ll{}", print.empty() ? "" : " ", field.name, field.is_signed ? 'd' : 'u');
    arguments += fmt::format(", REC->{}", field.name);
    offset += size;
  }
  return reader::made_format(tracepoint.name, tracepoint.id, fields, print, arguments);
}

// The outer frames are missing.
bool is_cut(const WaitCallchain& stack) { return stack.user.size() == WAIT_STACK_WORDS; }

// A marker stands in front of each part.
std::vector<std::uint64_t> words_of(const WaitCallchain& stack) {
  std::vector<std::uint64_t> words;
  const auto append = [&](std::uint64_t marker, std::span<const std::uint64_t> part) {
    if (part.empty()) return;
    words.push_back(marker);
    words.insert(words.end(), part.begin(), part.end());
  };
  append(reader::callchain_context::kernel, stack.kernel);
  append(reader::callchain_context::user, stack.user);
  if (is_cut(stack)) words.push_back(reader::callchain_note::truncated);
  return words;
}

// The fields that all tracepoints have, and those of this one.
std::vector<std::byte> raw_of(const reader::MeasuredTracepoint& tracepoint, std::int32_t tid,
                              std::span<const std::uint64_t> values) {
  reader::ByteWriter raw(ByteOrder::native);
  raw.u16(tracepoint.id).u16(0).u32(static_cast<std::uint32_t>(tid)).bytes(std::as_bytes(values));
  return raw.take();
}

}  // namespace

std::vector<reader::EventEntry> wait_events(std::uint32_t copied_stack) {
  constexpr std::size_t attr_size = 128;  // as perf 6.1
  std::vector<reader::EventEntry> events;
  for (const reader::MeasuredTracepoint* const tracepoint : reader::measured_tracepoints) {
    events.push_back(
        {.attr = reader::encode_event_attr(attr_of(*tracepoint, copied_stack), attr_size, ByteOrder::native),
         .ids = {id_of(*tracepoint)}});
  }
  return events;
}

std::vector<std::string> wait_event_names() {
  std::vector<std::string> names;
  for (const reader::MeasuredTracepoint* const tracepoint : reader::measured_tracepoints)
    names.push_back(fmt::format("{}:{}", reader::measured_waits_system, tracepoint->name));
  return names;
}

std::vector<reader::TracepointDescription> wait_descriptions() {
  std::vector<reader::TracepointDescription> descriptions;
  for (const reader::MeasuredTracepoint* const tracepoint : reader::measured_tracepoints)
    descriptions.push_back({std::string(reader::measured_waits_system), description_of(*tracepoint)});
  return descriptions;
}

// A stack has at most 127 words and a copy 24 KiB, so a sample is smaller than 64 KiB.
void append_wait_sample(const reader::MeasuredTracepoint& tracepoint, const WaitSample& sample,
                        std::span<const std::uint64_t> values, std::vector<std::byte>& records,
                        std::uint32_t copied_stack) {
  const bool of_kernel = !sample.stack.kernel.empty();
  const std::span<const std::uint64_t> leaf = of_kernel ? sample.stack.kernel : sample.stack.user;
  const std::vector<std::uint64_t> words = words_of(sample.stack);
  const std::vector<std::byte> raw = raw_of(tracepoint, sample.tid, values);
  reader::Sample made;
  made.misc = static_cast<std::uint16_t>(of_kernel ? reader::CpuMode::kernel : reader::CpuMode::user);
  made.id = id_of(tracepoint);
  made.ip = leaf.empty() ? 0 : leaf.front();
  made.pid = sample.pid, made.tid = sample.tid, made.time = sample.time;
  made.cpu = sample.cpu, made.period = sample.period;
  made.callchain = reader::words_in(words);
  made.raw = raw;
  made.user_registers = {.abi = sample.copy.registers.empty() ? 0 : sample.copy.abi,
                         .values = reader::words_in(sample.copy.registers)};
  made.user_stack = sample.copy.bytes;
  made.user_stack_dumped = (sample.copy.bytes.size() + 7) / 8 * 8;
  const std::vector<std::byte> record = reader::encode_sample(made, attr_of(tracepoint, copied_stack));
  records.insert(records.end(), record.begin(), record.end());
}

}  // namespace perfsift::record
