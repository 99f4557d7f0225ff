#include "options/command_line.h"

#include <cstddef>
#include <iostream>

#include "base/edit_distance.h"
#include "base/error.h"

namespace perfsift::options {
namespace {

std::string nearest_option(const po::options_description& options, const std::string& wrong) {
  std::string best;
  std::size_t best_distance = 3;
  for (const auto& option : options.options()) {
    const std::string name = option->canonical_display_name(po::command_line_style::allow_long);
    if (const std::size_t d = edit_distance(name, wrong); d < best_distance) best = name, best_distance = d;
  }
  return best;
}

}  // namespace

bool parse(const Arguments& arguments, const std::string& usage, po::options_description& options,
           const char* positional, const EachOption& each) {
  options.add_options()("help,h", "print this and exit");
  try {
    po::positional_options_description positions;
    if (positional != nullptr) positions.add(positional, -1);
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const auto parsed = po::command_line_parser(arguments).options(options).positional(positions).style(style).run();
    po::variables_map values;
    po::store(parsed, values);
    if (values.count("help") != 0) {
      std::cout << usage << '\n' << options;
      return false;
    }
    po::notify(values);
    for (const auto& option : parsed.options) {
      if (each) each(option.string_key, option.value.empty() ? std::string() : option.value.front());
    }
    return true;
  } catch (const po::unknown_option& error) {
    const std::string nearest = nearest_option(options, error.get_option_name());
    throw UsageError("'" + error.get_option_name() + "': unknown option; " +
                     (nearest.empty() ? "--help lists them" : "did you mean " + nearest + "?"));
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError("more arguments than this command takes; --help shows its form");
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace perfsift::options
