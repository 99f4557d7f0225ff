#include "analysis/rewrite/passing_records.h"

#include <algorithm>

namespace perfsift::analysis {
namespace {

// See BorderSwitches::Outermost.
std::size_t place_of(const filter::TimeRanges& ranges, std::uint64_t time) {
  const auto after = std::ranges::upper_bound(ranges, time, {}, &filter::TimeRange::from);
  const auto begun = static_cast<std::size_t>(after - ranges.begin());
  const bool inside = begun > 0 && time <= ranges[begun - 1].until;
  return inside ? 2 * begun - 1 : 2 * begun;
}

}  // namespace

using reader::RecordType;

bool is_passing(RecordType type) {
  switch (type) {
    case RecordType::lost:
    case RecordType::throttle:
    case RecordType::unthrottle:
    case RecordType::read:
    case RecordType::lost_samples:
      return true;
    default:
      return is_switch(type);
  }
}

bool is_switch(RecordType type) { return type == RecordType::switch_ || type == RecordType::switch_cpu_wide; }

SwitchingThread switching_thread(const reader::SampleId& id) { return {id.tid, id.tid > 0 ? -1 : id.cpu}; }

void BorderSwitches::SwitchesOfThread::add(std::size_t place, const Switch& found) {
  if (found_.empty() || found_.back().place != place) {
    if (found_.size() >= most_) most_ = std::max(most_, 2 * in_order().size());
    found_.push_back({.place = place, .first = found, .last = found});
    return;
  }
  found_.back().first = std::min(found_.back().first, found);
  found_.back().last = std::max(found_.back().last, found);
}

const std::vector<BorderSwitches::Outermost>& BorderSwitches::SwitchesOfThread::in_order() {
  std::ranges::sort(found_, {}, &Outermost::place);
  std::size_t count = 0;
  for (const Outermost& next : found_) {
    if (count == 0 || found_[count - 1].place != next.place) {
      found_[count++] = next;
      continue;
    }
    found_[count - 1].first = std::min(found_[count - 1].first, next.first);
    found_[count - 1].last = std::max(found_[count - 1].last, next.last);
  }
  found_.resize(count);
  return found_;
}

void BorderSwitches::look(const reader::Record& record, const reader::SampleId& id) {
  if (id.time == reader::no_time) return;
  std::vector<SwitchesOfThread>& places = threads_[switching_thread(id)];
  places.resize(parts_.size());
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    places[part].add(place_of(*parts_[part], id.time), {.time = id.time, .position = record.position});
  }
}

std::vector<std::vector<std::uint64_t>> BorderSwitches::take() {
  std::vector<std::vector<std::uint64_t>> positions(parts_.size());
  for (auto& [thread, places] : threads_) {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const std::vector<Outermost>& all = places[part].in_order();
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].inside()) continue;
        if (i > 0 && all[i - 1].inside()) positions[part].push_back(all[i].first.position);
        if (i + 1 < all.size() && all[i + 1].inside()) positions[part].push_back(all[i].last.position);
      }
    }
  }
  threads_.clear();
  for (std::vector<std::uint64_t>& found : positions) {
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  return positions;
}

}  // namespace perfsift::analysis
