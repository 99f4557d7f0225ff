#include "tools/record/command_words.h"

#include <algorithm>
#include <string_view>

namespace perfsift::tools {
namespace {

using options::OptionFact;

bool takes_next_word(const OptionFact& option) { return !option.value.empty() && !option.value_is_optional; }

bool long_option_takes_next_word(std::string_view word, const std::vector<OptionFact>& facts) {
  if (word.find('=') != std::string_view::npos) return false;
  const auto option = std::ranges::find(facts, word, &OptionFact::name);
  return option != facts.end() && takes_next_word(*option);
}

// Letters may stand together: -ag is -a -g; what follows a letter with a value is the value: -F99.
bool letters_take_next_word(std::string_view word, const std::vector<OptionFact>& facts) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const std::string letter{'-', word[i]};
    const auto option = std::ranges::find(facts, letter, &OptionFact::letter);
    if (option == facts.end()) return false;
    if (!option->value.empty()) return i + 1 == word.size() && takes_next_word(*option);
  }
  return false;
}

}  // namespace

std::size_t words_before_command(const options::Arguments& words, const std::vector<OptionFact>& facts) {
  std::size_t at = 0;
  while (at < words.size()) {
    const std::string_view word = words[at];
    if (word == "--") return at + 1;
    if (word.size() < 2 || !word.starts_with('-')) return at;
    const bool takes_next =
        word.starts_with("--") ? long_option_takes_next_word(word, facts) : letters_take_next_word(word, facts);
    at += takes_next ? 2 : 1;
  }
  return words.size();  // the last option lacks its value, or there is no command
}

}  // namespace perfsift::tools
