// A recording in a file, in file or pipe form: opened, and visited in both ways.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "tests/reader/reading.h"
#include "tests/support/thorough_visitor.h"

using namespace perfsift;

// libtraceevent leaks memory when it cannot parse a description.
extern "C" const char* __lsan_default_suppressions() { return "leak:libtraceevent"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const test::FileInMemory recording(std::vector<std::byte>(bytes, bytes + size));
    recording->visit_parallel(1, [&](unsigned) { return std::make_unique<test::ThoroughVisitor>(*recording); });
    test::ThoroughVisitor visitor(*recording);
    recording->visit_in_order(visitor);
    visitor.look_at_the_rest();
  } catch (const InputError&) {
  }
  return 0;
}
