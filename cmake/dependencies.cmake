# Everything comes from the distribution's packages; `./dev` installs them.
find_package(Threads REQUIRED)
find_package(Boost REQUIRED COMPONENTS program_options)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(DW REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(TRACEEVENT REQUIRED IMPORTED_TARGET libtraceevent)

# libiberty has no pkg-config file. It demangles what perf itself demangles, with perf's own spelling.
find_library(IBERTY_LIBRARY iberty REQUIRED)
find_path(IBERTY_INCLUDE_DIR demangle.h PATH_SUFFIXES libiberty REQUIRED)
add_library(iberty INTERFACE)
target_link_libraries(iberty INTERFACE ${IBERTY_LIBRARY})
target_include_directories(iberty SYSTEM INTERFACE ${IBERTY_INCLUDE_DIR})
