// The text that describes a tracepoint (the file `format` in tracefs).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace perfsift::reader {

struct Description {
  std::string declarations;  // name, ID and fields, which libtraceevent reads
  std::string_view print;    // what follows `print fmt:`, for print::Format
};

// libtraceevent trusts descriptions to be the kernel's: it follows null pointers when a field is declared in another
// way. Nothing for a description with such a field.
std::optional<Description> read_description(std::string_view text);

}  // namespace perfsift::reader
