#include "record/events/event_grammar.h"

#include <algorithm>

#include "record/events/event_refusal.h"

namespace perfsift::record {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }
bool is_quote(char c) { return c == '\'' || c == '"'; }
// mem:0x1000/8:w is a breakpoint: its slash begins a length.
bool is_breakpoint(std::string_view name) { return name.starts_with("mem:"); }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<WrittenGroup> list() {
    std::vector<WrittenGroup> groups;
    do groups.push_back(item());
    while (skip(','));
    if (at_ < text_.size()) refuse("is not expected here");
    return groups;
  }

 private:
  WrittenGroup item() {
    skip_spaces();
    const std::size_t begin = at_;
    WrittenGroup group;
    group.name = until(",{}/").text;
    if (!skip('{')) {
      at_ = begin, group.name.clear();
      group.events.push_back(event());
      return group;
    }
    group.braces = true;
    do group.events.push_back(event());
    while (skip(','));
    if (!skip('}')) refuse("stands where the group must end with '}'");
    group.modifiers = modifiers();
    return group;
  }

  WrittenEvent event() {
    skip_spaces();
    const std::size_t begin = at_;
    WrittenEvent event;
    event.name = until(",{}/");
    if (event.name.text.empty()) refuse("stands where the name of an event must be");
    if (is_breakpoint(event.name.text)) {
      at_ = begin;
      event.name = until(",{}");
    } else if (skip('/')) {
      event.terms = terms();
      event.modifiers = modifiers();
    }
    event.text = trimmed(begin, at_);
    return event;
  }

  std::vector<EventTerm> terms() {
    std::vector<EventTerm> terms;
    if (skip('/')) return terms;
    do {
      EventTerm term{.name = until("=,/{}"), .value = std::nullopt};
      if (term.name.text.empty()) refuse("stands where the name of a term must be");
      if (skip('=')) term.value = value();
      terms.push_back(std::move(term));
    } while (skip(','));
    if (!skip('/')) refuse("stands where the terms must end with '/'");
    return terms;
  }

  Word value() {
    skip_spaces();
    if (at_ == text_.size() || !is_quote(text_[at_])) return until(",/{}");
    const char quote = text_[at_];
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) refuse("begins a text that does not end");
    Word word{.text = std::string(text_.substr(at_ + 1, end - at_ - 1)), .at = at_ + 1};
    at_ = end + 1;
    return word;
  }

  Word modifiers() {
    skip(':');
    return until(",{}/");
  }

  Word until(std::string_view ends) {
    skip_spaces();
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(ends, at_), text_.size());
    return trimmed(begin, at_);
  }

  Word trimmed(std::size_t begin, std::size_t end) const {
    while (end > begin && is_space(text_[end - 1])) --end;
    return {.text = std::string(text_.substr(begin, end - begin)), .at = begin};
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool skip(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void refuse(std::string_view problem) const {
    const bool ended = at_ >= text_.size();
    const Word wrong{.text = ended ? std::string() : std::string(1, text_[at_]), .at = at_};
    refuse_event(text_, wrong, problem);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<WrittenGroup> read_events(std::string_view text) { return Reader(text).list(); }

}  // namespace perfsift::record
