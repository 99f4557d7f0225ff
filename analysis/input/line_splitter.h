// Cuts text that arrives in chunks into lines.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace perfsift::analysis {

// Not thread-safe. Views are handed out for the time of the call.
class LineSplitter {
 public:
  using Visitor = std::function<void(std::string_view line)>;

  explicit LineSplitter(Visitor visitor);

  // Hands out the lines that are complete, without their newline; keeps the rest for the next chunk.
  void feed(std::string_view chunk);
  // Hands out what is left after the last newline, if anything is.
  void finish();

 private:
  Visitor visitor_;
  std::string unfinished_;
};

}  // namespace perfsift::analysis
