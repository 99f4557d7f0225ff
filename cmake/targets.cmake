# Settings that all our targets share.

add_library(perfsift_options INTERFACE)
target_include_directories(perfsift_options INTERFACE ${CMAKE_SOURCE_DIR})
target_link_libraries(perfsift_options INTERFACE nlohmann_json::nlohmann_json)  # headers that all targets precompile
target_compile_options(perfsift_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -fvisibility=hidden -pthread
  $<$<BOOL:${PERFSIFT_WERROR}>:-Werror>
  # In a unity build (UNITY_BUILD) files see each other's names; GCC treats all files but the first as headers.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>
  # ccache may return a precompiled header that is older than the file that lists the headers.
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>"
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>
  # GCC looks for garbage in its memory many times per unit, and finds little: without, a unit takes a twelfth less time.
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=1048576>"
  # GCC 12 at -O3 warns about impossible paths through the standard library (GCC bugs 105329 and 105651 among others).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>
  # GCC 13 and 14 take a reference that a function returns for one to its argument, if the argument is temporary.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>)

# GCC takes seconds per unit to check format strings during compilation; other builds check the same strings.
target_compile_definitions(perfsift_options INTERFACE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:RelWithDebInfo>>:FMT_CONSTEVAL=>)

# The headers that most files include are parsed once for all targets with the same compile flags: by the target named
# in perfsift_parses_headers, which is the first of these targets.
set(perfsift_parses_headers perfsift_base)
set(perfsift_common_headers <algorithm> <array> <charconv> <chrono> <cstdint> <cstring> <filesystem> <functional> <map> <memory> <mutex>
  <optional> <set> <span> <string> <string_view> <tuple> <unordered_map> <utility> <vector> <fmt/format.h> <nlohmann/json.hpp>)
function(perfsift_precompile target) # [HEADER...]
  if(NOT PERFSIFT_UNITY)
    return()
  elseif(target STREQUAL perfsift_parses_headers)
    target_precompile_headers(${target} PRIVATE ${perfsift_common_headers} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${perfsift_parses_headers})
  endif()
endfunction()

# perfsift_library(NAME [DEPENDS...]): a static library of all .cpp files below the current folder.
function(perfsift_library name)
  perfsift_library_of(${name} FOLDERS . DEPENDS ${ARGN})
endfunction()

# perfsift_library_of(NAME FOLDERS ... DEPENDS ...): a static library of all .cpp files of some folders, without
# main.cpp. The files of a folder are compiled at once, which takes a third of the time. A dlfilter module links whole
# folders; the linker drops the functions that nothing calls.
function(perfsift_library_of name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;DEPENDS")
  list(TRANSFORM arg_FOLDERS APPEND /*.cpp)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${arg_FOLDERS})
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS} PRIVATE perfsift_options)
  target_compile_options(${name} PRIVATE -ffunction-sections -fdata-sections)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${PERFSIFT_UNITY} UNITY_BUILD_MODE GROUP)
  perfsift_precompile(${name})
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    cmake_path(GET file PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "in_${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# perfsift_unit(FOLDER...): the files of these folders are compiled at once. Every unit compiles the templates of its
# headers anew, so a unit of a small folder takes longest in relation to its code.
function(perfsift_unit)
  list(JOIN ARGN _ name)
  string(MAKE_C_IDENTIFIER "of_${name}" group)
  foreach(folder ${ARGN})
    file(GLOB sources ${folder}/*.cpp)
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# perfsift_runs_once(TARGET): the code of the target runs a few times per command, so the compiler saves its time: at
# -O1 it takes a third less than at -O3.
function(perfsift_runs_once target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  # The options of headers that were precompiled at -O3 are not those of -O1 for GCC 13 and later.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13 AND CMAKE_BUILD_TYPE STREQUAL RelWithDebInfo)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
