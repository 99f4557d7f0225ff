// Splits text that arrives in chunks into lines.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace perfsift::analysis {

// Not thread-safe. A view is valid only during the visitor's call.
class LineSplitter {
 public:
  using Visitor = std::function<void(std::string_view line)>;

  explicit LineSplitter(Visitor visitor);

  // Passes on the complete lines, without their newline and the byte order mark of UTF-8 in front of the first; keeps
  // the rest for the next chunk.
  void feed(std::string_view chunk);
  // Passes on the text after the last newline, if there is any.
  void finish();

 private:
  void pass(std::string_view line);

  Visitor visitor_;
  bool passed_any_ = false;
  std::string unfinished_;
};

}  // namespace perfsift::analysis
