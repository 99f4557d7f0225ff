// GNU build ids: do two name the same build?
#pragma once

#include <string>

#include "base/binary.h"
#include "base/byte_reader.h"

namespace perfsift::symbolize {

// Whether a file with the id `found` is the file that `recorded` names. Old recordings hold every id in 20 bytes, so a
// recorded id may have zeros behind the end of the file's shorter id.
bool same_build(const BuildId& recorded, const BuildId& found);

// The id in a list of ELF notes, as in /sys/kernel/notes; empty if there is none.
BuildId build_id_of_notes(Bytes notes);

// The id in a notes file of this machine (/sys/kernel/notes, /sys/module/…/notes/.note.gnu.build-id); empty if the file
// cannot be read.
BuildId build_id_of_notes_file(const std::string& path);

}  // namespace perfsift::symbolize
