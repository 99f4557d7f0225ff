// The paths of the source and build folders. In another clone, only this library is compiled again.
#pragma once

#include <string>
#include <string_view>

namespace perfsift::test {

// The path in the source or build folder, for example "testdata/demo.data" and "perfsift".
std::string source_path(std::string_view path);
std::string build_path(std::string_view path);

}  // namespace perfsift::test
