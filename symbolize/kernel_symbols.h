// Names for the kernel, its modules and its BPF programs. Never from a kernel that is not known to be the recorded one.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "symbolize/kallsyms.h"
#include "symbolize/symbol_table.h"

namespace perfsift::symbolize {

// Parsed kallsyms by path: the kernel and its modules share one text of several megabytes. Thread-safe.
class KallsymsCache {
 public:
  // nullptr when the file cannot be read or lists nothing. Lives as long as anybody holds it.
  std::shared_ptr<const Kallsyms> get(const std::string& path);

 private:
  struct Entry {
    std::once_flag loaded;
    std::shared_ptr<const Kallsyms> kallsyms;
  };
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

// BinaryKind::kernel. Asks, in this order: options.vmlinux or options.kallsyms (then nothing else), the build-id cache,
// debug folders by build id, /proc/kallsyms.
std::unique_ptr<SymbolTable> load_kernel(const Binary& binary, const SymbolizeOptions& options, KallsymsCache& cache);

// BinaryKind::kernel_module. Asks, in this order: the .ko file, debug folders, options.kallsyms, /proc/kallsyms, the
// build-id cache.
std::unique_ptr<SymbolTable> load_module(const Binary& binary, const SymbolizeOptions& options, KallsymsCache& cache);

// BinaryKind::kernel_symbol: a BPF program or trampoline is one function, and its path is the name.
std::unique_ptr<SymbolTable> load_kernel_symbol(const Binary& binary);

}  // namespace perfsift::symbolize
