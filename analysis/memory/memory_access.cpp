#include "analysis/memory/memory_access.h"

namespace perfsift::analysis {
namespace {

namespace bit = reader::sample_bit;

// HW_BREAKPOINT_* of include/uapi/linux/hw_breakpoint.h. The processor does not tell what an access of a breakpoint on
// reads and writes was.
constexpr std::uint32_t breakpoint_on_reads = 1, breakpoint_on_writes = 2;
constexpr std::uint64_t all_operations = 0x1f;

std::uint64_t operation_of_breakpoint(const reader::EventAttr& attr) {
  if (attr.bp_type == breakpoint_on_writes) return DataSource::op_store;
  return attr.bp_type == breakpoint_on_reads ? DataSource::op_load : DataSource::op_na;
}

}  // namespace

bool is_memory_event(const reader::Event& event) { return event.attr.has(bit::addr | bit::data_src); }

MemoryAccess MemoryAccess::of(const reader::Sample& sample) {
  MemoryAccess access;
  std::uint64_t bits = sample.has(bit::data_src) ? sample.data_src : no_data_source;
  if (sample.event->attr.type == reader::event_type::breakpoint)
    bits = (bits & ~all_operations) | operation_of_breakpoint(sample.event->attr);
  access.source = DataSource(bits);
  if (sample.has(bit::addr)) access.address = sample.addr;
  access.latency = sample.weight;
  return access;
}

}  // namespace perfsift::analysis
