// Names for the kernel, its modules and its BPF programs. Never from a kernel that is not known to be the recorded one.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "symbolize/symbols/kallsyms.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// Parsed kallsyms by path: the kernel and its modules share one text of several megabytes. Thread-safe.
class KallsymsCache {
 public:
  // nullptr if the file cannot be read or lists nothing.
  std::shared_ptr<const Kallsyms> get(const std::string& path);
  // The list that came with a packed recording.
  std::shared_ptr<const Kallsyms> get(const PackedFile& file);

 private:
  struct Entry {
    std::once_flag loaded;
    std::shared_ptr<const Kallsyms> kallsyms;
  };
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::map<const std::byte*, std::shared_ptr<const Kallsyms>> packed_;  // by the place of the text
};

// Loads a BinaryKind::kernel. Tries, in this order: options.vmlinux or options.kallsyms (then nothing else),
// what came with a packed recording, find_vmlinux(), the kallsyms in the build-id cache, /proc/kallsyms. Lines and
// inlined calls come from a vmlinux.
std::unique_ptr<SymbolTable> load_kernel(const Binary& binary, const SymbolizeOptions& options, KallsymsCache& cache);

// Loads a BinaryKind::kernel_module. Tries, in this order: the .ko file, debug folders, options.kallsyms, the list that
// came with a packed recording, /proc/kallsyms, the build-id cache. Lines and inlined calls come from the module's file
// or debug file.
std::unique_ptr<SymbolTable> load_module(const Binary& binary, const SymbolizeOptions& options, KallsymsCache& cache);

// Loads a BinaryKind::kernel_symbol: a BPF program or trampoline is one function, and its path is the name.
std::unique_ptr<SymbolTable> load_kernel_symbol(const Binary& binary);

}  // namespace perfsift::symbolize
