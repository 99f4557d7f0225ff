#include "tests/support/paths.h"

namespace perfsift::test {

std::string source_path(std::string_view path) { return std::string(PERFSIFT_SOURCE_DIR "/").append(path); }
std::string build_path(std::string_view path) { return std::string(PERFSIFT_BINARY_DIR "/").append(path); }

}  // namespace perfsift::test
