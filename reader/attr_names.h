// The names perf gives to the bits of a perf_event_attr.
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

// In perf's order, which is not always that of the bits.
std::span<const BitName> sample_type_names();         // "IP"
std::span<const BitName> read_format_names();         // "TOTAL_TIME_ENABLED"
std::span<const BitName> branch_sample_type_names();  // "ANY_CALL"
std::span<const BitName> attr_flag_names();           // "exclude_kernel"; precise_ip, a number of 2 bits, is not there

// The names of the bits set in `word`; one nobody here knows is "bit 40".
std::vector<std::string> names_of_bits(std::uint64_t word, std::span<const BitName> names);

}  // namespace perfsift::reader
