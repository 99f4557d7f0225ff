// The files that names and stacks come from: noted to pack them with a recording, and found again in a packed one.
//
// A purpose says what a file is used for. It consists of a role and of what the recording knows about the binary, so
// that it is the same on every machine:
//
//   runtime, symbols, debug-info   of a binary: the files of find_files() and find_vmlinux()
//   image                          of a vdso
//   kallsyms                       of a kernel or a module: the list of the kernel's symbols
//   made-code                      of a process: a perf map or a jitdump, by its path
//   supplementary                  the common part of several debug files (dwz), by its checksum
//   split-unit, split-package      .dwo by the unit's id, .dwp by the build id and the name of the program
//   names                          of a binary: the names of its addresses, without the binary (packed_names.h)
//   any-file                       of a binary for which there was no file: never a file, only the reason
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/binary.h"
#include "base/byte_reader.h"

namespace perfsift::symbolize {

class ElfFile;
struct SymbolizeOptions;

inline constexpr std::string_view runtime_role = "runtime", symbols_role = "symbols", debug_info_role = "debug-info",
                                  image_role = "image", kallsyms_role = "kallsyms", made_code_role = "made-code",
                                  supplementary_role = "supplementary", split_unit_role = "split-unit",
                                  split_package_role = "split-package", any_file_role = "any-file",
                                  names_role = "names";

std::string purpose_of(std::string_view role, const Binary& binary);
// For roles that do not belong to a binary.
std::string purpose_of(std::string_view role, std::string_view of);

// A file that was used, or a purpose for which there was none.
struct UsedFile {
  std::string path;  // where it was found
  BuildId build_id;
  Bytes bytes;
  std::shared_ptr<const void> owner;  // of the bytes
  std::string why_missing;            // not empty: there was no file
  std::string mapped_path = {};       // of what was mapped: where it was in the recording; empty: not known
};

// Thread-safe.
class UsedFiles {
 public:
  // Later notes of the same purpose are passed over: a file is used again and again.
  void add(std::string purpose, UsedFile file);
  void add(std::string purpose, const std::shared_ptr<ElfFile>& file, const std::string& mapped_path = {});

  // All notes, by purpose. No other thread may use the object any more.
  std::map<std::string, UsedFile> take() { return std::move(files_); }

 private:
  std::mutex mutex_;
  std::map<std::string, UsedFile> files_;
};

// The ELF file for a purpose in a packed recording; nullptr if there is none, and if `packed` is nullptr.
std::shared_ptr<ElfFile> packed_elf(const std::shared_ptr<const PackedFiles>& packed, std::string_view purpose);

}  // namespace perfsift::symbolize
