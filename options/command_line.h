// The command line of a command or of a dlfilter module.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "base/error.h"

namespace perfsift::options {

namespace po = boost::program_options;

using Arguments = std::vector<std::string>;

// An option that the command does not have.
struct UnknownOption : UsageError {
  UnknownOption(std::string option, const std::string& message) : UsageError(message), name(std::move(option)) {}

  std::string name;  // as it was typed: "--stdio", "-g"
};

// An option, for the completion of command lines.
struct OptionFact {
  std::string name;    // "--output"
  std::string letter;  // "-o"; empty: none
  std::string value;   // "FILE", "svg|html"; empty: the option takes no value
  std::string text;
  bool value_is_optional = false;  // and stands behind = only: see OptionalWord
};

// The options that parse() takes, --help among them. An option with two names is there twice.
std::vector<OptionFact> facts_of(po::options_description options);

// Parses `arguments` into the variables `options` is bound to; `positional` names the option that
// takes what is left. False when --help was asked for and has been printed (with `usage` in front).
// Throws UsageError, with the nearest option's name where one is misspelt.
// `each`, where given, is called for every option and its value in the order of the command line.
using EachOption = std::function<void(const std::string& name, const std::string& value)>;
bool parse(const Arguments& arguments, const std::string& usage, po::options_description& options,
           const char* positional = nullptr, const EachOption& each = {});

}  // namespace perfsift::options
