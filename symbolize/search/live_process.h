// Files of processes that still run, in containers.
//
// A recording has the paths that the recorded process saw. In a container, /usr/bin/app and /tmp are not the same files
// as here; while the process runs, the kernel shows its files below /proc/PID/root. But another process may have the
// pid now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

#include "base/binary.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

// Whether the process that mapped the binary is known to run here. It must still have executable memory at the recorded
// address (another process has other addresses, by address space randomisation), and be in the recorded mount
// namespace, if one was recorded. With a symfs the processes of this machine do not count.
bool still_runs(const Binary& binary, const SymbolizeOptions& options);

// "/proc/PID/root" of the process that mapped the binary. Empty if the process has the same root as this one, and if it
// does not run.
std::string foreign_root(const Binary& binary, const SymbolizeOptions& options);

// The user of the process that mapped the binary; nothing if the process does not run.
std::optional<uid_t> user_of_process(const Binary& binary, const SymbolizeOptions& options);

// The pid that a running process has in its own pid namespace; `pid` itself if that cannot be read.
std::int32_t inner_pid(std::int32_t pid);

}  // namespace perfsift::symbolize
