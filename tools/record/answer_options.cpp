#include "tools/record/answer_options.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/shell_words.h"
#include "options/optional_word.h"
#include "tools/reading_options.h"

namespace perfsift::tools {
namespace {

struct AnsweringCommand {
  const char* name;
  const char* text;
};
constexpr std::array answering_commands{
    AnsweringCommand{"fold", "fold the stacks at once, without a file: OPTIONS are those of perfsift fold"},
    AnsweringCommand{"flame", "draw a flame graph at once: OPTIONS are those of perfsift flame"},
    AnsweringCommand{"report", "print the table at once: OPTIONS are those of perfsift report"},
    AnsweringCommand{"offcpu", "report the time off the CPU at once: OPTIONS (--live, …) are those of perfsift offcpu"},
};
constexpr std::string_view standard_input = "-", offcpu = "--offcpu";
constexpr const char* no_words = " ";  // of an option without a value

}  // namespace

void AnswerOptions::add_to(options::po::options_description& options) {
  choices_.resize(answering_commands.size());
  auto add = options.add_options();
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const AnsweringCommand& command = answering_commands[i];
    choices_[i].option = fmt::format("--{}", command.name);
    add(command.name, options::optional_word(choices_[i].words, no_words)->value_name("OPTIONS"), command.text);
  }
}

const AnswerOptions::Choice* AnswerOptions::chosen() const {
  const auto is_chosen = [](const Choice& choice) { return !choice.words.empty(); };
  const auto found = std::ranges::find_if(choices_, is_chosen);
  return found != choices_.end() ? &*found : nullptr;
}

bool AnswerOptions::needs_switches() const { return on() && chosen()->option == offcpu; }

void AnswerOptions::check(const RecordOutputOptions& output, const FlightOptions& flight) const {
  const Choice* const choice = chosen();
  if (choice == nullptr) return;
  const auto others = std::ranges::count_if(choices_, [](const Choice& other) { return !other.words.empty(); });
  if (others > 1) throw UsageError("--fold, --flame, --report and --offcpu: choose one, or record into a file");
  const auto refuse = [&](bool given, std::string_view option, std::string_view why) {
    if (given) throw UsageError(fmt::format("{} and {} exclude each other: {}", choice->option, option, why));
  };
  refuse(output.names_file, "--output", "the answer takes the place of the file; -o in its OPTIONS says where it goes");
  refuse(output.compression_level.has_value(), "--compression-level", "nothing is stored");
  refuse(output.switches.any(), "--switch-output", "there is one answer, and no file");
  refuse(output.in_threads(), "--threads", "the command reads one stream");
  refuse(flight.on(), "--flight", "it writes a file for each snapshot");
}

AnswerRequest AnswerOptions::request() const {
  const Choice& choice = *chosen();
  AnswerRequest request{.command = find_command(std::string_view(choice.option).substr(2)), .run = {}, .words = {}};
  try {
    request.words = shell_words(choice.words);
    request.words.emplace_back(standard_input);
    request.run =
        parse_command(*request.command, request.words, [&](const std::string& option, const std::string& value) {
          if ((option == ReadingOptions::positional && value != standard_input) || option == "files-from")
            throw UsageError("the input is what is being recorded, so no file can be named");
          request.prints_meanwhile |= option == "live";
        });
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", choice.option, error.what()));
  }
  return request;
}

}  // namespace perfsift::tools
