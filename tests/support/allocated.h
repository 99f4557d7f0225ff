// The number of allocated bytes, without mapped files.
#pragma once

#include <cstddef>

#include <malloc.h>

#include "tests/support/instrumented.h"
#if defined(__SANITIZE_ADDRESS__)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // GCC 12 has no header for this function
#endif

namespace perfsift::test {

inline std::size_t allocated() {
#if defined(__SANITIZE_ADDRESS__)
  return __sanitizer_get_current_allocated_bytes();
#else
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}

}  // namespace perfsift::test
