#include "analysis/annotation/annotation.h"

#include <algorithm>
#include <optional>
#include <span>

#include "analysis/report/event_amounts.h"
#include "analysis/report/focus.h"

namespace perfsift::analysis {
namespace {

class Annotator {
 public:
  Annotator(const Profile& profile, std::string_view function) : frames_(profile.frames()), function_(function) {}

  // `stack`: root first.
  void add(std::span<const FrameId> stack, const Amount& amount) {
    const std::span<const FrameId> at_address = frames_at_leaf(stack);
    const auto outermost = std::ranges::find_if(at_address, [&](FrameId frame) { return is_annotated(frame); });
    if (outermost == at_address.end()) return;
    const FrameId innermost = at_address.back();
    const bool own = is_annotated(innermost);
    (own ? self_ : inlined_) += amount;
    const FrameOrigin& place = frames_.origin(innermost);
    lines_[{!own, frames_.text(innermost), frames_.file_of(innermost), place.line}] += amount;
    add_address(at_address.front(), amount);
  }

  bool any() const { return self_ != Amount() || inlined_ != Amount(); }

  Annotation finish(std::string_view event, const Amount& all) {
    Annotation annotation{.event = event, .all = all, .self = self_, .inlined = inlined_, .lines = {}, .code = {}};
    for (const auto& [line, amount] : lines_) {
      const auto& [inlined, function, file, number] = line;
      annotation.lines.push_back(
          {.function = function, .file = file, .line = number, .inlined = inlined, .amount = amount});
    }
    for (auto& [key, code] : code_) annotation.code.push_back(std::move(code));
    return annotation;
  }

 private:
  // Not of the annotated function come last.
  using Line = std::tuple<bool, std::string_view, std::string_view, std::uint32_t>;

  bool is_annotated(FrameId frame) const {
    return frames_.text(frame) == function_ && is_function(frames_.origin(frame));
  }

  // The functions at the address that ran: calls that were inlined, and the function around them, which comes first.
  std::span<const FrameId> frames_at_leaf(std::span<const FrameId> stack) const {
    std::size_t first = stack.size() - 1;
    const FrameOrigin& leaf = frames_.origin(stack.back());
    while (first != 0 && frames_.origin(stack[first]).inlined) {
      const FrameOrigin& around = frames_.origin(stack[first - 1]);
      if (around.address != leaf.address || around.binary != leaf.binary || !is_function(around)) break;
      --first;
    }
    return stack.subspan(first);
  }

  void add_address(FrameId around, const Amount& amount) {
    const FrameOrigin& origin = frames_.origin(around);
    const FrameBinary binary = origin.binary != FrameOrigin::none ? frames_.binaries()[origin.binary] : FrameBinary();
    const auto [code, is_new] = code_.try_emplace({frames_.text(around), binary});
    if (is_new) {
      code->second.function = frames_.text(around);
      code->second.kind = origin.kind;
      code->second.unnamed = origin.unnamed;
      code->second.binary = binary;
    }
    code->second.addresses[origin.address] += amount;
  }

  const FrameTable& frames_;
  const std::string_view function_;
  Amount self_, inlined_;
  std::map<Line, Amount> lines_;
  std::map<std::tuple<std::string_view, FrameBinary>, AnnotatedCode> code_;
};

}  // namespace

std::vector<Annotation> annotate(const Profile& profile, std::string_view function) {
  std::vector<Annotator> annotators(profile.events().size(), Annotator(profile, function));
  std::vector<FrameId> stack;
  for (const StackList& list : profile.lists()) {
    for (const StackList::Entry& entry : list.entries()) {
      profile.get_frames(entry, stack);
      annotators[profile.callers(entry.callers).event].add(stack, entry.amount);
    }
  }
  const std::vector<Amount> all = event_amounts(profile);
  std::vector<Annotation> annotations;
  for (EventId event = 0; event < annotators.size(); ++event) {
    if (annotators[event].any()) annotations.push_back(annotators[event].finish(profile.events()[event], all[event]));
  }
  std::ranges::sort(annotations, {}, &Annotation::event);
  return annotations;
}

}  // namespace perfsift::analysis
