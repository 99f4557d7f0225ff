#include "tools/diff/diff_picture.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/comparison/change.h"
#include "base/error.h"
#include "tools/picture/event_unit.h"

namespace perfsift::tools {
namespace {

using analysis::Amount;
using analysis::CallTree;
using analysis::ChangeOf;
using analysis::JoinedProfile;
using analysis::Side;
using analysis::TreeAmounts;

// "8206", or "321 of 8206".
std::string part_text(std::uint64_t kept, std::uint64_t left_out) {
  return left_out == 0 ? std::to_string(kept) : fmt::format("{} of {}", kept, kept + left_out);
}

class Drawing {
 public:
  Drawing(const JoinedProfile& joined, const DiffPicture& picture)
      : joined_(joined),
        picture_(picture),
        tree_(joined.profile(), {.reversed = picture.look.reversed, .event_frames = false, .by_function = true},
              picture.threads),
        before_(joined.amounts(tree_, Side::before)),
        after_(joined.amounts(tree_, Side::after)),
        all_before_(before_.total(CallTree::root)),
        all_after_(after_.total(CallTree::root)) {}

  void write(output::OutputFile& out) const {
    const output::FlameDifference difference{.before = &before_,
                                             .scale = scale(),
                                             .of_shares = picture_.what == ChangeOf::shares,
                                             .negated = picture_.negated,
                                             .is_significant = [this](auto node) { return change(node).significant; }};
    output::write_flame_graph({.amounts = &after_, .difference = &difference}, options(), out);
  }

 private:
  double scale() const {
    if (picture_.what == ChangeOf::values || all_before_.value == 0) return 1;
    return static_cast<double>(all_after_.value) / static_cast<double>(all_before_.value);
  }

  analysis::Change change(CallTree::Node node) const {
    const Amount before = before_.total(node), after = after_.total(node);
    return picture_.what == ChangeOf::shares ? change_of_shares(before, all_before_, after, all_after_)
                                             : change_of_values(before, after);
  }

  output::FlameOptions options() const {
    output::FlameOptions options = picture_.look;
    if (options.title.empty()) options.title = options.reversed ? "What changed, from the leaves" : "What changed";
    if (!options.subtitle) {
      options.subtitle = fmt::format("{}{} sample{} before, {} after, {}; grey: may be chance",
                                     picture_.counts ? "counts taken for " : "",
                                     part_text(all_before_.samples, picture_.left_out_before),
                                     all_before_.samples + picture_.left_out_before == 1 ? "" : "s",
                                     part_text(all_after_.samples, picture_.left_out_after),
                                     picture_.what == ChangeOf::shares ? "in shares of each side" : "as measured");
    }
    if (options.unit.name.empty()) options.unit = unit();
    return options;
  }

  output::AmountUnit unit() const {
    const std::vector<analysis::EventId> events = joined_.profile().events_with_stacks();
    if (events.empty()) return {};  // no sample has a stack
    output::AmountUnit of_event = unit_of_event(joined_.profile(), events.front(), picture_.weight);
    if (picture_.counts && of_event == output::AmountUnit()) of_event.name = "counts";
    return of_event;
  }

  const JoinedProfile& joined_;
  const DiffPicture& picture_;
  const CallTree tree_;
  const TreeAmounts before_, after_;
  const Amount all_before_, all_after_;
};

}  // namespace

void draw_difference(const analysis::Profile& before, const analysis::Profile& after, const DiffPicture& picture,
                     output::OutputFile& out) {
  draw_difference(JoinedProfile(before, after, analysis::SameFrame::name_and_binary, picture.names), picture, out);
}

void draw_difference(const JoinedProfile& joined, const DiffPicture& picture, output::OutputFile& out) {
  if (joined.profile().events_with_stacks().size() > 1) {
    throw UsageError("a picture shows one event, and the sides have several: choose one by --event");
  }
  Drawing(joined, picture).write(out);
}

}  // namespace perfsift::tools
