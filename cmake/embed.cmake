# perfsift_embed(TARGET NAMESPACE FILE...): compiles text files into a library. The text of script/flame.js is
#
#   namespace NAMESPACE { extern const std::string_view flame_js; }  // a header of the library declares it
#
# The files are UTF-8 and have no NUL. The constants must not be used before main(). Each call needs a namespace of its
# own, which gets one source: compiling each file alone would take longer than all files at once.
function(perfsift_embed target namespace)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]" OUTPUT_VARIABLE files)
  string(MAKE_C_IDENTIFIER "${namespace}" name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D "FILES=${files}" -D OUTPUT=${source} -D NAMESPACE=${namespace}
      -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake VERBATIM)
  target_sources(${target} PRIVATE ${source})
  # Clang names a length that compilers must support at least; GCC and Clang support any length.
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS -Wno-overlength-strings)
endfunction()
