// The text of the option -e of perf record becomes parts with positions. Nothing is looked up here.
//
//   list      = item {"," item}
//   item      = event | [name] "{" event {"," event} "}" [":" modifiers]
//   event     = name [":" …] | name "/" [term {"," term}] "/" [[":"] modifiers]
//   term      = name ["=" value]
//   value     = characters without a comma or a slash | "'" characters "'" | '"' characters '"'
//
// Spaces around each part are skipped. (perf: the states of tools/perf/util/parse-events.l.)
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::record {

// A piece of the text, and its place: the index of its first byte in the whole text.
struct Word {
  std::string text;
  std::size_t at = 0;
};

struct EventTerm {
  Word name;
  std::optional<Word> value;  // without quotes
};

struct WrittenEvent {
  Word text;  // the whole event: perf's name of the event
  Word name;  // before the first slash, or everything
  std::optional<std::vector<EventTerm>> terms;
  Word modifiers;  // after the second slash; without terms, the modifiers are still in `name`
};

struct WrittenGroup {
  std::string name;  // name{a,b}
  std::vector<WrittenEvent> events;
  bool braces = false;
  Word modifiers;  // after the brace
};

// Throws UsageError.
std::vector<WrittenGroup> read_events(std::string_view text);

}  // namespace perfsift::record
