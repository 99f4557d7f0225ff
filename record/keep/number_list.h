// Numbers of CPUs and threads as a list: "0-3,7".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perfsift::record {

// `numbers` must ascend.
template <typename T>
std::string number_list(const std::vector<T>& numbers) {
  std::string list;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!list.empty()) list += ',';
    list += std::to_string(numbers[i]);
    if (last > i) list += (last > i + 1 ? "-" : ",") + std::to_string(numbers[last]);
    i = last + 1;
  }
  return list;
}

}  // namespace perfsift::record
