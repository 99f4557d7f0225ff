// Folded text with one count or two. The profile has the sum of the counts, and its output is read again as the same
// stacks.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/collect/text_collector.h"
#include "analysis/input/line_splitter.h"
#include "base/error.h"
#include "output/folded/folded.h"
#include "tests/fuzz/profile_sums.h"

using namespace perfsift;

namespace {

// The folded text of a profile, and the sum of its values.
struct Folded {
  std::string text;
  analysis::Amount sum;
  bool has_fractions = false, has_two_counts = false, overflows = false;
};

Folded read(std::string_view text, analysis::FrameDetail detail) {
  analysis::Profile profile;
  const analysis::FoldedCounts counts = analysis::folded_counts(text, false);
  analysis::FoldedTextCollector collector(profile, detail, counts);
  analysis::LineSplitter lines([&](std::string_view line) { collector.line(line); });
  lines.feed(text);
  lines.finish();
  const analysis::FoldedTextStats& stats = collector.stats();
  if (stats.stacks + stats.malformed + stats.comments > stats.lines) __builtin_trap();
  if (stats.with_samples > stats.stacks) __builtin_trap();
  const test::ProfileSums sums = test::sums_of(profile);
  Folded folded{.text = {}, .sum = sums.stacks, .has_fractions = stats.fractions != 0};
  folded.sum += sums.frameless;
  folded.has_two_counts = counts == analysis::FoldedCounts::two;
  output::write_folded(profile, {}, [&](std::string_view part) { folded.text += part; });
  return folded;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const Folded first = read(text, static_cast<analysis::FrameDetail>(data[0] % 4));
    if (first.has_fractions || first.has_two_counts) return 0;
    const Folded second = read(first.text, analysis::FrameDetail::text);
    if (second.has_two_counts) return 0;  // a frame that ends in a number
    if (second.text != first.text) __builtin_trap();
  } catch (const InputError&) {  // the counts are too large
  }
  return 0;
}
