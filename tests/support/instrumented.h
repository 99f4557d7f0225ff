// __SANITIZE_ADDRESS__, by which GCC says that it compiles with AddressSanitizer, for clang too.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
