# What all our targets have in common.

add_library(perfsift_options INTERFACE)
target_include_directories(perfsift_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(perfsift_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -fvisibility=hidden
  $<$<BOOL:${PERFSIFT_WERROR}>:-Werror>
  # In files that are compiled together (UNITY_BUILD) it takes all but the first for headers.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
  # GCC 12 at -O3 warns of paths through the standard library that no caller takes (GCC bugs 105329 and 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# perfsift_library(NAME [DEPENDS...]): a static library of all the .cpp files below the current folder.
function(perfsift_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${ARGN} PRIVATE perfsift_options)
endfunction()
