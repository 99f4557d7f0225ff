// Work that may crash, in a child process.
#pragma once

#include <functional>
#include <string>

namespace perfsift::tools {

struct ChildOutcome {
  std::string said;     // the text of the child; whole also when the child crashed later
  std::string problem;  // how it ended, unless well: "crashed: Segmentation fault"
};

// Runs `work` in a child process, with standard output thrown away. `work` returns its text through its argument. A
// child that takes longer than `seconds` is killed. Throws Error if no child can be made. Only for commands without
// threads.
using Tell = std::function<void(const std::string& text)>;
ChildOutcome in_child_process(unsigned seconds, const std::function<void(const Tell& tell)>& work);

}  // namespace perfsift::tools
