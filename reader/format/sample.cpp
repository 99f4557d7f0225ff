#include "reader/format/sample.h"

#include <bit>
#include <cstring>
#include <utility>

#include "reader/format/branch_flags.h"
#include "reader/format/garbage.h"
#include "reader/ibs/ibs_access.h"

namespace perfsift::reader {

// Memory for values that cannot be views of the record.
struct SampleDecoder::Scratch {
  std::vector<ReadValue> read;
  // Arrays in this machine's byte order, of a recording in the other. One vector each, because a sample may have all of
  // them.
  std::vector<Unaligned<std::uint64_t>> callchain, user_registers, intr_registers, counters;
  std::vector<Unaligned<BranchEntry>> branches;
};

namespace {

// Reads the fields of one sample that are more than one number. The calls come in the order of the fields in the
// record.
class SampleReader {
 public:
  SampleReader(const ByteReader& in, const EventAttr& attr, Sample& sample) : in_(in), attr_(attr), sample_(sample) {}

  bool ok() const { return in_.ok(); }
  ByteReader& in() { return in_; }

  Words words(std::uint64_t count, std::vector<Unaligned<std::uint64_t>>& scratch) {
    const auto raw = in_.array<std::uint64_t>(count);
    if (in_.order() == ByteOrder::native) return raw;
    scratch.clear();
    for (const std::uint64_t word : raw) scratch.emplace_back(byte_swap(word));
    return scratch;
  }

  // PERF_SAMPLE_READ: one counter, or all counters of its group (perf_output_read() in the kernel).
  std::span<const ReadValue> read(std::vector<ReadValue>& values) {
    const std::uint64_t format = attr_.read_format;
    const bool group = (format & read_format::group) != 0;
    const std::uint64_t member_size =
        8 + ((format & read_format::id) != 0 ? 8 : 0) + ((format & read_format::lost) != 0 ? 8 : 0);
    values.clear();
    std::uint64_t count = 1;
    ReadValue alone;
    if (group) {
      count = in_.u64();
    } else {
      alone.value = in_.u64();
    }
    if ((format & read_format::total_time_enabled) != 0) sample_.time_enabled = in_.u64();
    if ((format & read_format::total_time_running) != 0) sample_.time_running = in_.u64();
    if (!group) {
      if ((format & read_format::id) != 0) alone.id = in_.u64();
      if ((format & read_format::lost) != 0) alone.lost = in_.u64();
      values.push_back(alone);
      return values;
    }
    if (count > in_.remaining() / member_size) return in_.fail(), std::span<const ReadValue>{};
    for (std::uint64_t i = 0; i < count; ++i) {
      ReadValue member{.value = in_.u64()};
      if ((format & read_format::id) != 0) member.id = in_.u64();
      if ((format & read_format::lost) != 0) member.lost = in_.u64();
      values.push_back(member);
    }
    return values;
  }

  void branch_stack(std::vector<Unaligned<BranchEntry>>& entries, std::vector<Unaligned<std::uint64_t>>& counters) {
    const std::uint64_t count = in_.u64();
    if ((attr_.branch_sample_type & branch_sample::hw_index) != 0) sample_.branch_hw_index = in_.u64();
    const auto raw = in_.array<BranchEntry>(count);
    sample_.has_branch_stack = true;
    sample_.branch_stack = raw;
    if (in_.order() == ByteOrder::swapped) {
      entries.clear();
      for (const BranchEntry entry : raw) {
        entries.emplace_back(BranchEntry{.from = byte_swap(entry.from),
                                         .to = byte_swap(entry.to),
                                         .flags = little_endian_branch_flags(byte_swap(entry.flags))});
      }
      sample_.branch_stack = entries;
    }
    if ((attr_.branch_sample_type & branch_sample::counters) != 0) sample_.branch_counters = words(count, counters);
  }

  Registers registers(std::uint64_t mask, std::vector<Unaligned<std::uint64_t>>& scratch) {
    Registers registers{.abi = in_.u64()};
    if (registers.abi == 0) return registers;  // a kernel thread has no user registers
    registers.mask = mask;
    registers.values = words(static_cast<std::uint64_t>(std::popcount(mask)), scratch);
    return registers;
  }

  void user_stack() {
    sample_.user_stack_dumped = in_.u64();
    if (sample_.user_stack_dumped == 0) return;
    const Bytes dump = in_.bytes(sample_.user_stack_dumped);
    const std::uint64_t valid = in_.u64();
    if (valid > dump.size()) return in_.fail();
    sample_.user_stack = dump.first(static_cast<std::size_t>(valid));
  }

  // The raw data that BPF wrote about a thread that was off its CPU, in a sample of the thread that ran next: pid and
  // tid, nanoseconds, the user callchain, the cgroup. __set_offcpu_sample() in tools/perf/util/evsel.c.
  void off_cpu(std::vector<Unaligned<std::uint64_t>>& scratch) {
    const std::uint64_t thread = in_.u64();
    sample_.pid = static_cast<std::int32_t>(thread);
    sample_.tid = static_cast<std::int32_t>(thread >> 32);
    // off_cpu_write(), which writes the sums at the end, stores the process first. BPF itself, in off_cpu_dump(),
    // stores the thread first, and perf shows that tid as the pid.
    if (sample_.time < time_of_off_cpu_sums) std::swap(sample_.pid, sample_.tid);
    sample_.period = in_.u64();
    sample_.callchain = words(in_.u64(), scratch);
    sample_.has_callchain = true;
    sample_.ip = sample_.callchain.size() > 1 ? std::uint64_t{sample_.callchain[1]} : 0;
    in_.u64();
  }

  // The three parts are one word: on a foreign byte order the parts change places.
  void weight_struct() {
    const std::uint64_t word = in_.u64();
    sample_.weight = word & 0xffffffff;
    sample_.instruction_latency = static_cast<std::uint16_t>(word >> 32);
    sample_.pipeline_stage_cycles = static_cast<std::uint16_t>(word >> 48);
  }

 private:
  ByteReader in_;
  const EventAttr& attr_;
  Sample& sample_;
};

// The fields behind RAW. Those that are derived from RAW count as one more.
constexpr std::uint64_t derived_fields = sample_bit::raw;
std::uint64_t seldom_fields_of(const Event& event) {
  if (event.wraps_off_cpu()) return 0;  // these samples end with RAW
  const std::uint64_t recorded =
      event.attr.sample_type & ~((sample_bit::raw | (sample_bit::raw - 1)) | sample_bit::identifier);
  return event.derived_fields != 0 ? recorded | derived_fields : recorded;
}
// A sample with one of these does not set all parts of it. All other fields are set by every sample that has them.
constexpr std::uint64_t of_several_parts = sample_bit::branch_stack | sample_bit::stack_user | derived_fields;

// Fills in the fields that were not recorded.
void derive_from_ibs(const Event& event, ByteOrder order, Sample& sample) {
  namespace bit = sample_bit;
  const auto op = decode_ibs_op(sample.raw, order);
  const IbsAccess access = op ? ibs_access(*op, event.ibs_processor) : no_ibs_access();
  const auto derives = [&](std::uint64_t field) { return (event.derived_fields & field) != 0; };
  if (derives(bit::addr)) sample.addr = access.address;
  if (derives(bit::data_src)) sample.data_src = access.data_source;
  if (derives(bit::phys_addr)) sample.phys_addr = access.physical_address;
  if (!derives(bit::weight_struct)) return;
  sample.weight = access.latency;
  sample.instruction_latency = access.tag_to_retirement;
}

}  // namespace

SampleDecoder::SampleDecoder() : scratch_(std::make_unique<Scratch>()) {}
SampleDecoder::~SampleDecoder() = default;
SampleDecoder::SampleDecoder(SampleDecoder&&) noexcept = default;

bool SampleDecoder::decode(const Record& record, const Event& event, Sample& s) {
  static_cast<CommonFields&>(s) = {};
  const std::uint64_t seldom = seldom_fields_of(event);
  if (s.seldom != 0 && (s.seldom != seldom || (seldom & of_several_parts) != 0)) static_cast<SeldomFields&>(s) = {};
  s.event = &event;
  s.moment.position = record.position;
  s.misc = record.header.misc;
  s.cpumode = record.cpumode();
  s.record = record.payload;
  s.period = event.attr.sample_period;

  // The fields come in the order in which the kernel writes them: perf_output_sample() in kernel/events/core.c. Fields
  // of one word are read here, where no other function has the reader's address, so that the reader stays in registers.
  namespace bit = sample_bit;
  ByteReader numbers = record.reader();
  const std::uint64_t type = event.attr.sample_type;
  const auto has = [type](std::uint64_t bits) { return (type & bits) != 0; };
  if (has(bit::identifier)) s.id = numbers.u64();
  if (has(bit::ip)) s.ip = numbers.u64();
  if (has(bit::tid)) s.pid = numbers.i32(), s.tid = numbers.i32();
  if (has(bit::time)) s.time = numbers.u64();
  if (has(bit::addr)) s.addr = numbers.u64();
  if (has(bit::id)) s.id = numbers.u64();
  if (has(bit::stream_id)) s.stream_id = numbers.u64();
  if (has(bit::cpu)) s.cpu = numbers.i32(), numbers.skip(4);
  if (has(bit::period)) s.period = numbers.u64();
  s.moment.time = s.time;

  SampleReader fields(numbers, event.attr, s);
  ByteReader& in = fields.in();
  if (has(bit::read)) s.read = fields.read(scratch_->read);
  if (has(bit::callchain)) s.has_callchain = true, s.callchain = fields.words(in.u64(), scratch_->callchain);
  if (has(bit::raw)) s.raw = in.bytes(in.u32());
  if (event.wraps_off_cpu()) {
    SampleReader wrapped(ByteReader(s.raw, record.order), event.attr, s);
    wrapped.off_cpu(scratch_->callchain);
    return fields.ok() && wrapped.ok();
  }
  // The samples of most recordings end here.
  s.seldom = seldom;
  if (seldom == 0) return fields.ok();

  if (has(bit::branch_stack)) fields.branch_stack(scratch_->branches, scratch_->counters);
  if (has(bit::regs_user)) {
    s.user_registers = fields.registers(event.attr.sample_regs_user, scratch_->user_registers);
  }
  if (has(bit::stack_user)) fields.user_stack();
  if (has(bit::weight)) {
    s.weight = in.u64();
  } else if (has(bit::weight_struct)) {  // the kernel refuses both at once
    fields.weight_struct();
  }
  if (has(bit::data_src)) s.data_src = in.u64();
  if (has(bit::transaction)) s.transaction = in.u64();
  if (has(bit::regs_intr)) {
    s.intr_registers = fields.registers(event.attr.sample_regs_intr, scratch_->intr_registers);
  }
  if (has(bit::phys_addr)) s.phys_addr = in.u64();
  if (has(bit::cgroup)) s.cgroup = in.u64();
  if (has(bit::data_page_size)) s.data_page_size = in.u64();
  if (has(bit::code_page_size)) s.code_page_size = in.u64();
  if (has(bit::aux)) s.aux = in.bytes(in.u64());
  if (event.derived_fields != 0) derive_from_ibs(event, record.order, s);
  return fields.ok();
}

std::size_t trailer_size(const EventAttr& attr) {
  if (!attr.sample_id_all()) return 0;
  namespace bit = sample_bit;
  constexpr std::uint64_t trailer_bits = bit::tid | bit::time | bit::id | bit::stream_id | bit::cpu | bit::identifier;
  return 8 * static_cast<std::size_t>(std::popcount(attr.sample_type & trailer_bits));
}

SampleId decode_sample_id(const Record& record, const EventAttr& attr) {
  namespace bit = sample_bit;
  SampleId id;
  const std::size_t size = trailer_size(attr);
  const Bytes payload = payload_without_garbage(record, size);
  if (size > payload.size()) return id;

  id.size = size;
  ByteReader in(payload.last(size), record.order);
  if (size == 0) return id;
  if (attr.has(bit::tid)) id.pid = in.i32(), id.tid = in.i32();
  if (attr.has(bit::time)) id.time = in.u64();
  if (attr.has(bit::id)) id.id = in.u64();
  if (attr.has(bit::stream_id)) id.stream_id = in.u64();
  if (attr.has(bit::cpu)) id.cpu = in.i32(), in.skip(4);
  if (attr.has(bit::identifier)) id.id = in.u64();
  return id;
}

}  // namespace perfsift::reader
