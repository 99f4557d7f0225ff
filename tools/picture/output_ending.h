// The endings of names of outputs, for commands that choose their format by it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace perfsift::tools {

// Throws UsageError for the name of an output whose ending is that of a format, but none of `endings`: the file would
// be taken for what it is not. Other names are fine. `otherwise`: which options write to any name.
void check_ending(const std::string& output, std::span<const std::string_view> endings, std::string_view otherwise);

}  // namespace perfsift::tools
