// The texts of frames, each once.
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

  // Not while another thread may still intern.
  std::string_view text(FrameId frame) const { return texts_[frame]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

 private:
  std::mutex mutex_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, FrameId> ids_;
};

// What is shown for a frame without a name: the file it lies in, and where in it, if that is given: [libc.so.6+0x1234].
// One that is shown in brackets already, like [vdso], does not get another pair.
std::string unnamed_text(std::string_view path, std::optional<std::uint64_t> offset);

// `text` as a folded stack can hold it: printable(), without ';' (it separates frames), and no blank before a number at
// its end (flamegraph.pl takes "name 12 34" for two counts).
std::string foldable(std::string_view text);

}  // namespace perfsift::analysis
