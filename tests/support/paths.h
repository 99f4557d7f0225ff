// Where tests find what they read and run. Only this is compiled anew in another clone.
#pragma once

#include <string>
#include <string_view>

namespace perfsift::test {

// "testdata/demo.data" in the sources; "perfsift" in what was built.
std::string source_path(std::string_view path);
std::string build_path(std::string_view path);

}  // namespace perfsift::test
