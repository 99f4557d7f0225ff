// The values of options, for the completion of command lines.
#pragma once

#include <string>
#include <vector>

#include "options/command_line.h"

namespace perfsift::tools {

// A word that can be typed, and its meaning.
struct Offer {
  std::string text;
  std::string about;  // may be empty
};

enum class ValueKind {
  none,        // nothing can be offered
  files,       // and folders
  one,         // one of the offers
  list,        // several of the offers, between commas
  expression,  // an expression with one of the offers at its end
};

struct OptionValues {
  ValueKind kind = ValueKind::none;
  std::vector<Offer> offers;
};

// The values of an option of a command. `recording`: the file that the command line names, for options whose values are
// in the recording; it may not exist, and it is not read if reading would take long.
OptionValues values_of(const std::string& command, const options::OptionFact& option, const std::string& recording);

}  // namespace perfsift::tools
