#include "analysis/profile/lost_frames.h"

namespace perfsift::analysis {
namespace {

std::uint64_t mean_value(const Profile& profile) {
  Amount all;
  for (const StackList& list : profile.lists()) {
    all += list.frameless();
    for (const StackList::Entry& entry : list.entries()) all += entry.amount;
  }
  return all.samples != 0 ? all.value / all.samples : 1;
}

}  // namespace

void add_lost_frames(const Quality& quality, Weight weight, Profile& profile) {
  const std::vector<EventId> events = profile.events_with_stacks();
  const EventId event = events.size() == 1 ? events.front() : profile.event(events.empty() ? no_event : "[lost]");
  const std::uint64_t each = weight == Weight::period && events.size() == 1 ? mean_value(profile) : 1;
  StackList& list = profile.new_list();
  const auto add = [&](std::string_view name, std::uint64_t count) {
    const FrameId frame = profile.frames().intern(name);
    if (count != 0) list.add(event, {&frame, 1}, {.samples = count, .value = count * each});
  };
  add(lost_samples_frame, quality.lost_samples);
  add(lost_records_frame, quality.other_lost_records());
}

}  // namespace perfsift::analysis
