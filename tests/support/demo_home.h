// A home with the program of testdata/demo.data in perf's cache of binaries, for commands that find names nowhere else.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/paths.h"
#include "tests/support/temporary.h"

namespace perfsift::test {

// $HOME is set as long as the object lives.
class DemoHome {
 public:
  DemoHome() {
    if (const char* home = std::getenv("HOME")) old_ = home;
    const auto folder = directory_.path() / ".debug/.build-id/f2/45b97a9126e523c84599ab656cd4dd93e97db6";
    std::filesystem::create_directories(folder);
    std::filesystem::create_symlink(source_path("testdata/symfs/opt/perfsift-demo/demo"), folder / "elf");
    setenv("HOME", directory_.path().c_str(), 1);
  }
  ~DemoHome() { setenv("HOME", old_.c_str(), 1); }
  DemoHome(const DemoHome&) = delete;
  DemoHome& operator=(const DemoHome&) = delete;

 private:
  const TemporaryDirectory directory_;
  std::string old_;
};

}  // namespace perfsift::test
