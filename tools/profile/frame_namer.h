// From an address of a sample to the text of its frame.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "reader/timeline.h"
#include "symbolize/demangle.h"
#include "symbolize/symbolizer.h"
#include "tools/profile/frame_table.h"

namespace perfsift::tools {

// How frames are written.
struct FrameStyle {
  symbolize::DemangleStyle demangling = symbolize::DemangleStyle::full;
  bool addresses = false;        // unnamed frames with their place in the binary: [libc.so.6+0x1234]
  bool annotate_kernel = false;  // _[k] after names of the kernel and its modules
  bool annotate_jit = false;     // _[j] after names from a perf-PID.map or jitdump
  bool annotate_inline = false;  // _[i] after names of inlined functions
};

// Why and where addresses have no name.
struct UnnamedPlace {
  std::uint32_t binary = CodeAddress::no_binary;
  symbolize::Missing reason = symbolize::Missing::none;
  bool operator==(const UnnamedPlace&) const = default;
};

// Thread-safe.
class FrameNamer {
 public:
  FrameNamer(const reader::Timeline& timeline, symbolize::Symbolizer& symbolizer, FrameTable& frames, FrameStyle style);

  struct Named {
    FrameId frame = 0;
    std::uint32_t unnamed = 0;  // 0: it has a name; else index into unnamed_places()
  };
  // `code_time`: see CodeVersions::time_in().
  Named name(const reader::ThreadState& state, reader::CpuMode mode, std::uint64_t ip, bool return_address,
             std::uint64_t code_time = symbolize::SymbolFile::latest);

  // Index 0 is not used.
  const std::vector<UnnamedPlace>& unnamed_places() const { return unnamed_; }

 private:
  const symbolize::SymbolFile& file_of(std::uint32_t binary);
  FrameId named_frame(const symbolize::Symbol& symbol, const symbolize::SymbolFile& file, BinaryKind kind);
  Named unnamed_frame(const CodeAddress& address, symbolize::Missing reason);

  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  FrameTable& frames_;
  const FrameStyle style_;

  std::mutex mutex_;
  std::unordered_map<std::uint32_t, const symbolize::SymbolFile*> files_;  // by binary
  std::unordered_map<const symbolize::Symbol*, FrameId> named_;
  std::vector<UnnamedPlace> unnamed_{1};
};

}  // namespace perfsift::tools
