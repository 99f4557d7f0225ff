// Built where clang or libbpf is missing: see record/CMakeLists.txt.
#include "base/error.h"
#include "record/waits/wait_programs.h"

namespace perfsift::record {

std::string WaitPrograms::why_missing() {
  return "--in-kernel: this perfsift was built without BPF programs: build it where clang, llvm-strip and libbpf-dev "
         "are installed, or record every switch: leave --in-kernel away";
}

std::unique_ptr<WaitPrograms> WaitPrograms::load(const WaitPlan& /*plan*/, Tracepoints /*tracepoints*/) {
  throw Error(why_missing());
}

}  // namespace perfsift::record
