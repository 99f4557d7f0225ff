// The print format of a tracepoint, which its author in the kernel wrote: `"pid=%d comm=%s", REC->pid, REC->comm`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reader/tracepoint/field.h"
#include "reader/tracepoint/print/expression.h"

namespace perfsift::reader::print {

// Thread-safe once constructed.
class Format {
 public:
  // `text`: what follows `print fmt:`. Nothing when a part of it is not understood: no value is better than a wrong
  // value.
  static std::optional<Format> parse(std::string_view text, const std::vector<TracepointField>& fields,
                                     unsigned long_size);

  // Nothing when the raw data lacks something that is printed, or when C leaves an argument undefined.
  std::optional<std::string> print(const Sample& sample) const;

 private:
  // A conversion, with the text in front of it. The text after the last conversion is a piece without a conversion.
  struct Piece {
    std::string before;
    char conversion = '\0';  // d u x X o c s p
    std::string flags;       // of "-+ #0"
    int width = -1, precision = -1;
    std::optional<std::size_t> width_argument, precision_argument;
    std::uint8_t size = 4;  // bytes of a number
    std::string extension;  // the text after %p: "I6c"
    std::size_t argument = 0;
  };
  class Reader;
  class Writer;

  std::vector<Piece> pieces_;
  std::vector<Expression> arguments_;
};

}  // namespace perfsift::reader::print
