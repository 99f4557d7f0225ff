// A recording in pipe form, read as from a pipe, in pieces of a few bytes up to the whole recording.
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "tests/reader/reading.h"
#include "tests/support/thorough_visitor.h"

using namespace perfsift;

// libtraceevent leaks memory when it cannot parse a description.
extern "C" const char* __lsan_default_suppressions() { return "leak:libtraceevent"; }

// The first byte selects the size of the pieces. The rest is the recording.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = std::size_t{1} << data[0] % 16;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  if (!reader::is_pipe_header(bytes)) return 0;
  try {
    const auto recording = test::stream_in_memory(bytes, piece);
    test::ThoroughVisitor visitor(*recording);
    recording->visit_in_order(visitor);
    visitor.look_at_the_rest();
  } catch (const InputError&) {  // for the header
  }
  return 0;
}
