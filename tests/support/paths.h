// The paths of the source and build folders. Only this library is compiled anew in another clone.
#pragma once

#include <string>
#include <string_view>

namespace perfsift::test {

// For example "testdata/demo.data" in the source folder and "perfsift" in the build folder.
std::string source_path(std::string_view path);
std::string build_path(std::string_view path);

}  // namespace perfsift::test
