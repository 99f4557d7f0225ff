// Work that may crash, done where it does no harm.
#pragma once

#include <functional>
#include <string>

namespace perfsift::tools {

struct ChildOutcome {
  std::string said;     // what was told; whole also when the child crashed later
  std::string problem;  // how it ended, unless well: "crashed: Segmentation fault"
};

// Runs `work` in a child process, with standard output thrown away; what `work` passes to its argument is told. A child
// that takes longer than `seconds` is ended. Throws Error when there can be no child. Only for commands without
// threads.
using Tell = std::function<void(const std::string& text)>;
ChildOutcome in_child_process(unsigned seconds, const std::function<void(const Tell& tell)>& work);

}  // namespace perfsift::tools
