#include "analysis/report/focus.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/input/text_scan.h"
#include "base/edit_distance.h"
#include "base/lower_case.h"

namespace perfsift::analysis {
namespace {

// Copies frames of one profile to another.
class FrameCopies {
 public:
  FrameCopies(const Profile& from, Profile& to) : from_(from), to_(to), known_(from.frames().size()) {}

  FrameId copy(FrameId frame) {
    if (!known_[frame]) known_[frame] = to_.frames().intern_from(from_.frames(), frame);
    return *known_[frame];
  }

 private:
  const Profile& from_;
  Profile& to_;
  std::vector<std::optional<FrameId>> known_;
};

// The names of the functions in stacks. Placeholders for code without a name are left out.
std::set<std::string_view> functions_of(const Profile& profile) {
  std::set<std::string_view> names;
  const auto add = [&](FrameId frame) {
    const FrameOrigin& origin = profile.frames().origin(frame);
    const std::string_view text = profile.frames().text(frame);
    if (is_function(origin) && !origin.unnamed && !text.starts_with('[')) names.insert(text);
  };
  for (const StackList& list : profile.lists()) {
    for (const Callers& callers : list.callers()) std::ranges::for_each(callers.frames, add);
    for (const StackList::Entry& entry : list.entries()) add(entry.leaf);
  }
  return names;
}

// The text of a pattern with `*` around it, which other tools accept.
std::string_view without_stars(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of('*'), text.size());
  return text.substr(begin, text.find_last_not_of('*') + 1 - begin);
}

// The most similar comes first.
enum class Likeness : std::uint8_t { begins_a_name, contains, mistyped };

Likeness likeness_of(std::string_view function, std::string_view wanted) {
  Likeness likeness = Likeness::mistyped;
  for (std::size_t at = 0; (at = function.find(wanted, at)) != std::string_view::npos; ++at) {
    if (at == 0 || !is_word(function[at - 1])) return Likeness::begins_a_name;
    likeness = Likeness::contains;
  }
  return likeness;
}

}  // namespace

bool is_function(const FrameOrigin& origin) {
  return origin.kind != FrameKind::thread && origin.kind != FrameKind::cgroup && origin.kind != FrameKind::event;
}

bool focus(const Profile& profile, std::string_view function, FocusSide side, Profile& focused) {
  FrameCopies copies(profile, focused);
  StackList& into = focused.new_list();
  const auto is_it = [&](FrameId frame) {
    return profile.frames().text(frame) == function && is_function(profile.frames().origin(frame));
  };
  std::vector<FrameId> frames;
  for (const StackList& list : profile.lists()) {
    for (const StackList::Entry& entry : list.entries()) {
      profile.get_frames(entry, frames);
      const auto outermost = std::ranges::find_if(frames, is_it);
      if (outermost == frames.end()) continue;
      if (side == FocusSide::callees) {
        frames.erase(frames.begin(), outermost);
      } else {
        frames.erase(outermost + 1, frames.end());
        std::ranges::reverse(frames);
      }
      std::ranges::transform(frames, frames.begin(), [&](FrameId frame) { return copies.copy(frame); });
      into.add(focused.event_from(profile, profile.callers(entry.callers).event), frames, entry.amount);
    }
  }
  return !into.entries().empty();
}

std::string most_similar_function(const Profile& profile, std::string_view name) {
  constexpr std::size_t longest = 200;  // computing a distance takes time proportional to the product of both lengths
  const std::string wanted = lower_case(without_stars(name));
  if (wanted.empty()) return {};
  std::string_view best;
  std::tuple<Likeness, std::size_t, std::string_view> best_rank;
  for (const std::string_view text : functions_of(profile)) {
    const std::string lower = lower_case(text);
    const Likeness likeness = likeness_of(lower, wanted);
    if (likeness == Likeness::mistyped && (text.size() > longest || wanted.size() > longest)) continue;
    const std::size_t distance = likeness == Likeness::mistyped ? edit_distance(lower, wanted) : text.size();
    if (likeness == Likeness::mistyped && distance > wanted.size() / 2) continue;  // too different for a typing error
    const std::tuple rank(likeness, distance, text);
    if (!best.empty() && best_rank <= rank) continue;
    best_rank = rank;
    best = text;
  }
  return std::string(best);
}

}  // namespace perfsift::analysis
