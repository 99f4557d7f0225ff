// A sample: one moment of one thread.
//
// Sample is a view: numbers are copied, everything of variable length lies in the record. event->attr.sample_type says
// which fields are meaningful; the others have perf's defaults (evsel__parse_sample() in tools/perf/util/evsel.c), or
// follow from the raw data (Event::derived_fields). A sample lives as long as the record. On a foreign byte order a
// sample lives until the same SampleDecoder decodes the next sample.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "reader/format/event.h"
#include "reader/format/record.h"

namespace perfsift::reader {

using Words = std::span<const Unaligned<std::uint64_t>>;

// Numbers in memory as the words of a sample. They must live longer.
inline Words words_in(std::span<const std::uint64_t> numbers) {
  return {reinterpret_cast<const Unaligned<std::uint64_t>*>(numbers.data()), numbers.size()};
}

// struct perf_branch_entry
struct BranchEntry {
  std::uint64_t from;
  std::uint64_t to;
  std::uint64_t flags;  // mispred:1 predicted:1 in_tx:1 abort:1 cycles:16 type:4 spec:2 new_type:4 priv:3

  bool mispredicted() const { return (flags & 1) != 0; }
  bool predicted() const { return (flags & 2) != 0; }
  bool in_transaction() const { return (flags & 4) != 0; }
  bool abort() const { return (flags & 8) != 0; }
  unsigned cycles() const { return (flags >> 4) & 0xffff; }
  unsigned type() const { return (flags >> 20) & 0xf; }
  unsigned speculation() const { return (flags >> 24) & 3; }
  unsigned new_type() const { return (flags >> 26) & 0xf; }
  unsigned privilege() const { return (flags >> 30) & 7; }
};

// Registers at the moment of the sample: `values` holds one word per set bit of `mask`, ascending by perf's own
// register numbers (arch/*/include/uapi/asm/perf_regs.h). abi 0: no registers, 1: 32 bit, 2: 64 bit.
struct Registers {
  std::uint64_t abi = 0;
  std::uint64_t mask = 0;
  Words values;

  std::optional<std::uint64_t> get(unsigned number) const {
    if (number > 63 || (mask >> number & 1) == 0) return std::nullopt;
    const std::uint64_t bit = std::uint64_t{1} << number;
    const auto index = static_cast<std::size_t>(__builtin_popcountll(mask & (bit - 1)));
    if (index >= values.size()) return std::nullopt;
    return std::uint64_t{values[index]};
  }
};

// One counter of a PERF_SAMPLE_READ.
struct ReadValue {
  std::uint64_t value = 0;
  std::uint64_t id = 0;
  std::uint64_t lost = 0;
};

// The time that perf writes for off-CPU sums, counting up from here. Single intervals have the time of their end
// (OFF_CPU_TIMESTAMP in tools/perf/util/bpf_off_cpu.c).
inline constexpr std::uint64_t time_of_off_cpu_sums = ~std::uint64_t{0} << 32;

// The fields of a sample up to RAW.
struct CommonFields {
  const Event* event = nullptr;
  Moment moment;  // orders samples as perf delivers them; `time` is the recorded time
  std::uint16_t misc = 0;
  CpuMode cpumode = CpuMode::unknown;

  std::uint64_t ip = 0;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t time = no_time;
  std::uint64_t addr = 0;
  std::uint64_t id = ~std::uint64_t{0};
  std::uint64_t stream_id = ~std::uint64_t{0};
  std::int32_t cpu = -1;
  std::uint64_t period = 0;  // as recorded, else attr.sample_period; for a group read the member's difference

  std::uint64_t time_enabled = 0;  // READ
  std::uint64_t time_running = 0;
  std::span<const ReadValue> read;  // READ: all members of the group

  bool has_callchain = false;
  Words callchain;  // leaf first, with context markers
  Bytes raw;        // with the kernel's padding

  bool has(std::uint64_t bit) const { return event->attr.has(bit); }
  // See Event::knows().
  bool knows(std::uint64_t fields) const { return event->knows(fields); }
};

// The fields of a sample behind RAW.
struct SeldomFields {
  std::uint64_t seldom = 0;  // the bits of those fields that the sample has
  bool has_branch_stack = false;
  std::uint64_t branch_hw_index = ~std::uint64_t{0};
  std::span<const Unaligned<BranchEntry>> branch_stack;
  Words branch_counters;
  Registers user_registers;
  Bytes user_stack;                         // only the bytes that were really copied (the dynamic size)
  std::uint64_t user_stack_dumped = 0;      // the size that was asked for
  std::uint64_t weight = 0;                 // WEIGHT; WEIGHT_STRUCT: var1
  std::uint16_t instruction_latency = 0;    // WEIGHT_STRUCT: var2 (perf: ins_lat)
  std::uint16_t pipeline_stage_cycles = 0;  // WEIGHT_STRUCT: var3 (perf: p_stage_cyc, weight3)
  std::uint64_t data_src = 0;               // meaningful only if recorded: perf's default is not 0
  std::uint64_t transaction = 0;
  Registers intr_registers;
  std::uint64_t phys_addr = 0;
  std::uint64_t cgroup = 0;
  std::uint64_t data_page_size = 0;
  std::uint64_t code_page_size = 0;
  Bytes aux;
};

// The fields are in two parts, because clearing all fields for each sample takes as long as decoding most samples.
struct Sample : CommonFields, SeldomFields {
  Bytes record;  // the whole payload of the record, for callers that read the payload themselves
};

// Decodes the samples of one event. Owns the memory for swapped arrays and read values. One per thread.
class SampleDecoder {
 public:
  SampleDecoder();
  ~SampleDecoder();
  SampleDecoder(SampleDecoder&&) noexcept;

  // False when the record is too short for the fields of the event, or when its counts are impossible; `sample` is then
  // meaningless. `event` gives the layout. The caller sets the moment and delivers the members of a group read.
  bool decode(const Record& record, const Event& event, Sample& sample);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

// The bytes of the sample_id trailer of records that are no samples; 0 without sample_id_all.
std::size_t trailer_size(const EventAttr& attr);
// The sample_id trailer of a record that is not a sample, by the attr of any event. Size 0 without sample_id_all.
SampleId decode_sample_id(const Record& record, const EventAttr& attr);

}  // namespace perfsift::reader
