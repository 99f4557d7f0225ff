// The command line of perfsift as a whole: which command runs, help, and the answer to a name that is no command.
#pragma once

#include "options/command_line.h"

namespace perfsift::tools {

// Runs what `arguments`, without the name of the program, ask for, and returns the exit status. Throws as commands do.
int run_program(const options::Arguments& arguments);

}  // namespace perfsift::tools
