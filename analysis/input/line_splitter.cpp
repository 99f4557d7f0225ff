#include "analysis/input/line_splitter.h"

#include <utility>

#include "analysis/input/text_scan.h"

namespace perfsift::analysis {

LineSplitter::LineSplitter(Visitor visitor) : visitor_(std::move(visitor)) {}

void LineSplitter::feed(std::string_view chunk) {
  std::size_t start = 0;
  for (std::size_t end = chunk.find('\n'); end != std::string_view::npos; end = chunk.find('\n', start)) {
    const std::string_view line = chunk.substr(start, end - start);
    if (unfinished_.empty()) {
      pass(line);
    } else {
      pass(unfinished_.append(line));
      unfinished_.clear();
    }
    start = end + 1;
  }
  unfinished_.append(chunk.substr(start));
}

void LineSplitter::finish() {
  if (!unfinished_.empty()) pass(unfinished_);
  unfinished_.clear();
}

void LineSplitter::pass(std::string_view line) {
  visitor_(std::exchange(passed_any_, true) ? line : without_mark(line));
}

}  // namespace perfsift::analysis
