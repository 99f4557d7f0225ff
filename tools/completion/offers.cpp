#include "tools/completion/offers.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "tools/command.h"

namespace perfsift::tools {
namespace {

using options::OptionFact;

// The offers of `all` that fit behind `kept`, the part of the word that stays as it is.
void offer(Offers& offers, const std::vector<Offer>& all, std::string_view kept, std::string_view typed) {
  for (const Offer& one : all) {
    if (one.text.starts_with(typed)) offers.words.push_back({std::string(kept) + one.text, one.about});
  }
}

std::vector<Offer> command_offers() {
  std::vector<Offer> all;
  for (const Command* const command : commands())
    all.push_back({std::string(command->name), std::string(command->summary)});
  return all;
}

Offers first_word(const std::string& word) {
  Offers offers{.words = {}, .files = !word.starts_with('-')};
  offer(offers, command_offers(), "", word);
  offer(offers, {{"help", "show the manual page of a command"}}, "", word);
  if (word.starts_with('-'))
    offer(offers, {{"--help", "list the commands"}, {"--version", "print the version"}}, "", word);
  return offers;
}

// The text that is being typed: a whole word, the end of a list, or a name in an expression.
std::string_view unfinished_part(std::string_view word, ValueKind kind) {
  std::size_t begin = 0;
  if (kind == ValueKind::list) {
    begin = word.rfind(',') + 1;                                                    // 0 without a comma
    if (begin == 0 && (word.starts_with('+') || word.starts_with('-'))) begin = 1;  // -F +srcline
  } else if (kind == ValueKind::expression) {
    begin = word.size();
    const auto is_of_name = [](char c) { return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)); };
    while (begin > 0 && is_of_name(word[begin - 1])) --begin;
  }
  return word.substr(begin);
}

void offer_values(Offers& offers, const OptionValues& values, std::string_view before, std::string_view value) {
  offers.files |= values.kind == ValueKind::files;
  const std::string_view part = unfinished_part(value, values.kind);
  const std::string kept = std::string(before) + std::string(value.substr(0, value.size() - part.size()));
  offer(offers, values.offers, kept, part);
}

const OptionFact* find_option(const std::vector<OptionFact>& facts, std::string_view word) {
  const auto found =
      std::ranges::find_if(facts, [&](const OptionFact& fact) { return fact.name == word || fact.letter == word; });
  return found != facts.end() && !word.empty() ? &*found : nullptr;
}

// The first file on the command line that exists, or the default.
std::string recording_on(std::span<const std::string> typed) {
  std::error_code none;
  for (const std::string& word : typed.first(typed.size() - 1)) {
    if (std::filesystem::is_regular_file(word, none)) return word;
  }
  return "perf.data";
}

void offer_options(Offers& offers, const std::vector<OptionFact>& facts, const std::string& word) {
  for (const OptionFact& fact : facts) {
    if (fact.name.starts_with(word)) offers.words.push_back({fact.name, fact.text});
  }
}

// Offers words that stand without an option.
void offer_arguments(Offers& offers, const std::string& command, std::span<const std::string> typed) {
  const std::string& word = typed.back();
  const bool first = typed.size() == 2;
  if (command == "completion") return offer(offers, {{"bash", ""}, {"zsh", ""}, {"fish", ""}}, "", word);
  if (command == "store" && first)
    return offer(offers,
                 {{"add", ""},
                  {"list", ""},
                  {"show", ""},
                  {"remove", ""},
                  {"roll-up", ""},
                  {"check", ""},
                  {"export", ""},
                  {"setup", ""}},
                 "", word);
  if (command == "dlfilter" && first) return offer(offers, {{"list", ""}, {"info", ""}, {"test", ""}}, "", word);
  if (command == "explain") {
    const OptionFact expression{.name = "--expression", .letter = "", .value = "EXPR", .text = ""};
    return offer_values(offers, values_of(command, expression, ""), "", word);
  }
  offers.files = command != "symbolize";  // its arguments are addresses
}

Offers word_of_command(const Command& typed_command, std::span<const std::string> typed) {
  Offers offers;
  const std::string command(typed_command.name);
  const std::vector<OptionFact> facts = options_of(typed_command);
  const std::string& word = typed.back();
  if (const std::size_t equals = word.find('='); word.starts_with("--") && equals != std::string::npos) {
    const OptionFact* const option = find_option(facts, word.substr(0, equals));
    if (option != nullptr) {
      offer_values(offers, values_of(command, *option, recording_on(typed)), word.substr(0, equals + 1),
                   std::string_view(word).substr(equals + 1));
    }
    return offers;
  }
  const OptionFact* const option = find_option(facts, typed[typed.size() - 2]);
  if (option != nullptr && !option->value.empty() && !option->value.starts_with("[=")) {
    offer_values(offers, values_of(command, *option, recording_on(typed)), "", word);
  } else if (word.starts_with('-')) {
    offer_options(offers, facts, word);
  } else {
    offer_arguments(offers, command, typed);
  }
  return offers;
}

}  // namespace

Offers offers_for(std::span<const std::string> typed) {
  if (typed.empty()) return {};
  if (typed.size() == 1) return first_word(typed.front());
  const std::string& first = typed.front();
  if (first == "help") {
    Offers offers;
    if (typed.size() == 2) offer(offers, command_offers(), "", typed.back());
    return offers;
  }
  const Command* const command = find_command(first);
  return word_of_command(command != nullptr ? *command : *find_command("report"),
                         typed);  // `perfsift perf.data --sort`
}

}  // namespace perfsift::tools
