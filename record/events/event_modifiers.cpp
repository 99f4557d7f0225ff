#include "record/events/event_modifiers.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "record/events/event_refusal.h"

namespace perfsift::record {

namespace {

namespace flag = reader::attr_flag;
constexpr std::string_view letters_of_modifiers = "ukhGHpPSDIWeb";
constexpr std::array modes{flag::exclude_user, flag::exclude_kernel, flag::exclude_hv};

bool excludes_any(const reader::EventAttr& attr, std::initializer_list<unsigned> flags) {
  return std::ranges::any_of(flags, [&](unsigned bit) { return attr.flag(bit); });
}

// The first mode that is given excludes the others; each further mode is no longer excluded.
void count_in(unsigned excluded_mode, reader::EventAttr& attr) {
  if (!excludes_any(attr, {modes[0], modes[1], modes[2]}))
    for (const unsigned mode : modes) attr.set(mode);
  attr.set(excluded_mode, false);
}

void count_where(unsigned excluded_place, EventDraft& draft) {
  reader::EventAttr& attr = draft.request.attr;
  if (!draft.host_or_guest_given)
    for (const unsigned place : {flag::exclude_host, flag::exclude_guest}) attr.set(place);
  draft.host_or_guest_given = true;
  attr.set(excluded_place, false);
}

void exclude_guests(EventDraft& draft) {
  if (!draft.host_or_guest_given) draft.request.attr.set(flag::exclude_guest);
}

void apply_letter(char letter, EventDraft& draft) {
  EventRequest& event = draft.request;
  switch (letter) {
    case 'u':
      exclude_guests(draft);
      return count_in(flag::exclude_user, event.attr);
    case 'k':
      return count_in(flag::exclude_kernel, event.attr);
    case 'h':
      return count_in(flag::exclude_hv, event.attr);
    case 'G':
      return count_where(flag::exclude_guest, draft);
    case 'H':
      return count_where(flag::exclude_host, draft);
    case 'I':
      return event.attr.set(flag::exclude_idle);
    case 'p':
      exclude_guests(draft);
      return event.attr.set_precise_ip(event.attr.precise_ip() + 1);
    case 'P':
      event.most_precise = true;
      return;
    case 'S':
      event.sampled_by_leader = true;
      return;
    case 'D':
      return event.attr.set(flag::pinned);
    case 'e':
      return event.attr.set(flag::exclusive);
    case 'W':
      event.weak_group = true;
      return;
    default:  // b
      return;
  }
}

void apply(std::string_view text, const Word& letters, EventDraft& draft) {
  constexpr unsigned most_precise = 3;
  const unsigned precise =
      draft.request.attr.precise_ip() + static_cast<unsigned>(std::ranges::count(letters.text, 'p'));
  if (precise > most_precise) refuse_event(text, letters, "asks for more precision than ppp");
  for (std::size_t i = 0; i < letters.text.size(); ++i) {
    const char letter = letters.text[i];
    const Word wrong{.text = std::string(1, letter), .at = letters.at + i};
    if (letters_of_modifiers.find(letter) == std::string_view::npos)
      refuse_event(text, wrong, fmt::format("is no modifier; modifiers are {}", fmt::join(letters_of_modifiers, " ")));
    if (letter != 'p' && letters.text.find(letter, i + 1) != std::string::npos)
      refuse_event(text, wrong, "stands twice among the modifiers");
    apply_letter(letter, draft);
  }
}

}  // namespace

bool are_modifiers(std::string_view text) {
  return text.find_first_not_of(letters_of_modifiers) == std::string_view::npos;
}

void apply_modifiers(std::string_view text, const Word& letters, EventDraft& draft) {
  if (letters.text.empty()) return draft.request.attr.set(flag::exclude_guest);
  apply(text, letters, draft);
}

void add_group_modifiers(std::string_view text, const Word& letters, EventDraft& draft, bool is_leader) {
  const reader::EventAttr& attr = draft.request.attr;
  const bool pinned = attr.pinned(), exclusive = attr.exclusive();
  apply(text, letters, draft);
  if (is_leader) return;
  draft.request.attr.set(flag::pinned, pinned);
  draft.request.attr.set(flag::exclusive, exclusive);
}

}  // namespace perfsift::record
