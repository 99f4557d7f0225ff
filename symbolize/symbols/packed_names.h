// The names of the addresses of a recording, without the binary that they come from: for recordings with names only.
//
// The form is lines of words with tabs between them; numbers are hexadecimal, and "%", tabs and control characters in
// names are written as %XX:
//
//   perfsift-names  1
//   mangled  1                                     whether names of symbols are to be demangled
//   entry    OFFSET                                of a program
//   missing  REASON                                why other addresses have no names: describe()
//   S  START  END  BINDING  NAME                   a symbol that covers an address
//   A  OFFSET                                      an address with debug information, and its frames, innermost first:
//   F  INLINED  MANGLED  LINE  COLUMN  FILE  NAME
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// The offsets that a SymbolFile was asked about. Thread-safe.
class AskedOffsets {
 public:
  void add(std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    offsets_.insert(offset);
  }
  // No other thread may use the object any more.
  const std::set<std::uint64_t>& all() const { return offsets_; }

 private:
  std::mutex mutex_;
  std::set<std::uint64_t> offsets_;
};

// The names of the offsets in the form above.
std::string packed_names(const SymbolFile& names, const std::set<std::uint64_t>& offsets);
// Reads them again; nullptr for another form, and for a later version. Lines that are damaged are passed over.
std::unique_ptr<SymbolTable> read_packed_names(std::string_view text);

}  // namespace perfsift::symbolize
