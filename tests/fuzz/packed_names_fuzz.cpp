// The names of a packed recording without binaries: what is read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

#include "symbolize/symbols/packed_names.h"

using namespace perfsift::symbolize;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto names = read_packed_names({reinterpret_cast<const char*>(data), size});
  if (!names) return 0;
  std::set<std::uint64_t> offsets = {0, 1, ~std::uint64_t{0}};
  for (const Symbol& symbol : names->symbols()) offsets.insert({symbol.start, symbol.start + 1});
  const std::string written = packed_names(*names, offsets);
  const auto again = read_packed_names(written);
  if (!again || again->symbols().size() > names->symbols().size()) __builtin_trap();
  return 0;
}
