# Debian packages: cpack --config CPackConfig.cmake in the build folder; ./dev package.
#
# A package has the files of one component of install(). prepare.cmake adds what Debian's policy asks for.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "the perfsift authors <perfsift@users.noreply.github.com>")
set(CPACK_PACKAGE_HOMEPAGE_URL "")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/debian/prepare.cmake)
set(CPACK_PERFSIFT_SOURCE ${CMAKE_SOURCE_DIR})
set(CPACK_COMPONENTS_ALL)

# perfsift_package(COMPONENT NAME SECTION SUMMARY TEXT [VARIABLE VALUE]...): each variable is one of
# CPACK_DEBIAN_<COMPONENT>_*, which the documentation of CPack's DEB generator lists; "|" separates the items of a list.
macro(perfsift_package component name section summary text)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}")
  set(variables ${ARGN})
  while(variables)
    list(POP_FRONT variables variable value)
    string(REPLACE "|" ";" value "${value}")
    set(CPACK_DEBIAN_${upper}_${variable} "${value}")
  endwhile()
endmacro()

perfsift_package(program perfsift utils "profiles of perf record: tables, flame graphs, pages"
  "perfsift reads what Linux perf record writes, and shows where the time went:
as a table, a flame graph, a page in the browser, folded stacks, or a file for
pprof, speedscope, the Firefox Profiler, Perfetto and kcachegrind. It also shows where
threads waited, compares recordings, and writes smaller ones."
  PACKAGE_RECOMMENDS "linux-perf" PACKAGE_SUGGESTS "perfsift-dlfilters, libpfm4, libcapstone4, libssl3, ca-certificates")
perfsift_package(dlfilters perfsift-dlfilters utils "filters for perf script, of perfsift"
  "These modules for perf script --dlfilter select samples by expressions, write
folded stacks or JSON, show where threads waited, and what memory accesses found,
inside perf."
  PACKAGE_RECOMMENDS "linux-perf")
perfsift_package(dlfilter-sdk perfsift-dlfilter-dev libdevel "headers for filters of perf script"
  "Two C++ headers, and a CMake package that finds them, for writing modules for
perf script --dlfilter. They need neither perf nor perfsift."
  PACKAGE_SHLIBDEPS OFF)
perfsift_package(library libperfsift0 libs "library that reads profiles of perf record"
  "Programs use this library to read what Linux perf record writes: samples with
named stacks, address spaces, folded stacks, and where threads waited."
  PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/debian/triggers)
set(of_this_version "libperfsift0 (= ${PROJECT_VERSION})")
perfsift_package(devel libperfsift-dev libdevel "headers of libperfsift for C++ and C"
  "The headers, the static library, packages for CMake and pkg-config, and examples."
  PACKAGE_DEPENDS "${of_this_version}" PACKAGE_SHLIBDEPS OFF)
perfsift_package(python python3-perfsift python "profiles of perf record in Python"
  "The module perfsift gives samples of perf record as columns of numpy, with names,
filters, folded stacks, and where threads waited."
  PACKAGE_DEPENDS "${of_this_version}, python3, python3-numpy" PACKAGE_SHLIBDEPS OFF
  PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/cmake/debian/python/postinst|${CMAKE_SOURCE_DIR}/cmake/debian/python/prerm")

include(CPack)
