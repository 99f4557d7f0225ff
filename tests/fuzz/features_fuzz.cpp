// One section of the header, in either byte order.
#include <cstddef>
#include <cstdint>

#include "reader/features/features.h"
#include "reader/tracepoint.h"

using namespace perfsift;

// libtraceevent leaks memory when it cannot parse a description.
extern "C" const char* __lsan_default_suppressions() { return "leak:libtraceevent"; }

// The first byte is the number of the feature and, in its highest bit, the byte order. The rest is the section.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteOrder order = (data[0] & 0x80) != 0 ? ByteOrder::swapped : ByteOrder::native;
  const Bytes section(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  reader::Features features;
  features.cpus_available = 2;
  reader::decode_feature(data[0] & 0x7f, section, order, features);
  if (features.tracing_data.empty()) return 0;

  const auto formats = reader::TracepointFormats::parse(features.tracing_data);
  if (!formats) return 0;
  for (const reader::TracepointFormat& format : formats->all()) formats->print(format, section.first(size / 2));
  return 0;
}
