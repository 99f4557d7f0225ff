// What perf itself records here, to compare with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

#include "reader/recording.h"
#include "tests/support/temporary.h"

namespace perfsift::record {

// A recording of perf, or the reason why there is none.
struct PerfBeside {
  test::TemporaryDirectory folder;
  std::unique_ptr<reader::Recording> recording;
  std::string why_not;

  // `options`: those of perf record, and the command.
  explicit PerfBeside(const std::string& options) {
    const std::string data = (folder.path() / "perf.data").string();
    const std::string errors = (folder.path() / "errors").string();
    const std::string command = "perf record -o " + data + " " + options + " >/dev/null 2>" + errors + " </dev/null";
    if (std::system(command.c_str()) != 0) {
      constexpr std::size_t enough = 300;
      why_not = "perf cannot record here: " + test::content_of(errors).substr(0, enough);
      std::ranges::replace(why_not, '\n', ' ');  // a reason is one line: tests/left_out.py
      return;
    }
    recording = reader::Recording::open(data);
  }
};

}  // namespace perfsift::record
