// Debug information about the variable at an address.
#pragma once

#include <cstdint>
#include <string>

namespace perfsift::symbolize {

struct SourceVariable {
  std::string name;        // as in the source, without its namespaces
  std::string path;        // from the variable to the data: "[3].book.bid"; empty: the variable has no parts
  std::string file;        // of the declaration; empty: unknown
  std::uint32_t line = 0;  // 0: unknown
};

}  // namespace perfsift::symbolize
