// The texts of frames, each text stored once, and what is known about frames besides their text.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "base/binary.h"
#include "base/stable_vector.h"

namespace perfsift::analysis {

// A frame of a stack. Equal numbers mean equal texts and origins, within one FrameTable.
using FrameId = std::uint32_t;

// The kind of code that a frame stands for.
enum class FrameKind : std::uint8_t {
  other,   // not known, or no code: [truncated], [lost samples], a delimiter
  event,   // the name of an event
  cgroup,  // a control group
  thread,  // the name of a thread
  user,
  kernel,  // the kernel and its modules
  jit,     // code made at run time
};

// The properties of a frame besides its text. A FrameDetail decides how many of them are filled in.
struct FrameOrigin {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  FrameKind kind = FrameKind::other;
  bool inlined = false;         // a call that the compiler inlined into the next outer frame of a function
  bool unnamed = false;         // the text is that of the binary, because the address has no name
  std::uint32_t binary = none;  // index into FrameTable::binaries()
  std::uint32_t file = none;    // index into FrameTable::files()
  std::uint32_t line = 0;       // in that file; 0: not known
  std::uint64_t address = 0;    // CodeAddress::offset in the binary; return addresses are those of the call
  bool operator==(const FrameOrigin&) const = default;
};

// How finely a profile distinguishes frames. Each level includes the levels above it.
enum class FrameDetail : std::uint8_t {
  text,      // frames of code with the same text are the same frame
  function,  // kind, binary, and where the function begins in the source
  line,      // the line that ran, or that called the next inner frame
  address,   // the address
};

// A binary that frames lie in.
struct FrameBinary {
  std::string path;  // as recorded
  BuildId build_id;
  // The binary of the first recording that has it; nullptr: not known. Not part of the binary's identity.
  std::shared_ptr<const Binary> recorded = nullptr;
  bool operator==(const FrameBinary& other) const { return path == other.path && build_id == other.build_id; }
  auto operator<=>(const FrameBinary& other) const {
    return std::tie(path, build_id) <=> std::tie(other.path, other.build_id);
  }
};

// Interning is thread-safe. The other functions must not be called while another thread may still intern.
class FrameTable {
 public:
  FrameId intern(std::string_view text);
  FrameId intern(std::string_view text, const FrameOrigin& origin);
  // Interns a copy of `frame` of another table, to which no thread adds meanwhile.
  FrameId intern_from(const FrameTable& other, FrameId frame);
  // The numbers for FrameOrigin.
  std::uint32_t binary(const FrameBinary& binary);
  std::uint32_t file(std::string_view path);

  // Texts live as long as the table. Frames of equal text share one text, at one address.
  std::string_view text(FrameId frame) const { return frames_[frame].text; }
  const FrameOrigin& origin(FrameId frame) const { return frames_[frame].origin; }
  // The frame with the same text and no origin.
  FrameId plain(FrameId frame) const { return frames_[frame].plain; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(frames_.size()); }
  const std::deque<FrameBinary>& binaries() const { return binaries_; }
  const std::deque<std::string>& files() const { return files_; }
  // The path of the frame's binary, and its source file; empty: not known.
  std::string_view binary_of(FrameId frame) const;
  std::string_view file_of(FrameId frame) const;

  // < 0, 0, > 0 by the texts, then by the origins. Does not depend on the order in which frames were interned.
  // Frames of the same function are next to each other.
  int compare(FrameId a, FrameId b) const;
  // Whether the frames have the same name, kind, and file name of their binary. Recordings of one program differ in
  // the rest: places and addresses from build to build, build ids also because perf record -z stores none. The file of
  // code made at run time does not matter, as its name is that of the process.
  bool same_function(FrameId a, FrameId b) const;

 private:
  struct Frame {
    std::string_view text;
    FrameOrigin origin;
    FrameId plain = 0;
    bool operator==(const Frame&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Frame& frame) const;
  };

  FrameId intern_text(std::string_view text);

  std::mutex mutex_;
  std::deque<std::string> texts_;
  StableVector<Frame> frames_;
  std::unordered_map<std::string_view, FrameId> plain_;    // frames without origin, by text
  std::unordered_map<Frame, FrameId, Hash> with_origins_;  // their texts are those of frames without origin
  std::deque<FrameBinary> binaries_;
  std::map<FrameBinary, std::uint32_t> binary_numbers_;
  std::deque<std::string> files_;
  std::map<std::string, std::uint32_t, std::less<>> file_numbers_;
};

// The text of a frame without a name: the file, with the offset in the file if given: [libc.so.6+0x1234]. A name that
// is in brackets already, like [vdso], does not get a second pair.
std::string unnamed_text(std::string_view path, std::optional<std::uint64_t> offset);

// `text` in a form that fits into a folded stack: printable(), without ';', which separates frames, and without a blank
// before a number at the end (flamegraph.pl takes "name 12 34" for two counts).
std::string foldable(std::string_view text);

}  // namespace perfsift::analysis
