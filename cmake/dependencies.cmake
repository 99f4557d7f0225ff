# All dependencies come from the packages of the distribution; `./dev` installs the packages.
find_package(Threads REQUIRED)
if(POLICY CMP0167)  # CMake 3.30 and later warn about their own module for Boost, whose package has one
  cmake_policy(SET CMP0167 NEW)
endif()
find_package(Boost REQUIRED COMPONENTS program_options)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(zydis REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(DW REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(TRACEEVENT REQUIRED IMPORTED_TARGET libtraceevent)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)

# Makes one script of the modules of pages and pictures.
find_program(ESBUILD esbuild REQUIRED)

# libiberty has no pkg-config file. perf itself demangles with libiberty, so the names are spelled the same.
find_library(IBERTY_LIBRARY iberty REQUIRED)
find_path(IBERTY_INCLUDE_DIR demangle.h PATH_SUFFIXES libiberty REQUIRED)
add_library(iberty INTERFACE)
target_link_libraries(iberty INTERFACE ${IBERTY_LIBRARY})
target_include_directories(iberty SYSTEM INTERFACE ${IBERTY_INCLUDE_DIR})

# Only the headers of libpfm4, which is loaded when a name needs it. It has no pkg-config file.
find_path(PFM_INCLUDE_DIR perfmon/pfmlib.h REQUIRED)
add_library(pfm INTERFACE)
target_include_directories(pfm SYSTEM INTERFACE ${PFM_INCLUDE_DIR})

# Only the headers of OpenSSL, which is loaded when a connection needs TLS.
find_path(OPENSSL_INCLUDE_DIR openssl/ssl.h REQUIRED)
add_library(openssl_headers INTERFACE)
target_include_directories(openssl_headers SYSTEM INTERFACE ${OPENSSL_INCLUDE_DIR})

# Only the headers of capstone, which is loaded when instructions of aarch64 are shown.
find_path(CAPSTONE_INCLUDE_DIR capstone/capstone.h REQUIRED)

# A library of headers, without a pkg-config file.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)
add_library(protozero INTERFACE)
target_include_directories(protozero SYSTEM INTERFACE ${PROTOZERO_INCLUDE_DIR})
