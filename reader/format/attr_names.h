// perf's names of the bits of a perf_event_attr.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::reader {

struct BitName {
  unsigned bit = 0;
  std::string_view name;
};

// The names in perf's order, which differs in places from the order of the bits.
std::span<const BitName> sample_type_names();         // "IP"
std::span<const BitName> read_format_names();         // "TOTAL_TIME_ENABLED"
std::span<const BitName> branch_sample_type_names();  // "ANY_CALL"
std::span<const BitName> attr_flag_names();           // "exclude_kernel"; without precise_ip, a number of 2 bits

// The names of the set bits of `word`; an unknown bit is "bit 40".
std::vector<std::string> names_of_bits(std::uint64_t word, std::span<const BitName> names);

}  // namespace perfsift::reader
