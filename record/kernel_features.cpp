#include "record/kernel_features.h"

#include <array>
#include <cerrno>
#include <cstdint>

#include "reader/format/attr_names.h"
#include "record/rings/counter.h"

namespace perfsift::record {

namespace {

using reader::EventAttr;

// The words of an attr that consist of bits which later kernels added to.
struct BitWord {
  std::uint64_t EventAttr::*word;
  std::uint64_t candidates;  // bits without which a recording is still of use
  std::span<const reader::BitName> (*names)();
};

constexpr std::uint64_t bits(std::initializer_list<unsigned> positions) {
  std::uint64_t word = 0;
  for (const unsigned position : positions) word |= std::uint64_t{1} << position;
  return word;
}

namespace flag = reader::attr_flag;
namespace sample_bit = reader::sample_bit;

const std::array<BitWord, 4> words{{
    {&EventAttr::read_format, reader::read_format::lost, reader::read_format_names},
    {&EventAttr::sample_type,
     sample_bit::weight_struct | sample_bit::code_page_size | sample_bit::data_page_size | sample_bit::cgroup |
         sample_bit::phys_addr | sample_bit::transaction,
     reader::sample_type_names},
    {&EventAttr::flags,
     bits({flag::mmap2, flag::comm_exec, flag::use_clockid, flag::context_switch, flag::namespaces, flag::ksymbol,
           flag::bpf_event, flag::cgroup, flag::build_id, flag::inherit_thread}),
     reader::attr_flag_names},
    {&EventAttr::branch_sample_type,
     reader::branch_sample::hw_index | reader::branch_sample::no_flags | reader::branch_sample::no_cycles,
     reader::branch_sample_type_names},
}};

// An event of the calling thread that needs no privileges and counts nothing.
EventAttr probe() {
  EventAttr attr;
  attr.type = reader::event_type::software;
  attr.config = reader::software_event::dummy;
  attr.sample_period = 1;
  attr.set(flag::disabled);
  attr.set(flag::exclude_kernel);
  attr.set(flag::exclude_hv);
  return attr;
}

// Other errors than EINVAL say that the kernel knows the bit, but that privileges or hardware lack.
bool is_known(EventAttr attr) {
  Counter::Refused refused;
  return Counter::open(attr, {.tid = 0}, refused) || refused.error != EINVAL;
}

bool is_known(const EventAttr& attr, const BitWord& word, std::uint64_t bit) {
  EventAttr attempt = probe();
  attempt.*word.word |= bit;
  if (word.word == &EventAttr::branch_sample_type) {
    attempt.sample_type = sample_bit::branch_stack;
    attempt.branch_sample_type |= reader::branch_sample::user;
  }
  // perf_copy_attr() refuses inherit_thread alone.
  attempt.set(flag::inherit, attempt.inherit_thread());
  attempt.clock_id = attempt.use_clockid() ? attr.clock_id : 0;
  return is_known(attempt);
}

}  // namespace

std::vector<std::string> leave_out_unknown_bits(EventAttr& attr) {
  std::vector<std::string> names;
  for (const BitWord& word : words) {
    std::uint64_t unknown = 0;
    for (std::uint64_t rest = attr.*word.word & word.candidates; rest != 0; rest &= rest - 1) {
      const std::uint64_t bit = rest & (0 - rest);
      if (!is_known(attr, word, bit)) unknown |= bit;
    }
    attr.*word.word &= ~unknown;
    for (std::string& name : reader::names_of_bits(unknown, word.names())) names.push_back(std::move(name));
    // PERF_SAMPLE_WEIGHT has the one weight that older kernels know.
    if (word.word == &EventAttr::sample_type && (unknown & sample_bit::weight_struct) != 0) {
      attr.sample_type |= sample_bit::weight;
    }
  }
  if (!attr.use_clockid()) attr.clock_id = 0;
  return names;
}

}  // namespace perfsift::record
