# cmake -D FILE=… -D OUTPUT=… -D NAMESPACE=… -D NAME=… -P write_embedded.cmake: see embed.cmake.
file(READ "${FILE}" text)
if(text MATCHES "\\)embedded_text\"")
  message(FATAL_ERROR "${FILE}: contains the end of a C++ raw string, )embedded_text\"")
endif()
file(WRITE "${OUTPUT}" "#include <string_view>

namespace ${NAMESPACE} {
extern const std::string_view ${NAME};
const std::string_view ${NAME} = R\"embedded_text(${text})embedded_text\";
}  // namespace ${NAMESPACE}
")
