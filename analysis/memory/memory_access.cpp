#include "analysis/memory/memory_access.h"

namespace perfsift::analysis {
namespace {

namespace bit = reader::sample_bit;

// HW_BREAKPOINT_* of include/uapi/linux/hw_breakpoint.h. For a breakpoint on reads and writes, the processor does not
// report which of the two an access was.
constexpr std::uint32_t breakpoint_on_reads = 1, breakpoint_on_writes = 2;
constexpr std::uint64_t all_operations = 0x1f;

std::uint64_t operation_of_breakpoint(const reader::EventAttr& attr) {
  if (attr.bp_type == breakpoint_on_writes) return DataSource::op_store;
  return attr.bp_type == breakpoint_on_reads ? DataSource::op_load : DataSource::op_na;
}

}  // namespace

bool is_auxiliary(const reader::Event& event) {
  constexpr std::uint64_t code = 0x8203;  // is_mem_loads_aux_event() in tools/perf/arch/x86/util/mem-events.c
  const bool by_code = event.attr.type == reader::event_type::raw && event.attr.config == code;
  return by_code || event.name.find("mem-loads-aux") != std::string::npos;
}

bool is_memory_event(const reader::Event& event) {
  const bool other = event.attr.is_dummy() || event.ibs == reader::IbsUnit::fetch || is_auxiliary(event);
  return event.knows(bit::addr | bit::data_src) && !other;
}

MemoryAccess MemoryAccess::of(const reader::Sample& sample) {
  MemoryAccess access{.event = sample.event->index};
  std::uint64_t bits = sample.knows(bit::data_src) ? sample.data_src : no_data_source;
  if (sample.event->attr.type == reader::event_type::breakpoint)
    bits = (bits & ~all_operations) | operation_of_breakpoint(sample.event->attr);
  access.source_bits = bits;
  if (sample.knows(bit::addr)) access.address = sample.addr;
  access.latency = sample.weight;
  return access;
}

}  // namespace perfsift::analysis
