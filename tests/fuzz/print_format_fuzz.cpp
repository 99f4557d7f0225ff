// The print format of a tracepoint: parsed, and applied to raw data.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "reader/tracepoint/print/format.h"

using namespace perfsift;
using namespace perfsift::reader;

namespace {

// Fields of all kinds, with the names a to h.
const std::vector<TracepointField> fields = {
    {.name = "a", .type = "int", .offset = 8, .size = 4, .is_signed = true},
    {.name = "b", .type = "u64", .offset = 16, .size = 8},
    {.name = "c", .type = "const char *", .offset = 24, .size = 8},
    {.name = "d", .type = "char[16]", .offset = 32, .size = 16, .element_size = 1, .is_string = true, .is_array = true},
    {.name = "e", .type = "u32[4]", .offset = 48, .size = 16, .element_size = 4, .is_array = true},
    {.name = "f", .type = "__data_loc u8[]", .offset = 12, .size = 4, .is_array = true, .is_dynamic = true},
    {.name = "g",
     .type = "__rel_loc char[]",
     .offset = 64,
     .size = 4,
     .is_array = true,
     .is_dynamic = true,
     .is_relative = true},
    {.name = "h", .type = "char[]", .offset = 68, .size = 0, .element_size = 1, .is_array = true},
};

}  // namespace

// The first byte is the byte order and the size of long. The second byte is the size of the raw data. Then the raw data
// and the text follow.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Bytes rest(reinterpret_cast<const std::byte*>(data) + 2, size - 2);
  const Bytes raw = rest.first(std::min<std::size_t>(data[1], rest.size()));
  const Bytes text = rest.subspan(raw.size());
  const unsigned long_size = (data[0] & 2) != 0 ? 4 : 8;
  const auto format =
      print::Format::parse({reinterpret_cast<const char*>(text.data()), text.size()}, fields, long_size);
  if (!format) return 0;
  static const KernelNames names;
  const auto order = (data[0] & 1) != 0 ? ByteOrder::swapped : ByteOrder::native;
  const auto printed =
      format->print({.fields = fields, .kernel = names, .raw = raw, .order = order, .long_size = long_size});
  if (printed && printed->size() > (1U << 20)) std::abort();  // no text of the kernel is that long
  return 0;
}
