// perfsift completion: the completion of command lines in shells.

#include <iostream>

#include "base/error.h"
#include "tools/command.h"
#include "tools/completion/offers.h"
#include "tools/completion/scripts.h"

namespace perfsift::tools {
namespace {

std::string_view script_for(const std::string& shell) {
  if (shell == "bash") return completion_scripts::perfsift_bash;
  if (shell == "zsh") return completion_scripts::perfsift_zsh;
  if (shell == "fish") return completion_scripts::perfsift_fish;
  throw UsageError("'" + shell + "': there is no completion for this shell; there are bash, zsh and fish");
}

// A line for each offer: the word, a tab, its meaning. A line without a word says that files are possible, too.
void print_offers(const Offers& offers) {
  for (const Offer& offer : offers.words) std::cout << offer.text << '\t' << offer.about << '\n';
  if (offers.files) std::cout << "\tfiles\n";
}

// The shell asks by `perfsift completion offer WORDS`, where the words are a command line of their own.
bool asks_for_offers(const options::Arguments& words) { return !words.empty() && words.front() == "offer"; }

struct CompletionCommand : CommandRun {
  std::string shell;

  void add_to(options::po::options_description& description) override {
    description.add_options()("shell", options::po::value(&shell)->value_name("bash|zsh|fish"), "the shell");
  }
  options::Arguments own_words(const options::Arguments& words) const override {
    return asks_for_offers(words) ? options::Arguments() : words;
  }
  int run(const options::Arguments& words) override;
};

int CompletionCommand::run(const options::Arguments& words) {
  if (asks_for_offers(words)) return print_offers(offers_for(std::span(words).subspan(1))), done;
  if (shell.empty()) throw UsageError("completion: name a shell: bash, zsh or fish");
  std::cout << script_for(shell);
  return done;
}

}  // namespace

extern const Command completion_command{
    .name = "completion",
    .summary = "print the completion of a shell: bash, zsh or fish",
    .usage =
        "Usage: perfsift completion SHELL\n\nPrints the completion of command lines for bash, zsh or fish. Installed "
        "packages have it already.\n",
    .positional = "shell",
    .start = start<CompletionCommand>,
};

}  // namespace perfsift::tools
