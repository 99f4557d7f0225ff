// The text of /proc/kallsyms.
#include <cstddef>
#include <cstdint>
#include <string>

#include "symbolize/symbols/kallsyms.h"

using namespace perfsift::symbolize;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Kallsyms kallsyms(std::string(reinterpret_cast<const char*>(data), size));
  for (const Symbol& symbol : kallsyms.kernel()) {
    if (!kallsyms.address_of(symbol.name)) __builtin_trap();
  }
  kallsyms.module("ext4");
  return 0;
}
