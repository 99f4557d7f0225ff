// A made tree of /proc and /sys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "record/machine/kernel_files.h"
#include "tests/support/temporary.h"

namespace perfsift::record {

class MadeRoots {
 public:
  KernelRoots roots() const {
    return {.proc = (folder_.path() / "proc").string(), .sysfs = (folder_.path() / "sys").string()};
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  void write(const std::string& name, std::string_view text) const { folder_.write(name, text); }
  void proc(const std::string& name, std::string_view text) const { write("proc/" + name, text); }
  void sys(const std::string& name, std::string_view text) const { write("sys/" + name, text); }

  // A thread of a process; the first thread has the number of the process.
  void thread(int pid, int tid, std::string_view name, std::string_view maps = "") const {
    proc(fmt::format("{}/task/{}/comm", pid, tid), std::string(name) + "\n");
    proc(fmt::format("{}/task/{}/maps", pid, tid), maps);
  }
  void process(int pid, int parent, std::string_view name, std::string_view maps = "") const {
    proc(fmt::format("{}/status", pid),
         fmt::format("Name:\t{}\nTgid:\t{}\nPid:\t{}\nPPid:\t{}\n", name, pid, pid, parent));
    thread(pid, pid, name, maps);
  }

 private:
  test::TemporaryDirectory folder_;
};

}  // namespace perfsift::record
