# cmake -D "FILES=…;…" -D OUTPUT=… -D NAMESPACE=… -P write_embedded.cmake: see embed.cmake.
set(source "#include <string_view>\n\nnamespace ${NAMESPACE} {\n")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  if(text MATCHES "\\)embedded_text\"")
    message(FATAL_ERROR "${file}: contains the end of a C++ raw string, )embedded_text\"")
  endif()
  get_filename_component(name "${file}" NAME)
  string(MAKE_C_IDENTIFIER "${name}" name)
  string(APPEND source "extern const std::string_view ${name};\n"
    "const std::string_view ${name} = R\"embedded_text(${text})embedded_text\";\n")
endforeach()
file(WRITE "${OUTPUT}" "${source}}  // namespace ${NAMESPACE}\n")
