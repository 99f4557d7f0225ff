// The files in which a process tells perf what code it made: its map, /tmp/perf-PID.map, and its jitdump, jit-PID.dump.
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

// Whose files are believed.
struct BelievedOwners {
  bool anybody = false;
  std::optional<uid_t> process;  // the user that the process runs as; nothing when it does not run any more

  bool include(const struct stat& status) const;
  // A link of another user's process must lead to a file of that user: it might lead to what only we may read.
  bool include(const struct stat& link, const struct stat& status) const;
};

struct JitFile {
  std::string path;
  FileDescriptor file;                      // none: see `missing`
  Missing missing = Missing::file_missing;  // or foreign_owner, file_unreadable: it is there and was ignored
};

// The file at `inside` where the process, while it runs in a container, sees it; else at `outside`. With a symfs it is
// looked for below that, and anybody's is believed: the user chose that folder. Pipes, devices and folders are not
// opened.
JitFile open_jit_file(const Binary& binary, const std::string& inside, const std::string& outside,
                      const SymbolizeOptions& options);

// Lets names that are missing, and the user, know that a file of a foreign_owner was ignored.
void add_foreign_owner(const JitFile& ignored, SymbolTable& names);

}  // namespace perfsift::symbolize
