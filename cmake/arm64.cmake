# Cross-compiles for aarch64 with Debian's packages, which ./dev lays into build/arm64/root (cmake/sysroot.sh). Programs of the
# build, such as clang for BPF and esbuild, are those of this machine; programs that were built run under qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/arm64/root)
cmake_path(NORMAL_PATH CMAKE_SYSROOT)
set(PERFSIFT_SYSROOT ${CMAKE_SYSROOT} CACHE INTERNAL "for cmake/release/release.sh")
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# Headers with __FILE__, such as Boost's, must not write the path of this machine's folder into programs.
set(CMAKE_C_FLAGS_INIT -ffile-prefix-map=${CMAKE_SYSROOT}=)
set(CMAKE_CXX_FLAGS_INIT ${CMAKE_C_FLAGS_INIT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CMAKE_SYSROOT})

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
