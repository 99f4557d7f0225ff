// The files in which a process describes code that it made: the map, /tmp/perf-PID.map, and the jitdump, jit-PID.dump.
//
// The files lie where other users may write, too, and process ids are reused. So a file is believed only if no other
// user can have made it; perf's rule, "not owned by current user or root, ignoring it", and jit-interface.txt in
// tools/perf/Documentation: "The ownership of the file has to match the process".
#pragma once

#include <optional>
#include <string>

#include <sys/stat.h>

#include "base/binary.h"
#include "base/owned.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// The users whose files are believed.
struct BelievedOwners {
  bool anybody = false;
  std::optional<uid_t> process;  // the user that the process runs as; nothing when it does not run any more

  bool include(const struct stat& status) const;
  // A link that belongs to another user must lead to a file of that user: it might lead to a file that only this user
  // may read.
  bool include(const struct stat& link, const struct stat& status) const;
};

struct JitFile {
  std::string path;
  FileDescriptor file;                      // none: see `missing`
  Missing missing = Missing::file_missing;  // or foreign_owner, file_unreadable: it is there and was ignored
};

// The file at `inside`, below the root of a process that still runs in a container; otherwise at `outside`. With a
// symfs the file is looked for below the symfs, and files of all users are believed: the user chose that folder. Pipes,
// devices and folders are not opened.
JitFile open_jit_file(const Binary& binary, const std::string& inside, const std::string& outside,
                      const SymbolizeOptions& options);

// Notes in `names` that a file of a foreign_owner was ignored: as the reason of missing names, and as a warning.
void add_foreign_owner(const JitFile& ignored, SymbolTable& names);

}  // namespace perfsift::symbolize
