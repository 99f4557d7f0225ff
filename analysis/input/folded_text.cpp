#include "analysis/input/folded_text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "analysis/input/line_splitter.h"
#include "analysis/input/text_scan.h"

namespace perfsift::analysis {
namespace {

// "12" or "12.5": no sign and no exponent, as in flamegraph.pl.
bool read_count(std::string_view text, FoldedStack& stack) {
  const std::size_t point = skip(text, 0, is_digit);
  const auto [end, error] = std::from_chars(text.data(), text.data() + point, stack.count);
  if (point == 0 || error != std::errc{}) return false;
  if (point == text.size()) return true;
  const std::string_view digits = text.substr(point + 1);
  if (text[point] != '.' || digits.empty() || skip(digits, 0, is_digit) != digits.size()) return false;
  return std::from_chars(text.data() + point, text.data() + text.size(), stack.fraction).ec == std::errc{};
}

std::optional<FoldedStack> read_stack(std::string_view line) {
  const std::size_t space = line.find_last_of(" \t");
  if (space == npos || space == 0) return std::nullopt;
  FoldedStack stack{.text = line.substr(0, space)};
  if (!read_count(line.substr(space + 1), stack)) return std::nullopt;
  return stack;
}

std::optional<FoldedStack> read_pair(std::string_view line) {
  const auto with_after = read_stack(line);
  if (!with_after) return std::nullopt;
  auto stack = read_stack(with_after->text);
  if (!stack || stack->fraction != 0 || with_after->fraction != 0) return std::nullopt;
  stack->before = std::exchange(stack->count, with_after->count);
  return stack;
}

void split_frames(std::string_view text, std::vector<std::string_view>& frames) {
  frames.clear();
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(';', start), text.size());
    frames.push_back(text.substr(start, end - start));
    start = end + 1;
  }
}

}  // namespace

FoldedText::FoldedText(Visitor visitor, FoldedCounts counts) : visitor_(std::move(visitor)), counts_(counts) {}

void FoldedText::line(std::string_view line) {
  ++stats_.lines;
  line = line.substr(0, skip_back(line, line.size(), is_space));
  if (line.empty()) return;
  if (line.starts_with('#')) return void(++stats_.comments);
  if (auto stack = counts_ == FoldedCounts::two ? read_pair(line) : read_stack(line)) {
    ++stats_.stacks;
    if (stack->count != 0 || stack->fraction != 0 || stack->before != 0) ++stats_.with_samples;
    if (stack->fraction != 0) ++stats_.fractions;
    split_frames(stack->text, frames_);
    stack->frames = frames_;
    visitor_(*stack);
  } else if (++stats_.malformed == 1) {
    stats_.first_malformed = {stats_.lines, std::string(line)};
  }
}

FoldedCounts folded_counts(std::string_view first, bool is_cut) {
  FoldedText one([](const FoldedStack&) {});
  FoldedText two([](const FoldedStack&) {}, FoldedCounts::two);
  const auto all_have_two = [&] { return two.stats().stacks == one.stats().stacks; };
  LineSplitter lines([&](std::string_view line) {
    if (!all_have_two()) return;  // most texts show it with their first line
    one.line(line);
    two.line(line);
  });
  lines.feed(first);
  if (!is_cut) lines.finish();
  return two.stats().stacks != 0 && all_have_two() ? FoldedCounts::two : FoldedCounts::one;
}

}  // namespace perfsift::analysis
