// Debug information that is opened on demand: most look-ups of names need no lines.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "symbolize/dwarf/debug_info.h"

namespace perfsift::symbolize::dwarf {

// Thread-safe.
class LazyDebugInfo {
 public:
  // Converts CodeAddress::offset to the address in the file; nothing if there is no such address. Safe to share between
  // threads.
  using AddressOf = std::function<std::optional<std::uint64_t>(std::uint64_t offset)>;

  struct Addresses {
    AddressOf code, data;
  };

  // `file`: the file with the debug information; `program`: see DebugInfo::open().
  LazyDebugInfo(std::shared_ptr<const ElfFile> file, std::string program, Addresses addresses, SymbolizeOptions options)
      : file_(std::move(file)),
        program_(std::move(program)),
        addresses_(std::move(addresses)),
        options_(std::move(options)) {}

  // DebugInfo::append_frames() for a CodeAddress::offset.
  void append_frames(std::uint64_t offset, std::vector<SourceFrame>& frames) const;
  // DebugInfo::find_variable() for an offset of data.
  std::optional<SourceVariable> find_variable(std::uint64_t offset) const;

 private:
  const DebugInfo* open() const;

  std::shared_ptr<const ElfFile> file_;
  std::string program_;
  Addresses addresses_;
  SymbolizeOptions options_;
  mutable std::once_flag opened_;
  mutable std::shared_ptr<const DebugInfo> info_;
};

}  // namespace perfsift::symbolize::dwarf
