// From an address of a sample to the text of its frame.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "analysis/samples/frame_table.h"
#include "base/shared_map.h"
#include "base/stable_vector.h"
#include "reader/callchain.h"
#include "reader/timeline/timeline.h"
#include "symbolize/symbolizer.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::analysis {

// How frames are written.
struct FrameStyle {
  symbolize::DemangleStyle demangling = symbolize::DemangleStyle::full;
  bool addresses = false;        // unnamed frames with their place in the binary: [libc.so.6+0x1234]
  bool annotate_kernel = false;  // _[k] after names of the kernel and its modules
  bool annotate_jit = false;     // _[j] after names from a perf-PID.map or jitdump
  bool annotate_inline = false;  // _[i] after names of inlined functions
  bool annotate_guess = false;   // _[g] after names of frames that were guessed when the stack was unwound
  bool inlines = true;           // inlined calls as frames of their own
};

// Why and where addresses have no name.
struct UnnamedCode {
  std::uint32_t binary = CodeAddress::no_binary;
  symbolize::Missing reason = symbolize::Missing::none;
  bool operator==(const UnnamedCode&) const = default;
};

// Thread-safe.
class FrameNamer {
 public:
  FrameNamer(const reader::Timeline& timeline, symbolize::Symbolizer& symbolizer, FrameTable& frames, FrameStyle style);

  // What an address shows.
  struct Named {
    // The frame; from `groups` on, group(frame): several frames, where calls were inlined.
    std::uint32_t frame = 0;
    std::uint32_t unnamed = 0;  // 0: it has a name; else index into unnamed_code()

    static constexpr std::uint32_t groups = std::uint32_t{1} << 31;
    bool is_group() const { return frame >= groups; }
  };
  struct Address {
    reader::CpuMode mode = reader::CpuMode::unknown;
    std::uint64_t ip = 0;
    bool return_address = false;
    std::uint64_t note = reader::callchain_note::found;
    std::uint64_t code_time = symbolize::SymbolFile::latest;  // see CodeVersions::time_in()
  };
  Named name(const reader::ThreadState& state, const Address& address);
  // Innermost first. Lives as long as the namer.
  std::span<const FrameId> group(std::uint32_t frame) const { return groups_[frame - Named::groups]; }

  // Index 0 is not used.
  const std::vector<UnnamedCode>& unnamed_code() const { return unnamed_; }

 private:
  struct NameKey {
    CodeAddress at;
    std::uint64_t note = 0;
    std::uint64_t code_time = 0;
    bool operator==(const NameKey&) const = default;
  };
  // A name of a program, by where it is kept, and what is put behind it.
  struct MarkedName {
    const char* name = nullptr;
    std::string mark;
    bool operator==(const MarkedName&) const = default;
  };
  struct Hash {
    std::size_t operator()(const NameKey& place) const;
    std::size_t operator()(const MarkedName& name) const;
    std::size_t operator()(std::uint32_t binary) const;
  };

  Named name(const CodeAddress& address, std::uint64_t code_time, const std::string& mark);
  const symbolize::SymbolFile& file_of(std::uint32_t binary);
  Named inlined_frames(std::span<const symbolize::SourceFrame> frames, FrameId outermost, const std::string& mark);
  FrameId named_frame(std::string_view name, bool mangled, const std::string& mark);
  Named unnamed_frame(const CodeAddress& address, symbolize::Missing reason, const std::string& mark);
  // What is put behind the names of frames of a binary.
  std::string mark_of(std::uint32_t binary, std::uint64_t note) const;

  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  FrameTable& frames_;
  const FrameStyle style_;

  SharedMap<std::uint32_t, const symbolize::SymbolFile*, Hash> files_;  // by binary
  SharedMap<NameKey, Named, Hash> named_;
  SharedMap<MarkedName, FrameId, Hash> names_;
  std::mutex mutex_;  // of what follows
  StableVector<std::span<const FrameId>> groups_;
  std::pmr::monotonic_buffer_resource group_memory_;
  std::vector<UnnamedCode> unnamed_{1};
};

}  // namespace perfsift::analysis
