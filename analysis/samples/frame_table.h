// The texts of frames, each text stored once.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace perfsift::analysis {

// A frame of a stack, as text. Equal numbers mean equal texts, within one FrameTable.
using FrameId = std::uint32_t;

class FrameTable {
 public:
  // Thread-safe.
  FrameId intern(std::string_view text);

  // Must not be called while another thread may still intern.
  std::string_view text(FrameId frame) const { return texts_[frame]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

 private:
  std::mutex mutex_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, FrameId> ids_;
};

// The text of a frame without a name: the file, with the offset in the file if given: [libc.so.6+0x1234]. A name that
// is in brackets already, like [vdso], does not get a second pair.
std::string unnamed_text(std::string_view path, std::optional<std::uint64_t> offset);

// `text` in a form that fits into a folded stack: printable(), without ';', which separates frames, and without a blank
// before a number at the end (flamegraph.pl takes "name 12 34" for two counts).
std::string foldable(std::string_view text);

}  // namespace perfsift::analysis
