#include "reader/writer/records/sample.h"

#include "reader/format/branch_flags.h"
#include "reader/writer/records/encoded_record.h"

namespace perfsift::reader {

namespace {

// Writes the fields that are more than one number: the twin of SampleReader in reader/format/sample.cpp. The calls come
// in the order of the fields in the record.
class SampleWriter {
 public:
  SampleWriter(ByteWriter& out, ByteOrder order, const EventAttr& attr, const Sample& sample)
      : out_(out), order_(order), attr_(attr), sample_(sample) {}

  void words(Words words) {
    for (const std::uint64_t word : words) out_.u64(word);
  }

  void read() {
    const std::uint64_t format = attr_.read_format;
    const bool group = (format & read_format::group) != 0;
    const auto member = [&](const ReadValue& counter) {
      if ((format & read_format::id) != 0) out_.u64(counter.id);
      if ((format & read_format::lost) != 0) out_.u64(counter.lost);
    };
    const ReadValue alone = sample_.read.empty() ? ReadValue{} : sample_.read.front();
    out_.u64(group ? sample_.read.size() : alone.value);
    if ((format & read_format::total_time_enabled) != 0) out_.u64(sample_.time_enabled);
    if ((format & read_format::total_time_running) != 0) out_.u64(sample_.time_running);
    if (!group) return member(alone);
    for (const ReadValue& counter : sample_.read) {
      out_.u64(counter.value);
      member(counter);
    }
  }

  void raw() {
    const std::size_t padding = (8 - (sizeof(std::uint32_t) + sample_.raw.size()) % 8) % 8;
    out_.u32(static_cast<std::uint32_t>(sample_.raw.size() + padding)).bytes(sample_.raw).zeros(padding);
  }

  void branch_stack() {
    out_.u64(sample_.branch_stack.size());
    if ((attr_.branch_sample_type & branch_sample::hw_index) != 0) out_.u64(sample_.branch_hw_index);
    for (const BranchEntry entry : sample_.branch_stack) {
      out_.u64(entry.from).u64(entry.to);
      out_.u64(order_ == ByteOrder::native ? entry.flags : big_endian_branch_flags(entry.flags));
    }
    if ((attr_.branch_sample_type & branch_sample::counters) != 0) words(sample_.branch_counters);
  }

  void registers(const Registers& registers) {
    out_.u64(registers.abi);
    if (registers.abi != 0) words(registers.values);
  }

  void user_stack() {
    out_.u64(sample_.user_stack_dumped);
    if (sample_.user_stack_dumped == 0) return;
    out_.bytes(sample_.user_stack).zeros(sample_.user_stack_dumped - sample_.user_stack.size());
    out_.u64(sample_.user_stack.size());
  }

  // The three parts are one word.
  void weight_struct() {
    out_.u64((sample_.weight & 0xffffffff) | std::uint64_t{sample_.instruction_latency} << 32 |
             std::uint64_t{sample_.pipeline_stage_cycles} << 48);
  }

 private:
  ByteWriter& out_;
  ByteOrder order_;
  const EventAttr& attr_;
  const Sample& sample_;
};

void put_numbers(ByteWriter& out, const Sample& s, const EventAttr& attr) {
  namespace bit = sample_bit;
  if (attr.has(bit::identifier)) out.u64(s.id);
  if (attr.has(bit::ip)) out.u64(s.ip);
  if (attr.has(bit::tid)) out.u32(as_u32(s.pid)).u32(as_u32(s.tid));
  if (attr.has(bit::time)) out.u64(s.time);
  if (attr.has(bit::addr)) out.u64(s.addr);
  if (attr.has(bit::id)) out.u64(s.id);
  if (attr.has(bit::stream_id)) out.u64(s.stream_id);
  if (attr.has(bit::cpu)) out.u32(as_u32(s.cpu)).u32(0);
  if (attr.has(bit::period)) out.u64(s.period);
}

void put_fields(ByteWriter& out, SampleWriter& fields, const Sample& s, const EventAttr& attr) {
  namespace bit = sample_bit;
  if (attr.has(bit::read)) fields.read();
  if (attr.has(bit::callchain)) out.u64(s.callchain.size()), fields.words(s.callchain);
  if (attr.has(bit::raw)) fields.raw();
  if (attr.has(bit::branch_stack)) fields.branch_stack();
  if (attr.has(bit::regs_user)) fields.registers(s.user_registers);
  if (attr.has(bit::stack_user)) fields.user_stack();
  if (attr.has(bit::weight)) {
    out.u64(s.weight);
  } else if (attr.has(bit::weight_struct)) {  // the kernel refuses both at once
    fields.weight_struct();
  }
  if (attr.has(bit::data_src)) out.u64(s.data_src);
  if (attr.has(bit::transaction)) out.u64(s.transaction);
  if (attr.has(bit::regs_intr)) fields.registers(s.intr_registers);
  if (attr.has(bit::phys_addr)) out.u64(s.phys_addr);
  if (attr.has(bit::cgroup)) out.u64(s.cgroup);
  if (attr.has(bit::data_page_size)) out.u64(s.data_page_size);
  if (attr.has(bit::code_page_size)) out.u64(s.code_page_size);
  if (attr.has(bit::aux)) out.u64(s.aux.size()).bytes(s.aux);
}

}  // namespace

std::vector<std::byte> encode_sample(const Sample& sample, const EventAttr& attr, ByteOrder order) {
  constexpr std::size_t most_bytes = std::size_t{1} << 16;
  if (sample.user_stack_dumped > most_bytes || sample.user_stack.size() > sample.user_stack_dumped) return {};
  ByteWriter payload(order);
  put_numbers(payload, sample, attr);
  SampleWriter fields(payload, order, attr, sample);
  put_fields(payload, fields, sample, attr);
  return encoded_record(RecordType::sample, sample.misc, payload, {.order = order, .trailer = {}});
}

}  // namespace perfsift::reader
