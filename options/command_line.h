// The command line of a command or of a dlfilter module.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace perfsift::options {

namespace po = boost::program_options;

using Arguments = std::vector<std::string>;

// Parses `arguments` into the variables `options` is bound to; `positional` names the option that
// takes what is left. False when --help was asked for and has been printed (with `usage` in front).
// Throws UsageError, with the nearest option's name where one is misspelt.
// `each`, where given, is called for every option and its value in the order of the command line.
using EachOption = std::function<void(const std::string& name, const std::string& value)>;
bool parse(const Arguments& arguments, const std::string& usage, po::options_description& options,
           const char* positional = nullptr, const EachOption& each = {});

}  // namespace perfsift::options
