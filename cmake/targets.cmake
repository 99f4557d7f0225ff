# What all our targets have in common.

add_library(perfsift_options INTERFACE)
target_include_directories(perfsift_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(perfsift_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -fvisibility=hidden
  $<$<BOOL:${PERFSIFT_WERROR}>:-Werror>
  # Files that are compiled together (UNITY_BUILD) see each other's names; GCC takes all but the first for headers.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
  # GCC 12 at -O3 warns of paths through the standard library that no caller takes (GCC bugs 105329 and 105651 among them).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow>)

# perfsift_library(NAME [DEPENDS...]): a static library of all the .cpp files below the current folder.
function(perfsift_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${ARGN} PRIVATE perfsift_options)
endfunction()

# perfsift_compile_by_folder(TARGET [FILE...]): the files of a folder are compiled at once, which takes a third of the time;
# but not those named. For the linker takes whole object files, with all that they need; so what dlfilter modules have
# some of is compiled alone, and they have no more than they use.
function(perfsift_compile_by_folder target)
  if(CMAKE_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE alone)
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${alone})
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "in_${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
