// Inputs that become shorter while they are read.
//
// Inputs are mapped. When another program shortens the file, the pages behind the new end are gone, and reading such a
// page raises SIGBUS: see mmap(2). For main(): a library must not change the signals of its host.
#pragma once

namespace perfsift::tools {

// From now on SIGBUS of a missing page ends the program with a message and input_unusable.
void end_at_shorter_inputs();

// From now on missing pages are read as zeros. For programs that find out afterwards whether their input has changed,
// and for those whose input is no file, as they record or read a stream: only programs that ran are mapped there, some
// of which are linked again meanwhile. Their functions then have no names.
void read_zeros_of_shorter_inputs();

}  // namespace perfsift::tools
