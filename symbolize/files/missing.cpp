// Texts for addresses without a name.

#include "symbolize/files/missing.h"

#include <algorithm>

#include "base/path.h"

namespace perfsift::symbolize {

namespace {

// Files of Debian's package libc6, whose debug symbols are in a package of their own: "libm.so.6",
// "ld-linux-x86-64.so.2".
bool is_of_libc(std::string_view path) {
  constexpr std::string_view names[] = {"libc",   "libm",   "libmvec",      "libpthread",
                                        "libdl",  "librt",  "libresolv",    "libutil",
                                        "libnsl", "libanl", "libthread_db", "libBrokenLocale"};
  const std::string_view name = base_name(path);
  if (name.starts_with("ld-linux") || name.starts_with("ld-2.")) return true;
  // The version may be behind the name, "libc.so.6", or inside, "libc-2.31.so".
  return std::ranges::any_of(names, [&](std::string_view stem) {
    return name.starts_with(stem) &&
           (name.substr(stem.size()).starts_with(".so") || name.substr(stem.size()).starts_with("-2."));
  });
}

}  // namespace

std::string_view describe(Missing reason) {
  switch (reason) {
    case Missing::none:
      return "named";
    case Missing::no_mapping:
      return "nothing was mapped at the address";
    case Missing::file_missing:
      return "the file is not on this machine";
    case Missing::file_unreadable:
      return "the file cannot be read";
    case Missing::not_elf:
      return "the file is not an ELF file";
    case Missing::build_id_differs:
      return "the file here is of another build than the recorded one";
    case Missing::file_differs:
      return "the file here is not the recorded one, by its inode, size or date (no build id was recorded)";
    case Missing::stripped:
      return "the file is stripped, and no debug file was found";
    case Missing::no_symbol:
      return "no symbol covers the address";
    case Missing::kernel_restricted:
      return "the kernel hides its symbol addresses";
    case Missing::foreign_kernel:
      return "the recording is of another kernel, whose symbols are not here";
    case Missing::unknown_kernel:
      return "the recording does not say of which kernel it is, which perf record writes when it ends";
    case Missing::foreign_owner:
      return "the jitdump or perf map is another user's, and was not read";
    case Missing::map_missing:
      return "code made at run time, and neither a jitdump nor /tmp/perf-PID.map names it";
    case Missing::not_code:
      return "memory that holds no code (heap, stack, data)";
    case Missing::guest:
      return "an address of a virtual machine's guest";
    case Missing::stack_truncated:
      return "the recorded part of the stack ended before the stack did";
  }
  return "";
}

Missing reason_of(std::string_view description) {
  for (auto reason = Missing::no_mapping; reason <= Missing::stack_truncated;
       reason = static_cast<Missing>(static_cast<int>(reason) + 1))
    if (describe(reason) == description) return reason;
  return Missing::none;
}

std::string_view advice(Missing reason, std::string_view binary) {
  switch (reason) {
    case Missing::none:
      return "";
    case Missing::no_mapping:
      return "the stack is likely broken here: build with -fno-omit-frame-pointer or record with --call-graph dwarf";
    case Missing::file_missing:
      return "run `perfsift pack` on the recording machine and read what it writes, or give --symfs DIR";
    case Missing::file_unreadable:
      return "check the permissions of the file, or run as the user who recorded";
    case Missing::not_elf:
      return "put the recorded file back, or give --symfs DIR with a copy of it";
    case Missing::build_id_differs:
      return "give --symfs DIR with the recorded build, or run `perfsift pack` before the next build";
    case Missing::file_differs:
      return "give --symfs DIR with the recorded file, use the file here with --force, or next time link with "
             "--build-id and record with --buildid-all";
    case Missing::stripped:
      if (is_of_libc(binary))
        return "install libc's debug symbols (`apt install libc6-dbg`), or let --debuginfod fetch them";
      return "install its debug symbols (its -dbgsym package), let --debuginfod fetch them, or build without -s";
    case Missing::no_symbol:
      return "hand-written assembly or padding has no names; for missing functions install debug symbols";
    case Missing::kernel_restricted:
      return "run as root, or `sysctl kernel.kptr_restrict=0`";
    case Missing::foreign_kernel:
      return "give --kallsyms FILE or --vmlinux FILE from the recording machine, or run `perfsift pack` there";
    case Missing::unknown_kernel:
      return "give --kallsyms FILE from the recording machine, saved before its next boot; if this is that machine, "
             "and "
             "was not booted since, --kallsyms /proc/kallsyms";
    case Missing::foreign_owner:
      return "run as the user who recorded, give the file to root (`chown root`), or believe it with --force";
    case Missing::map_missing:
      return "let the JIT write its map (java: perf-map-agent; node: --perf-basic-prof; python 3.12: -X perf; .NET: "
             "DOTNET_PerfMapEnabled=1) and keep it; text that a program moves to huge pages has names if perf record "
             "starts the program";
    case Missing::not_code:
      return "a wrong return address: build with -fno-omit-frame-pointer or record with --call-graph dwarf";
    case Missing::guest:
      return "record inside the guest, or with `perf kvm --guest --guestkallsyms FILE`";
    case Missing::stack_truncated:
      return "record with a larger dump: --call-graph dwarf,32768 (at most 65528)";
  }
  return "";
}

}  // namespace perfsift::symbolize
