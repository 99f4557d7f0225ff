#include "analysis/samples/joined_stack.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "reader/callchain.h"

namespace perfsift::analysis {
namespace {

namespace context = reader::callchain_context;
namespace note = reader::callchain_note;
using reader::Words;
using symbolize::FrameOrigin;
using symbolize::StackEnd;
using Joined = std::vector<Unaligned<std::uint64_t>>;

std::uint64_t note_of(FrameOrigin origin) {
  switch (origin) {
    case FrameOrigin::frame_pointer:
      return note::guessed;
    case FrameOrigin::earlier_stack:
      return note::repaired;
    case FrameOrigin::sample:
    case FrameOrigin::cfi:
    case FrameOrigin::code:
      return note::found;
  }
  return note::found;
}

// The address that a signal interrupted is no return address, so it starts a new context, as the first frame does.
void append_frames(const std::vector<symbolize::Frame>& frames, Joined& words) {
  std::uint64_t last_note = note::found;
  for (const symbolize::Frame& frame : frames) {
    if (!frame.return_address) words.emplace_back(context::user), last_note = note::found;
    const std::uint64_t its_note = note_of(frame.origin);
    if (its_note != last_note) words.emplace_back(its_note);
    last_note = its_note;
    words.emplace_back(frame.address);
  }
}

// Appends the entries of a recorded callchain that follow the last unwound frame. Returns false when the callchain does
// not have this frame, or has nothing after it. With recursion the frame may occur several times; the occurrence whose
// callees agree best is taken.
bool append_rest(Words recorded, Joined& words) {
  std::size_t rest = 0, most_equal = 0;
  for (std::size_t i = 1; i < recorded.size(); ++i) {
    const auto before = std::make_reverse_iterator(recorded.begin() + static_cast<std::ptrdiff_t>(i));
    const auto [end, _] =
        std::mismatch(before, recorded.rend(), words.rbegin(), words.rend(), std::equal_to<std::uint64_t>());
    const auto equal = static_cast<std::size_t>(end - before);
    if (equal > most_equal) rest = i, most_equal = equal;
  }
  if (most_equal == 0) return false;
  words.insert(words.end(), recorded.begin() + static_cast<std::ptrdiff_t>(rest), recorded.end());
  return true;
}

// The user part of a recorded callchain.
Words user_part(Words callchain) {
  const auto user = std::ranges::find_if(callchain, reader::is_user_marker);
  if (user == callchain.end() || *user != context::user) return {};
  const Words rest(std::next(user), callchain.end());
  const auto is_marker = [](std::uint64_t entry) { return entry >= context::max; };
  return {rest.begin(), std::ranges::find_if(rest, is_marker)};
}

}  // namespace

bool join(Words callchain, const symbolize::UnwoundStack& unwound, Joined& words) {
  words.assign(callchain.begin(), std::ranges::find_if(callchain, reader::is_user_marker));
  append_frames(unwound.frames, words);
  const bool goes_on = unwound.end != StackEnd::complete && append_rest(user_part(callchain), words);
  const bool cut = unwound.end == StackEnd::truncated || unwound.end == StackEnd::max_frames;
  if (cut && !goes_on) words.emplace_back(note::truncated);
  return goes_on;
}

}  // namespace perfsift::analysis
