// The pattern that a text is compared with: a name, a glob, or a regular expression.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace perfsift::filter {

// Immutable, so thread-safe. Matching takes time in proportion to the length of the text, for every pattern. Texts are
// bytes of any encoding.
class TextPattern {
 public:
  // The parts that a name without wildcards may leave out.
  enum class Kind : std::uint8_t {
    name,   // nothing
    path,   // the folders: a pattern without a slash is compared with the last part
    event,  // the modifiers: cycles means cycles:u, too
  };

  // See base/glob.h; brackets are ordinary.
  static TextPattern glob(std::string_view pattern, Kind kind);
  // Throws UsageError with RE2's message.
  static TextPattern regex(std::string_view pattern);

  // Whether the pattern matches the whole text; a regular expression may match any part.
  bool matches(std::string_view text) const;
  // The pattern as it was given.
  const std::string& written() const { return written_; }
  bool is_regex() const { return regex_ != nullptr; }
  // The only text that matches, for a pattern without wildcards; of kinds that may leave out parts the shortest text.
  const std::string* exact() const { return !is_costly() ? &exact_ : nullptr; }
  // Whether matching is slow enough to keep answers.
  bool is_costly() const { return wild_ || regex_ != nullptr; }

 private:
  bool matches_whole(std::string_view text) const;

  Kind kind_ = Kind::name;
  bool wild_ = false;
  bool folders_matter_ = false;
  std::string written_;
  std::string exact_;  // of a glob without wildcards
  std::shared_ptr<const re2::RE2> regex_;
};

// "cycles" of "cycles:u"; names without modifiers stay as they are.
std::string_view without_modifiers(std::string_view event);

}  // namespace perfsift::filter
