#include "record/waits/wait_samples.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "reader/callchain.h"
#include "reader/format/abi.h"
#include "reader/format/record.h"
#include "reader/writer/byte_writer.h"
#include "reader/writer/features/tracing_data.h"
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

// The words of a callchain: a marker in front of each part.
std::size_t words_of(const WaitCallchain& stack) {
  const auto part = [](std::size_t words) { return words == 0 ? 0 : words + 1; };
  return part(stack.kernel.size()) + part(stack.user.size()) + (is_cut(stack) ? 1 : 0);
}

void append_part(std::uint64_t marker, std::span<const std::uint64_t> words, reader::ByteWriter& out) {
  if (words.empty()) return;
  out.u64(marker);
  for (const std::uint64_t word : words) out.u64(word);
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

std::size_t padded_to_words(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

// REGS_USER and STACK_USER.
std::size_t bytes_of(const WaitStackCopy& copy) {
  const std::size_t numbers = copy.bytes.empty() ? 2 : 3;
  return (numbers + copy.registers.size()) * sizeof(std::uint64_t) + padded_to_words(copy.bytes.size());
}

void append_copy(const WaitStackCopy& copy, reader::ByteWriter& out) {
  out.u64(copy.registers.empty() ? 0 : copy.abi).bytes(std::as_bytes(copy.registers));
  out.u64(padded_to_words(copy.bytes.size()));
  if (copy.bytes.empty()) return;
  out.bytes(copy.bytes).zeros(padded_to_words(copy.bytes.size()) - copy.bytes.size());
  out.u64(copy.bytes.size());
}

// perf_output_sample() in kernel/events/core.c. A stack has at most 127 words and a copy 24 KiB, so a sample is smaller
// than 64 KiB.
void append_wait_sample(const reader::MeasuredTracepoint& tracepoint, const WaitSample& sample,
                        std::span<const std::uint64_t> values, std::vector<std::byte>& records) {
  const bool of_kernel = !sample.stack.kernel.empty();
  const std::span<const std::uint64_t> leaf = of_kernel ? sample.stack.kernel : sample.stack.user;
  const std::size_t raw = reader::measured_common_bytes + values.size_bytes();
  const std::size_t padded = (raw + sizeof(std::uint32_t) + 7) / 8 * 8 - sizeof(std::uint32_t);
  constexpr std::size_t numbers = 6;  // in front of the callchain
  const std::size_t size = reader::record_header_size + (numbers + 1 + words_of(sample.stack)) * sizeof(std::uint64_t) +
                           sizeof(std::uint32_t) + padded + (sample.copy ? bytes_of(*sample.copy) : 0);
  reader::ByteWriter out(ByteOrder::native);
  out.u32(static_cast<std::uint32_t>(reader::RecordType::sample));
  out.u16(static_cast<std::uint16_t>(of_kernel ? reader::CpuMode::kernel : reader::CpuMode::user));
  out.u16(static_cast<std::uint16_t>(size));
  out.u64(id_of(tracepoint)).u64(leaf.empty() ? 0 : leaf.front());
  out.u32(static_cast<std::uint32_t>(sample.pid)).u32(static_cast<std::uint32_t>(sample.tid)).u64(sample.time);
  out.u32(static_cast<std::uint32_t>(sample.cpu)).u32(0).u64(sample.period);
  out.u64(words_of(sample.stack));
  append_part(reader::callchain_context::kernel, sample.stack.kernel, out);
  append_part(reader::callchain_context::user, sample.stack.user, out);
  if (is_cut(sample.stack)) out.u64(reader::callchain_note::truncated);
  out.u32(static_cast<std::uint32_t>(padded));
  out.u16(tracepoint.id).u16(0).u32(static_cast<std::uint32_t>(sample.tid)).bytes(std::as_bytes(values));
  out.zeros(padded - raw);
  if (sample.copy) append_copy(*sample.copy, out);
  records.insert(records.end(), out.view().begin(), out.view().end());
}

}  // namespace perfsift::record
