// The reasons for which an address has no name.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfsift::symbolize {

// Why an address has no name. Each reason has a description of one line, and advice: see describe() and advice().
enum class Missing : std::uint8_t {
  none,               // it has one
  no_mapping,         // nothing was mapped there when the sample was taken
  file_missing,       // the binary is not on this machine (or not below --symfs)
  file_unreadable,    // it is there but cannot be opened or read
  not_elf,            // it is there but is not an ELF file
  build_id_differs,   // a file with another build id than the recorded one was found, and not used
  file_differs,       // a build id was not recorded, and the file here has another identity, size or date: not used
  stripped,           // the file has no symbol table, or only that of exported names, and no debug file was found
  no_symbol,          // the file has symbols, but none covers the address
  kernel_restricted,  // kallsyms shows only zeros (kptr_restrict)
  foreign_kernel,     // the recording comes from another kernel, whose symbols are not here
  unknown_kernel,     // the recording does not identify its kernel: perf record was killed
  foreign_owner,      // a jitdump or perf map is there, but it is another user's, and was not believed
  map_missing,        // executable memory without a file, and neither a jitdump nor /tmp/perf-PID.map
  not_code,           // memory without a file that was never meant to hold code (heap, stack, …)
  guest,              // an address of a guest machine
  stack_truncated,    // (unwinding) the stack dump ended before the stack did
};

std::string_view describe(Missing reason);
// The reason with this description; none: there is no such reason.
Missing reason_of(std::string_view description);
// Advice for a user; the path of the binary matters for some reasons.
std::string_view advice(Missing reason, std::string_view binary = {});

}  // namespace perfsift::symbolize
