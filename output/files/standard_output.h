// What was written to standard output has to arrive there.
#pragma once

namespace perfsift::output {

// Writes out what std::cout and stdio still hold. False if the reader has gone (`… | head`), which is no failure.
// Throws Error if something written since the last call did not arrive: a full disk, a closed descriptor.
bool flush_standard_output();

// Where the shell has closed standard input, output or error (`>&-`), files that are opened next would get their
// numbers, and what is printed. This puts something there that can neither be read nor written, so that both fail as
// they should. For main(), before anything is opened.
void fill_closed_descriptors();

}  // namespace perfsift::output
