// Defines __SANITIZE_ADDRESS__ for clang, too. GCC defines this macro when it compiles with AddressSanitizer.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
