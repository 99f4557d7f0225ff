// The errors that end a command.
//
// Libraries throw one of these errors when they cannot continue, and throw nothing else on purpose. main() (or the C
// boundary of a dlfilter) catches the error, prints the text and chooses the exit status. A bad record or a missing
// name is not an error: see std::optional results and `Missing`.
#pragma once

#include <stdexcept>

namespace perfsift {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The input cannot be used at all: it does not exist, cannot be read, or is not a recording. Exit status 3.
struct InputError : Error {
  using Error::Error;
};

// The command line names something that does not exist, or contradicts itself. Exit status 2.
struct UsageError : Error {
  using Error::Error;
};

}  // namespace perfsift
