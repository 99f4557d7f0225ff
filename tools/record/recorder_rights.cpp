#include "tools/record/recorder_rights.h"

#include <array>

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace perfsift::tools {
namespace {

constexpr unsigned cap_perfmon = 38, cap_bpf = 39;  // since Linux 5.8

constexpr std::uint64_t bit(unsigned capability) { return std::uint64_t{1} << capability; }

// A new file in a folder of another user, which is given to the user of sudo (CHOWN, DAC_OVERRIDE), and whose older
// namesake is renamed in a sticky folder (FOWNER). The mappings, namespaces and binaries of other users' processes
// (SYS_PTRACE, DAC_READ_SEARCH). The addresses of kallsyms (SYSLOG).
constexpr std::uint64_t for_more_files = bit(CAP_CHOWN) | bit(CAP_DAC_OVERRIDE) | bit(CAP_DAC_READ_SEARCH) |
                                         bit(CAP_FOWNER) | bit(CAP_SYS_PTRACE) | bit(CAP_SYSLOG);

}  // namespace

std::uint64_t capabilities_for(const RightsNeeded& needed) {
  std::uint64_t kept = 0;
  if (needed.command) kept |= bit(CAP_KILL);
  if (needed.more_files) kept |= for_more_files;
  // BPF_PROG_GET_FD_BY_ID needs SYS_ADMIN: bpf_prog_get_fd_by_id() in kernel/bpf/syscall.c.
  if (needed.bpf_programs) kept |= bit(CAP_SYS_ADMIN) | bit(cap_bpf);
  // Before Linux 6.0, bpf(2) asks for it even for a map that is open: __sys_bpf() in the same file.
  if (needed.bpf_maps) kept |= bit(cap_bpf) | bit(CAP_SYS_ADMIN);
  // perf_mmap() in kernel/events/core.c: more locked memory than other users may have.
  if (needed.larger_rings) kept |= bit(CAP_IPC_LOCK) | bit(cap_perfmon);
  return kept;
}

bool give_up_capabilities_but(std::uint64_t kept) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  if (syscall(SYS_capget, &header, sets.data()) != 0) return false;
  for (std::size_t word = 0; word < sets.size(); ++word) {
    const auto mask = static_cast<std::uint32_t>(kept >> 32 * word);
    sets[word].effective &= mask;
    sets[word].permitted &= mask;
    sets[word].inheritable &= mask;
  }
  return syscall(SYS_capset, &header, sets.data()) == 0;
}

}  // namespace perfsift::tools
