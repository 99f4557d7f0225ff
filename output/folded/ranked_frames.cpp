#include "output/folded/ranked_frames.h"

#include <algorithm>
#include <functional>

namespace perfsift::output {
namespace {

struct Key {
  std::string_view text;
  bool inner;
  analysis::FrameId frame;

  // Compares as if inner texts ended with ';'. Of equal texts the leaf, which is shorter, comes first.
  bool operator<(const Key& other) const {
    const std::size_t common = std::min(text.size(), other.text.size());
    if (const int order = text.substr(0, common).compare(other.text.substr(0, common))) return order < 0;
    if (text.size() == other.text.size()) return !inner && other.inner;
    if (text.size() < other.text.size()) return !inner || ';' < static_cast<unsigned char>(other.text[common]);
    return other.inner && static_cast<unsigned char>(text[common]) < ';';
  }
};

}  // namespace

RankedFrames::RankedFrames(const std::vector<std::string_view>& texts) : inner_(texts.size()), leaf_(texts.size()) {
  std::vector<Key> keys;
  keys.reserve(texts.size() * 2);
  for (analysis::FrameId frame = 0; frame < texts.size(); ++frame) {
    keys.push_back({texts[frame], true, frame});
    keys.push_back({texts[frame], false, frame});
  }
  std::ranges::sort(keys, std::less{});

  rendered_.emplace_back();
  for (const Key& key : keys) {
    (key.inner ? inner_ : leaf_)[key.frame] = count();
    rendered_.push_back({all_.size(), key.text.size() + 1});
    all_.append(key.text).push_back(key.inner ? ';' : ' ');
  }
  all_.append(readable, '\0');
}

}  // namespace perfsift::output
