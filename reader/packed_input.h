// Reads a packed recording: see reader/packed/manifest.h.
//
// Nothing is written to a folder: the members come into memory, and large ones into temporary files without names. The
// manifest comes first and decides what follows: any other member, order or size is refused, as are links, devices and
// paths that lead out of the archive.
#pragma once

#include "reader/input_file.h"

namespace perfsift::reader {

// Whether an input with this beginning is a packed recording, for which packed_header_size bytes are needed, and
// whether an input can be one by fewer bytes.
inline constexpr std::size_t packed_header_size = 512;
bool is_packed_recording(Bytes first);
bool may_be_packed(Bytes first);

// The recording in a packed one, with the files of InputFile::packed. Throws InputError if any part is missing or
// wrong.
InputFile unpacked(InputFile input);

}  // namespace perfsift::reader
