#include "tools/picture/output_ending.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/printable.h"

namespace perfsift::tools {

void check_ending(const std::string& output, std::span<const std::string_view> endings, std::string_view otherwise) {
  // With such an ending people expect a picture, a table or a profile.
  constexpr std::string_view of_formats[] = {".svg",   ".html",   ".htm", ".png", ".jpg", ".jpeg", ".gif",
                                             ".webp",  ".pdf",    ".ps",  ".eps", ".csv", ".tsv",  ".json",
                                             ".jsonl", ".folded", ".gz",  ".pb",  ".data"};
  const auto ends_so = [&](std::string_view ending) { return output.ends_with(ending); };
  if (std::ranges::any_of(endings, ends_so) || std::ranges::none_of(of_formats, ends_so)) return;
  throw UsageError(printable(
      fmt::format("-o {}: there are the endings {}; {} to any name", output, fmt::join(endings, ", "), otherwise)));
}

}  // namespace perfsift::tools
