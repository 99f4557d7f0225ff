// Debug information that is opened when somebody asks for it: most who want names want no lines.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "symbolize/dwarf/debug_info.h"

namespace perfsift::symbolize::dwarf {

// Thread-safe.
class LazyDebugInfo {
 public:
  // `path`: the file that has it. `runtime`: the file that was mapped, whose segments say where in it an address is.
  LazyDebugInfo(std::string path, std::shared_ptr<const ElfFile> runtime, SymbolizeOptions options)
      : path_(std::move(path)), runtime_(std::move(runtime)), options_(std::move(options)) {}

  // As DebugInfo::append_frames(), for a place in the file that was mapped.
  void append_frames(std::uint64_t offset, std::vector<SourceFrame>& frames) const;

 private:
  std::string path_;
  std::shared_ptr<const ElfFile> runtime_;
  SymbolizeOptions options_;
  mutable std::once_flag opened_;
  mutable std::shared_ptr<const DebugInfo> info_;
};

}  // namespace perfsift::symbolize::dwarf
