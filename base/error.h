// The errors that end a command.
//
// Libraries throw one of these when they cannot go on, and nothing else on purpose. They are caught
// once, in main() (or at the C boundary of a dlfilter), which prints the text and picks the exit
// status. A bad record or a missing name is not an error: see std::optional results and `Missing`.
#pragma once

#include <stdexcept>

namespace perfsift {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The input cannot be used at all: not there, not readable, not a recording. Exit status 3.
struct InputError : Error {
  using Error::Error;
};

// The command line asks for something that does not exist or contradicts itself. Exit status 2.
struct UsageError : Error {
  using Error::Error;
};

}  // namespace perfsift
