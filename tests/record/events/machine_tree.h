// The sysfs of another machine, made from testdata/sysfs/NAME.txt.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "record/events/event_parser.h"
#include "tests/support/paths.h"
#include "tests/support/temporary.h"

namespace perfsift::test {

inline void write_small_file(const std::filesystem::path& path, const std::string& content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << content << '\n';
}

// A folder with the files of one machine: PMUs in sysfs, and a few tracepoints.
class MachineTree {
 public:
  explicit MachineTree(const std::string& machine = "") {
    if (!machine.empty()) write_pmus(source_path("testdata/sysfs/" + machine + ".txt"));
  }

  std::string sysfs() const { return folder_.path().string(); }
  record::EventSources sources() const { return {.sysfs = sysfs(), .tracefs = ""}; }
  void add(const std::string& path, const std::string& content) const {
    write_small_file(sysfs() + "/bus/event_source/devices/" + path, content);
  }
  void add_tracepoint(const std::string& system, const std::string& name, int id) const {
    write_small_file(sysfs() + "/kernel/tracing/events/" + system + "/" + name + "/id", std::to_string(id));
  }

 private:
  void write_pmus(const std::string& list) const {
    std::ifstream in(list);
    if (!in) throw std::runtime_error("cannot read " + list);
    for (std::string line; std::getline(in, line);) {
      const std::size_t colon = line.find(": ");
      if (line.starts_with('#') || colon == std::string::npos) continue;
      add(line.substr(0, colon), line.substr(colon + 2));
    }
  }

  TemporaryDirectory folder_;
};

}  // namespace perfsift::test
