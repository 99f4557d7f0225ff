#include "base/portable_build.h"

// The first instructions of the portable program (tools/portable/start.c), which no other program has.
extern "C" [[gnu::weak]] void perfsift_start();

namespace perfsift {

bool is_portable_build() { return &perfsift_start != nullptr; }

}  // namespace perfsift
