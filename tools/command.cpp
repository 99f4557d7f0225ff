#include "tools/command.h"

#include <exception>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "output/files/standard_output.h"
#include "tools/other_tools.h"

namespace perfsift::tools {
namespace {

int fail(const std::string& text, ExitStatus status) {
  std::cerr << "perfsift: " << text << '\n';
  return status;
}

}  // namespace

std::vector<options::OptionFact> options_of(const Command& command) {
  const std::unique_ptr<CommandRun> run = command.start();
  options::po::options_description options;
  run->add_to(options);
  return options::facts_of(options);
}

std::unique_ptr<CommandRun> parse_command(const Command& command, const options::Arguments& words,
                                          const options::EachOption& each) {
  std::unique_ptr<CommandRun> run = command.start();
  options::po::options_description options("Options");
  run->add_to(options);
  try {
    const bool is_wanted = options::parse(run->own_words(words), command.usage, options, command.positional,
                                          [&](const std::string& option, const std::string& value) {
                                            run->take(option, value);
                                            if (each) each(option, value);
                                          });
    return is_wanted ? std::move(run) : nullptr;
  } catch (const options::UnknownOption& unknown) {
    const std::string_view instead = instead_of_option(command.name, unknown.name);
    if (instead.empty()) throw;
    throw UsageError(fmt::format("'{}': unknown option; {}", unknown.name, instead));
  }
}

int run_command(const Command& command, const options::Arguments& words) {
  const std::unique_ptr<CommandRun> run = parse_command(command, words);
  return run != nullptr ? run->run(words) : static_cast<int>(done);
}

void write_output(const std::string& output, const std::function<void(output::OutputFile&)>& write) {
  try {
    output::OutputFile file(output);
    write(file);
    file.commit();
  } catch (const output::OutputClosed&) {
  }
}

int with_errors_told(const std::function<int()>& run) {
  try {
    const int status = run();
    output::flush_standard_output();
    return status;
  } catch (const output::OutputClosed&) {  // the reader of the output has gone
    return done;
  } catch (const UsageError& error) {
    return fail(printable_lines(error.what()), wrong_usage);  // of an expression with a mark below it
  } catch (const std::exception& error) {
    return fail(printable(error.what()), input_unusable);
  }
}

}  // namespace perfsift::tools
