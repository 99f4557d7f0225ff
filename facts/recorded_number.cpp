#include "facts/recorded_number.h"

namespace perfsift::facts {
namespace {

using filter::Fact;
using filter::Number;
using reader::Sample;
namespace bit = reader::sample_bit;
using Value = std::optional<Number>;

Value if_recorded(bool recorded, std::uint64_t value) {
  return recorded ? std::optional(Number::of(value)) : std::nullopt;
}
Value if_recorded(bool recorded, std::int32_t value) {
  return recorded ? std::optional(Number::of_signed(value)) : std::nullopt;
}

// The value of each row of PERFSIFT_RECORDED_NUMBERS.
namespace value {

Value pid(const Sample& s) { return if_recorded(s.has(bit::tid), s.pid); }
Value tid(const Sample& s) { return if_recorded(s.has(bit::tid), s.tid); }
Value cpu(const Sample& s) { return if_recorded(s.has(bit::cpu), s.cpu); }
Value time(const Sample& s) { return if_recorded(s.has(bit::time), s.time); }
Value addr(const Sample& s) { return if_recorded(s.knows(bit::addr), s.addr); }
Value period(const Sample& s) {
  return if_recorded(s.has(bit::period) || s.has(bit::read) || !s.event->attr.freq(), s.period);
}
Value weight(const Sample& s) { return if_recorded(s.has(bit::weight) || s.knows(bit::weight_struct), s.weight); }
Value ins_lat(const Sample& s) {
  return if_recorded(s.knows(bit::weight_struct), std::uint64_t{s.instruction_latency});
}
Value p_stage_cyc(const Sample& s) {
  return if_recorded(s.knows(bit::weight_struct), std::uint64_t{s.pipeline_stage_cycles});
}
Value id(const Sample& s) { return if_recorded(s.id != ~std::uint64_t{0}, s.id); }
Value stream_id(const Sample& s) { return if_recorded(s.has(bit::stream_id), s.stream_id); }
Value txn(const Sample& s) { return if_recorded(s.has(bit::transaction), s.transaction); }
Value data_src(const Sample& s) { return if_recorded(s.knows(bit::data_src), s.data_src); }
Value phys_addr(const Sample& s) { return if_recorded(s.knows(bit::phys_addr), s.phys_addr); }
Value data_page_size(const Sample& s) { return if_recorded(s.has(bit::data_page_size), s.data_page_size); }
Value code_page_size(const Sample& s) { return if_recorded(s.has(bit::code_page_size), s.code_page_size); }
Value cgroup_id(const Sample& s) { return if_recorded(s.has(bit::cgroup), s.cgroup); }
Value misc(const Sample& s) { return Number::of(s.misc); }
Value raw_size(const Sample& s) { return if_recorded(s.has(bit::raw), std::uint64_t{s.raw.size()}); }
Value stack_size(const Sample& s) { return if_recorded(s.has(bit::stack_user), std::uint64_t{s.user_stack.size()}); }

}  // namespace value
}  // namespace

Value recorded_number(const Sample& sample, Fact fact) {
  switch (fact) {
#define PERFSIFT_ROW(name, ...) \
  case Fact::name:              \
    return value::name(sample);
    PERFSIFT_RECORDED_NUMBERS(PERFSIFT_ROW)
#undef PERFSIFT_ROW
    case Fact::ip:
      return if_recorded(sample.has(bit::ip), sample.ip);
    case Fact::cpumode:
      return Number::of(static_cast<std::uint64_t>(sample.cpumode));
    default:  // not in the sample itself
      return std::nullopt;
  }
}

}  // namespace perfsift::facts
