# perfsift_embed(TARGET NAMESPACE FILE...): compiles text files into a library. The text of script/flame.js is
#
#   namespace NAMESPACE { extern const std::string_view flame_js; }  // a header of the library declares it
#
# The files are UTF-8 and have no NUL. The constants must not be used before main().
function(perfsift_embed target namespace)
  foreach(path ${ARGN})
    cmake_path(ABSOLUTE_PATH path OUTPUT_VARIABLE file)
    cmake_path(GET path FILENAME filename)
    string(MAKE_C_IDENTIFIER "${filename}" name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -D FILE=${file} -D OUTPUT=${source} -D NAMESPACE=${namespace} -D NAME=${name}
        -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
      DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake VERBATIM)
    target_sources(${target} PRIVATE ${source})
    # Clang names a length that compilers must support at least; GCC and Clang support any length.
    set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
      COMPILE_OPTIONS -Wno-overlength-strings)
  endforeach()
endfunction()
