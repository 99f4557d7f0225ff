// The functions and source lines at an address of a program: symbolize PROGRAM ADDRESS
#include <cstdio>
#include <cstdlib>

#include <perfsift/all.h>

int main(int, char** arguments) try {
  const perfsift::Symbolizer symbolizer;
  for (const perfsift::Frame& frame : symbolizer.frames(arguments[1], std::strtoull(arguments[2], nullptr, 16))) {
    std::printf("%s\n%s:%u\n", std::string(frame.function).c_str(), std::string(frame.file).c_str(), frame.line);
  }
} catch (const perfsift::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
