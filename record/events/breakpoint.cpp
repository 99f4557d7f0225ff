#include "record/events/breakpoint.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "record/events/event_refusal.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

namespace {

constexpr std::string_view prefix = "mem:";
// HW_BREAKPOINT_R, _W, _X (include/uapi/linux/hw_breakpoint.h)
constexpr std::string_view access_letters = "rwx";
constexpr std::uint32_t reads_and_writes = 3, executions = 4;
constexpr std::uint64_t data_length = 4;  // HW_BREAKPOINT_LEN_4
constexpr std::uint64_t code_length = 8;  // sizeof(long)

// Removes a part from the front, up to one of the ends.
Word take(Word& rest, std::string_view ends) {
  const std::size_t size = std::min(rest.text.find_first_of(ends), rest.text.size());
  Word part{.text = rest.text.substr(0, size), .at = rest.at};
  rest = {.text = rest.text.substr(size), .at = rest.at + size};
  return part;
}

bool skip(Word& rest, char c) {
  if (!rest.text.starts_with(c)) return false;
  rest.text.erase(0, 1), ++rest.at;
  return true;
}

std::uint64_t number_of(std::string_view text, const Word& word, std::string_view problem) {
  const auto number = read_number(word.text);
  if (!number) refuse_event(text, word, problem);
  return *number;
}

bool is_access(std::string_view letters) {
  return !letters.empty() && letters.find_first_not_of(access_letters) == std::string_view::npos;
}

std::uint32_t access_of(std::string_view text, const Word& letters) {
  std::uint32_t access = 0;
  for (const char letter : letters.text) {
    const std::uint32_t bit = 1U << access_letters.find(letter);
    if ((access & bit) != 0) refuse_event(text, letters, "names a kind of access twice");
    access |= bit;
  }
  return access;
}

}  // namespace

bool is_breakpoint_name(std::string_view name) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return false;
  const char digit = name[prefix.size()];
  return digit >= '0' && digit <= '9';
}

EventDraft breakpoint_event(std::string_view text, const WrittenEvent& event) {
  Word rest{.text = event.name.text.substr(prefix.size()), .at = event.name.at + prefix.size()};
  EventDraft draft;
  reader::EventAttr& attr = draft.request.attr;
  attr.type = reader::event_type::breakpoint;
  attr.sample_period = 1;
  attr.config1 = number_of(text, take(rest, "/:"), "is no address");
  std::optional<std::uint64_t> length;
  if (skip(rest, '/')) length = number_of(text, take(rest, ":"), "is no length in bytes");
  Word letters;
  if (skip(rest, ':')) letters = take(rest, ":");
  attr.bp_type = reads_and_writes;
  if (is_access(letters.text)) {
    attr.bp_type = access_of(text, letters);
    letters = {};
    if (skip(rest, ':')) letters = take(rest, "");
  }
  if (!rest.text.empty()) refuse_event(text, rest, "is not expected behind a breakpoint");
  attr.config2 = length.value_or(attr.bp_type == executions ? code_length : data_length);
  apply_modifiers(text, letters, draft);
  return draft;
}

}  // namespace perfsift::record
