#include "reader/features/record_command.h"

#include <algorithm>
#include <string_view>

namespace perfsift::reader {

namespace {

// record_options[] in tools/perf/builtin-record.c: what follows such a letter in the same argument is its value.
constexpr std::string_view letters_with_value = "CDFGIScejkmoruz";

// Letters of options may share an argument: "-ag".
void read_letters(std::string_view letters, RecordCommand& command) {
  for (const char letter : letters) {
    if (letter == 'a') command.all_cpus = true;
    if (letter == 'p' || letter == 't') command.some_threads = true;
    if (letter == 'p' || letter == 't' || letters_with_value.find(letter) != std::string_view::npos) return;
  }
}

void read_option(std::string_view option, RecordCommand& command) {
  if (!option.starts_with("--")) return read_letters(option.substr(1), command);
  const std::string_view name = option.substr(2, option.find('=') - 2);
  if (name == "all-cpus") command.all_cpus = true;
  if (name == "pid" || name == "tid") command.some_threads = true;
}

}  // namespace

RecordCommand parse_record_command(std::span<const std::string> arguments) {
  RecordCommand command;
  const auto end = std::ranges::find(arguments, "--");
  const auto options =
      std::ranges::find_if(arguments.begin(), end, [](std::string_view argument) { return argument.starts_with('-'); });
  command.all_cpus = std::find(arguments.begin(), options, "sched") != options;
  for (const std::string_view argument : std::span(options, end)) {
    if (argument.starts_with('-') && argument.size() > 1) read_option(argument, command);
  }
  return command;
}

}  // namespace perfsift::reader
