// Turns an address of a sample into the text of its frame.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/samples/frame_table.h"
#include "base/shared_map.h"
#include "base/stable_vector.h"
#include "filter/kernel_context.h"
#include "reader/callchain.h"
#include "reader/timeline/timeline.h"
#include "symbolize/symbolizer.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::analysis {

// How frames are written.
struct FrameStyle {
  symbolize::DemangleStyle demangling = symbolize::DemangleStyle::full;
  bool addresses = false;        // unnamed frames with their offset in the binary: [libc.so.6+0x1234]
  bool annotate_kernel = false;  // _[k] after names of the kernel and its modules
  bool annotate_jit = false;     // _[j] after names from a perf-PID.map or jitdump
  bool annotate_inline = false;  // _[i] after names of inlined functions
  bool annotate_guess = false;   // _[g] after names of frames that were guessed when the stack was unwound
  bool annotate_leaf = false;    // _[l] after names of functions whose caller may be missing: see CodeRemark
  bool inlines = true;           // inlined calls as separate frames
  bool kernel_entries = false;   // FrameNamer::Named::entry is wanted
  FrameDetail detail = FrameDetail::text;
  // With FrameDetail::function: where the function begins in the source, for which debug information is read. Without
  // this and without inlined calls, no debug information is read.
  bool starts = true;
};

// A defect of an address: it has no name, or its caller may be missing in the stack.
struct CodeRemark {
  // Why there is no name, and the binary; none: there is a name.
  symbolize::Missing reason = symbolize::Missing::none;
  std::uint32_t binary = CodeAddress::no_binary;
  // The frame of a function that has not set up a frame at the address. Callers by frame pointers then begin with the
  // caller's caller.
  std::optional<FrameId> frameless;
  auto operator<=>(const CodeRemark&) const = default;
};

// Thread-safe.
class FrameNamer {
 public:
  FrameNamer(const reader::Timeline& timeline, symbolize::Symbolizer& symbolizer, FrameTable& frames, FrameStyle style);

  // How an address is shown.
  struct Named {
    // Below `groups`: the frame. From `groups` on: group(frame) gives several frames, because calls were inlined.
    std::uint32_t frame = 0;
    std::uint32_t remark : 28 = 0;  // 0: nothing is wrong; otherwise an index into remarks()
    std::uint32_t entry : 4 = 0;    // a filter::KernelEntry, if the style asks for it

    filter::KernelEntry kernel_entry() const { return static_cast<filter::KernelEntry>(entry); }
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
  const std::vector<CodeRemark>& remarks() const { return remarks_; }

 private:
  struct NameKey {
    CodeAddress at;
    std::uint64_t note = 0;
    std::uint64_t code_time = 0;
    bool operator==(const NameKey&) const = default;
  };
  // A name from a binary, identified by the address of its text, and what its frame has besides.
  struct MarkedName {
    const char* name = nullptr;
    std::string mark;
    FrameOrigin origin;
    bool operator==(const MarkedName&) const = default;
  };
  // A place in the source, as FrameOrigin stores it.
  struct Place {
    std::uint32_t file = FrameOrigin::none;
    std::uint32_t line = 0;
  };
  struct Hash {
    std::size_t operator()(const NameKey& place) const;
    std::size_t operator()(const MarkedName& name) const;
    std::size_t operator()(std::uint32_t binary) const;
    std::size_t operator()(const symbolize::Symbol* symbol) const;
  };

  Named name(const CodeAddress& address, std::uint64_t code_time, const std::string& mark);
  const symbolize::SymbolFile& file_of(std::uint32_t binary);
  // The functions at an address, as SymbolFile::append_source_frames() gives them; without inlined calls, if these are
  // not wanted.
  std::vector<symbolize::SourceFrame> source_frames(const symbolize::SymbolFile& file, std::uint64_t offset,
                                                    std::uint64_t code_time) const;
  Named inlined_frames(std::span<const symbolize::SourceFrame> frames, FrameId outermost, const FrameOrigin& origin,
                       const std::string& mark);
  // Uses the function itself, not the functions that were inlined into it.
  filter::KernelEntry entry_of(const CodeAddress& address, const symbolize::Symbol* symbol) const;
  FrameId named_frame(std::string_view name, bool mangled, const FrameOrigin& origin, const std::string& mark);
  Named unnamed_frame(const CodeAddress& address, reader::CpuMode mode, symbolize::Missing reason,
                      const std::string& mark);
  // The origin that all frames at an address share, as far as the style distinguishes frames.
  FrameOrigin origin_of(const CodeAddress& address, reader::CpuMode mode);
  std::uint32_t number_of(std::uint32_t binary);  // FrameOrigin::binary
  Place place_of(const symbolize::SourcePlace& place);
  Place start_of(const symbolize::SymbolFile& file, const symbolize::Symbol& function);
  // Whether callers by frame pointers lack the caller of the function at the address.
  bool lacks_caller(const CodeAddress& at, std::uint64_t note) const;
  CodeRemark remark_at(std::uint32_t number);
  std::uint32_t remark_number(const CodeRemark& remark);
  // The mark that is appended to the names of a binary's frames.
  std::string mark_of(std::uint32_t binary, std::uint64_t note) const;

  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  FrameTable& frames_;
  const FrameStyle style_;

  SharedMap<std::uint32_t, const symbolize::SymbolFile*, Hash> files_;  // by binary
  SharedMap<std::uint32_t, std::uint32_t, Hash> binary_numbers_;        // likewise
  SharedMap<NameKey, Named, Hash> named_;
  SharedMap<MarkedName, FrameId, Hash> names_;
  SharedMap<const symbolize::Symbol*, Place, Hash> starts_;  // of functions
  std::mutex mutex_;                                         // guards the members below
  StableVector<std::span<const FrameId>> groups_;
  std::pmr::monotonic_buffer_resource group_memory_;
  std::vector<CodeRemark> remarks_{1};
  std::map<CodeRemark, std::uint32_t> remark_numbers_;
};

}  // namespace perfsift::analysis
