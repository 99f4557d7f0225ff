#include "options/command_line.h"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <iterator>
#include <string_view>

#include "base/edit_distance.h"
#include "base/error.h"
#include "base/printable.h"
#include "options/number_option.h"
#include "options/optional_word.h"

namespace perfsift::options {
namespace {

std::vector<std::string> names_of(const po::option_description& option) {
  const auto [names, count] = option.long_names();
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back("--" + names[i]);
  return result;
}

[[noreturn]] void refuse(const po::options_description& options, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) std::ranges::move(names_of(*option), std::back_inserter(names));
  const std::string_view near = nearest(name, names);
  throw UnknownOption(name, "'" + name + "': unknown option; " +
                                (near.empty() ? "--help lists them" : "did you mean " + std::string(near) + "?"));
}

std::string letter_of(const po::option_description& option) {
  const std::string letter = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  return letter.size() == 2 ? letter : "";
}

// -qd becomes -q -d, so that the last letter is a word of its own.
void take_last_letter_apart(const po::options_description& options, std::vector<std::string>& words) {
  const auto is_switch = [&](char letter) {
    return std::ranges::any_of(options.options(), [&](const auto& option) {
      return letter_of(*option) == std::string{'-', letter} && option->semantic()->max_tokens() == 0;
    });
  };
  const std::string& word = words.front();
  if (word.size() < 3 || !word.starts_with('-') || !std::ranges::all_of(word.substr(1, word.size() - 2), is_switch))
    return;
  words.insert(words.begin() + 1, std::string{'-', word.back()});
  words.front().pop_back();
}

bool is_named(const po::option_description& option, const std::string& word) {
  return !word.empty() && (word == letter_of(option) || std::ranges::count(names_of(option), word) != 0);
}

// The first word, if it is an OptionalWord without a value.
std::vector<po::option> take_bare_option(const po::options_description& options, std::vector<std::string>& words) {
  take_last_letter_apart(options, words);
  for (const auto& option : options.options()) {
    const auto* const word = dynamic_cast<const OptionalWord*>(option->semantic().get());
    if (word == nullptr || !is_named(*option, words.front())) continue;
    words.erase(words.begin());
    return {po::option(option->long_name(), {word->implied})};
  }
  return {};
}

// An empty variable in a script must not mean that the option is not there.
void check_that_it_names(const po::options_description& options, const po::option& given) {
  if (given.position_key >= 0 || given.value.empty() || !given.value.front().empty()) return;
  const std::string what = options.find(given.string_key, false).semantic()->name();
  if (what.starts_with("FILE")) throw UsageError("--" + given.string_key + " '': names no file");
  if (what.starts_with("FUNCTION")) throw UsageError("--" + given.string_key + " '': names no function");
}

void add_help(po::options_description& options) { options.add_options()("help,h", "print this and exit"); }

}  // namespace

std::vector<OptionFact> facts_of(po::options_description options) {
  add_help(options);
  std::vector<OptionFact> facts;
  for (const auto& option : options.options()) {
    const bool takes_value = option->semantic()->max_tokens() != 0;
    for (const std::string& name : names_of(*option)) {
      facts.push_back({.name = name,
                       .letter = letter_of(*option),
                       .value = takes_value ? option->semantic()->name() : "",
                       .text = option->description(),
                       .value_is_optional = dynamic_cast<const OptionalWord*>(option->semantic().get()) != nullptr});
    }
  }
  return facts;
}

bool parse(const Arguments& arguments, const std::string& usage, po::options_description& options,
           const char* positional, const EachOption& each) {
  add_help(options);
  try {
    po::positional_options_description positions;
    if (positional != nullptr) positions.add(positional, -1);
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const auto bare_option = [&](std::vector<std::string>& words) { return take_bare_option(options, words); };
    auto parser = po::command_line_parser(arguments).options(options).positional(positions).style(style);
    const auto parsed = parser.extra_style_parser(bare_option).run();
    po::variables_map values;
    po::store(parsed, values);
    if (values.count("help") != 0) {
      std::cout << usage << '\n' << options;
      return false;
    }
    for (const auto& option : parsed.options) check_that_it_names(options, option);
    po::notify(values);
    for (const auto& option : parsed.options) {
      if (each) each(option.string_key, option.value.empty() ? std::string() : option.value.front());
    }
    return true;
  } catch (const po::unknown_option& error) {
    refuse(options, error.get_option_name());
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError("more arguments than this command takes; --help shows its form");
  } catch (const NumberError& error) {
    throw UsageError(printable(error.get_option_name() + " " + error.value + ": " + error.wanted));
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace perfsift::options
