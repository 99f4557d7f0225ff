// The print format of a tracepoint: what the kernel's author of it made of its fields,
// `"pid=%d comm=%s", REC->pid, REC->comm`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reader/tracepoint.h"
#include "reader/tracepoint/print/expression.h"

namespace perfsift::reader::print {

// Thread-safe once it stands.
class Format {
 public:
  // What follows `print fmt:`. Nothing when it is not understood in all its parts: a wrong value is worse than none.
  static std::optional<Format> parse(std::string_view text, const std::vector<TracepointField>& fields,
                                     unsigned long_size);

  // Nothing when the raw data does not hold what is printed, or C does not say what an argument is.
  std::optional<std::string> print(const Sample& sample) const;

 private:
  // A conversion, with the text in front of it; what follows the last one has no conversion.
  struct Piece {
    std::string before;
    char conversion = '\0';  // d u x X o c s p
    std::string flags;       // of "-+ #0"
    int width = -1, precision = -1;
    std::optional<std::size_t> width_argument, precision_argument;
    std::uint8_t size = 4;  // bytes of a number
    std::string extension;  // what follows %p: "I6c"
    std::size_t argument = 0;
  };
  class Reader;
  class Writer;

  std::vector<Piece> pieces_;
  std::vector<Expression> arguments_;
};

}  // namespace perfsift::reader::print
