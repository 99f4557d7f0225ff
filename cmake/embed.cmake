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

# perfsift_bundle(NAME FILE): makes one script of an ES module and of all modules that it imports, without comments and
# with short names of variables, because each picture and page contains its script. The variable NAME_js becomes the path of
# the script NAME.js.
function(perfsift_bundle name file)
  set(bundle ${CMAKE_CURRENT_BINARY_DIR}/bundles/${name}.js)
  get_filename_component(folder ${file} DIRECTORY)
  file(GLOB modules CONFIGURE_DEPENDS ${folder}/*.js web/*.js)
  add_custom_command(OUTPUT ${bundle}
    COMMAND ${ESBUILD} ${file} --bundle --minify --format=iife --target=es2022 "--banner:js=\"use strict\"$<SEMICOLON>"
      --log-level=warning --outfile=${bundle}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} DEPENDS ${modules} VERBATIM)
  set(${name}_js ${bundle} PARENT_SCOPE)
endfunction()
