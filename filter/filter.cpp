#include "filter/filter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "filter/checker.h"
#include "filter/predicates.h"
#include "filter/time_ranges.h"

namespace perfsift::filter {

std::uint64_t RecordingTimes::from(double share) const {
  return first + static_cast<std::uint64_t>(std::round(share * static_cast<double>(last - first)));
}

std::uint64_t RecordingTimes::until(double share) const {
  const std::uint64_t end = from(share);
  return end > first && end != last ? end - 1 : end;
}

Filter Filter::parse(std::string_view text, std::string_view origin) {
  return parse({{.origin = std::string(origin), .text = std::string(text)}});
}

Filter Filter::parse(const std::vector<FilterText>& texts, Subject subject) {
  Filter filter;
  auto kept_texts = std::make_shared<const std::vector<FilterText>>(texts);
  std::vector<PredicatePtr> parts;
  for (std::size_t i = 0; i < kept_texts->size(); ++i) {
    const FilterText& text = (*kept_texts)[i];
    parts.push_back(filter::check(filter::parse(text), text, i, subject, filter.needs_));
  }
  filter.texts_ = std::move(kept_texts);
  if (parts.size() == 1) {
    filter.root_ = std::move(parts.front());
  } else if (!parts.empty()) {
    auto all = std::make_unique<Joined>(Joined::How::all, std::move(parts));
    all->set_info({.text = "and"});
    filter.root_ = std::move(all);
  }
  return filter;
}

TimeRanges Filter::times(const FilterState& state) const { return root_ == nullptr ? all_time() : root_->times(state); }

bool Filter::keeps(SampleFacts& facts, FilterState& state) const {
  if (root_ == nullptr) return true;
  Evaluation about{.sample = facts, .code = facts, .state = state};
  return root_->holds(about);
}

void Filter::check(const TracepointNames& names) const {
  for (const TracepointField& field : needs_.tracepoint_fields) {
    if (names.has(field)) continue;
    if (field.event.empty() && find_field(field.name, Subject::interval) != nullptr) {
      fail_at((*texts_)[field.text], field.place,
              "'" + field.name + "': samples have no such field, but the intervals of perfsift offcpu do");
    }
    std::vector<std::string> all = names.all();
    for (const Field& known : fields()) all.emplace_back(known.name);
    const std::string_view near = nearest(field.name, all);
    fail_at((*texts_)[field.text], field.place,
            "'" + field.name + "': there is no such field" +
                (field.event.empty() ? ", and no tracepoint of the recording has one" : " of " + field.event) +
                (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
  }
}

FilterState::FilterState(const Filter& filter, RecordingTimes times, std::shared_ptr<const Windows> windows)
    : times_(times),
      windows_(std::move(windows)),
      counters_(filter.needs().counters),
      memos_(filter.needs().memos),
      stack_memos_(filter.needs().stack_memos),
      frame_memos_(filter.needs().stack_memos) {}

bool FilterState::is_in_window(std::size_t window, std::uint64_t time) const {
  return range_around((*windows_)[window], time) != nullptr;
}

}  // namespace perfsift::filter
