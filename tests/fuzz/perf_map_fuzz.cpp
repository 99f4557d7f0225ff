// The text of /tmp/perf-PID.map.
#include <cstddef>
#include <cstdint>
#include <string>

#include "symbolize/jit/perf_map.h"

using namespace perfsift::symbolize;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = parse_perf_map(std::string(reinterpret_cast<const char*>(data), size));
  for (std::uint64_t address : {std::uint64_t{0}, std::uint64_t{0x1010}, ~std::uint64_t{0}}) {
    const Symbol* symbol = table->find(address);
    if (symbol != nullptr && symbol->name.size() > size) __builtin_trap();
  }
  return 0;
}
