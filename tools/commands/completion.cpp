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

}  // namespace

int completion(const options::Arguments& arguments) {
  if (!arguments.empty() && arguments.front() == "offer")
    return print_offers(offers_for(std::span(arguments).subspan(1))), done;
  std::string shell;
  options::po::options_description description("Options");
  description.add_options()("shell", options::po::value(&shell)->value_name("bash|zsh|fish"), "the shell");
  if (!options::parse(arguments,
                      "Usage: perfsift completion SHELL\n\nPrints the completion of command lines for bash, zsh or "
                      "fish. Installed packages have it already.\n",
                      description, "shell")) {
    return done;
  }
  if (shell.empty()) throw UsageError("completion: name a shell: bash, zsh or fish");
  std::cout << script_for(shell);
  return done;
}

}  // namespace perfsift::tools
