// Checks that output arrives on standard output.
#pragma once

namespace perfsift::output {

// Writes out what std::cout and stdio still hold. False if the reader has gone (`… | head`), which is no failure.
// Throws Error if something written since the last call did not arrive: a full disk, a closed descriptor.
bool flush_standard_output();

// If the shell has closed standard input, output or error (`>&-`), the next files that are opened would get these
// numbers, and the text printed to them. This opens descriptors there that can be neither read nor written, so that
// both fail. For main(), before any file is opened.
void fill_closed_descriptors();

}  // namespace perfsift::output
