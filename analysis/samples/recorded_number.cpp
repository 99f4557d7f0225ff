#include "analysis/samples/recorded_number.h"

namespace perfsift::analysis {
namespace {

using filter::Fact;
using filter::Number;
namespace bit = reader::sample_bit;

std::optional<Number> if_recorded(bool recorded, std::uint64_t value) {
  return recorded ? std::optional(Number::of(value)) : std::nullopt;
}
std::optional<Number> if_recorded(bool recorded, std::int32_t value) {
  return recorded ? std::optional(Number::of_signed(value)) : std::nullopt;
}

}  // namespace

std::optional<Number> recorded_number(const reader::Sample& s, Fact fact) {
  const bool weighed = s.knows(bit::weight_struct);
  switch (fact) {
    case Fact::pid:
      return if_recorded(s.has(bit::tid), s.pid);
    case Fact::tid:
      return if_recorded(s.has(bit::tid), s.tid);
    case Fact::cpu:
      return if_recorded(s.has(bit::cpu), s.cpu);
    case Fact::time:
      return if_recorded(s.has(bit::time), s.time);
    case Fact::addr:
      return if_recorded(s.knows(bit::addr), s.addr);
    case Fact::period:
      return if_recorded(s.has(bit::period) || s.has(bit::read) || !s.event->attr.freq(), s.period);
    case Fact::weight:
      return if_recorded(s.has(bit::weight) || weighed, s.weight);
    case Fact::ins_lat:
      return if_recorded(weighed, std::uint64_t{s.instruction_latency});
    case Fact::p_stage_cyc:
      return if_recorded(weighed, std::uint64_t{s.pipeline_stage_cycles});
    case Fact::id:
      return if_recorded(s.id != ~std::uint64_t{0}, s.id);
    case Fact::stream_id:
      return if_recorded(s.has(bit::stream_id), s.stream_id);
    case Fact::transaction:
      return if_recorded(s.has(bit::transaction), s.transaction);
    case Fact::phys_addr:
      return if_recorded(s.knows(bit::phys_addr), s.phys_addr);
    case Fact::data_page_size:
      return if_recorded(s.has(bit::data_page_size), s.data_page_size);
    case Fact::code_page_size:
      return if_recorded(s.has(bit::code_page_size), s.code_page_size);
    case Fact::cgroup_id:
      return if_recorded(s.has(bit::cgroup), s.cgroup);
    case Fact::data_src:
      return if_recorded(s.knows(bit::data_src), s.data_src);
    case Fact::misc:
      return Number::of(s.misc);
    case Fact::raw_size:
      return if_recorded(s.has(bit::raw), std::uint64_t{s.raw.size()});
    case Fact::ip:
      return if_recorded(s.has(bit::ip), s.ip);
    case Fact::cpumode:
      return Number::of(static_cast<std::uint64_t>(s.cpumode));
    default:
      return std::nullopt;
  }
}

}  // namespace perfsift::analysis
