#include "filter/text_pattern.h"

#include <re2/re2.h>

#include "base/error.h"
#include "base/glob.h"
#include "base/path.h"

namespace perfsift::filter {
namespace {

std::shared_ptr<const re2::RE2> compile(const std::string& pattern) {
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingLatin1);  // bytes that are no UTF-8 match, too
  options.set_log_errors(false);
  options.set_dot_nl(true);
  options.set_never_capture(true);
  auto compiled = std::make_shared<const re2::RE2>(pattern, options);
  if (!compiled->ok()) throw UsageError(compiled->error());
  return compiled;
}

}  // namespace

std::string_view without_modifiers(std::string_view event) {
  constexpr std::string_view letters = "ukhIGHpPSDWeb";  // perf-list(1), "EVENT MODIFIERS"
  const std::size_t colon = event.rfind(':');
  const bool modifiers = colon != std::string_view::npos && colon + 1 < event.size() &&
                         event.find_first_not_of(letters, colon + 1) == std::string_view::npos;
  return modifiers ? event.substr(0, colon) : event;
}

TextPattern TextPattern::glob(std::string_view pattern, Kind kind) {
  TextPattern result;
  result.kind_ = kind;
  result.written_ = pattern;
  result.wild_ = has_wildcards(pattern);
  result.folders_matter_ = pattern.find('/') != std::string_view::npos;
  if (!result.wild_) result.exact_ = without_escapes(pattern);
  return result;
}

TextPattern TextPattern::regex(std::string_view pattern) {
  TextPattern result;
  result.written_ = pattern;
  result.regex_ = compile(std::string(pattern));
  return result;
}

bool TextPattern::matches_whole(std::string_view text) const {
  return wild_ ? matches_glob(written_, text) : text == exact_;
}

bool TextPattern::matches(std::string_view text) const {
  if (regex_ != nullptr) return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex_);
  if (kind_ == Kind::path && !folders_matter_) return matches_whole(base_name(text));
  return matches_whole(text) || (kind_ == Kind::event && matches_whole(without_modifiers(text)));
}

}  // namespace perfsift::filter
