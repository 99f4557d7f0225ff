// Reads GNU build ids: from ELF notes, and from ELF files without more of them than their notes.
#pragma once

#include <cstdint>
#include <string>

#include "base/binary.h"
#include "base/byte_reader.h"

namespace perfsift {

// The id in a list of ELF notes, as in /sys/kernel/notes; empty if there is none.
BuildId build_id_of_notes(Bytes notes);

// The id in a notes file of this machine (/sys/kernel/notes, /sys/module/…/notes/.note.gnu.build-id); empty if the file
// cannot be read.
BuildId build_id_of_notes_file(const std::string& path);

// The id of an open ELF file of this machine's byte order: reads the headers and the PT_NOTE segments. Empty for all
// other files. The file is any file that a process has mapped, so nothing in it is trusted.
BuildId build_id_of_elf(int fd);
// The id of an ELF file in memory, for example the vDSO.
BuildId build_id_of_elf(Bytes image);

}  // namespace perfsift
