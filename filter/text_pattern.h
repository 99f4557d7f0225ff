// What a text is compared with: a name, a glob, or a regular expression.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace perfsift::filter {

// Immutable and safe to share between threads. Every one takes time in proportion to the length of the text, whatever
// the pattern is. Texts are bytes; nothing is assumed of their encoding.
class TextPattern {
 public:
  // What a name without wildcards may leave out.
  enum class Kind : std::uint8_t {
    name,   // nothing
    path,   // the folders: a pattern without a slash is compared with the last part
    event,  // the modifiers: cycles means cycles:u, too
  };

  // * stands for any text and ? for any character; behind a backslash each character stands for itself.
  static TextPattern glob(std::string_view pattern, Kind kind);
  // Throws UsageError with what RE2 says is wrong.
  static TextPattern regex(std::string_view pattern);

  // The whole of the text; of a regular expression any part of it.
  bool matches(std::string_view text) const;
  // Whether it is worth remembering the answer.
  bool is_costly() const { return regex_ != nullptr; }

 private:
  bool matches_whole(std::string_view text) const;

  Kind kind_ = Kind::name;
  bool partial_ = false;
  bool folders_matter_ = false;
  std::string exact_;  // without regex_
  std::shared_ptr<const re2::RE2> regex_;
};

// "cycles" of "cycles:u"; what has no modifiers stays as it is.
std::string_view without_modifiers(std::string_view event);

}  // namespace perfsift::filter
