// Files of processes that still run, in containers.
//
// A recording names files as the recorded process saw them. In a container /usr/bin/app and /tmp are others than ours;
// while the process runs, the kernel shows them below /proc/PID/root. But its pid may by now be another process's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

#include "base/binary.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

// Whether the process that mapped the binary is known to run here: it must still have executable memory where the
// recording says (which address space randomisation makes another process not have), and be in the mount namespace that
// was recorded, if one was. With a symfs nothing of this machine is looked at.
bool still_runs(const Binary& binary, const SymbolizeOptions& options);

// "/proc/PID/root" of the process that mapped the binary. Empty when its files are ours, and when it does not run.
std::string foreign_root(const Binary& binary, const SymbolizeOptions& options);

// The user as whom the process that mapped the binary runs; nothing when it does not run.
std::optional<uid_t> user_of_process(const Binary& binary, const SymbolizeOptions& options);

// The pid that a running process has in its own pid namespace; `pid` itself when that cannot be read.
std::int32_t inner_pid(std::int32_t pid);

}  // namespace perfsift::symbolize
