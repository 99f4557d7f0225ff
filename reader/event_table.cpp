#include "reader/event_table.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "reader/format/garbage.h"

namespace perfsift::reader {
namespace {

namespace bit = sample_bit;

// The offset of the id in a sample, in bytes (__evsel__sample_id_pos... in tools/perf/util/evsel.c: all events of a
// recording agree on the offset).
std::optional<std::size_t> id_offset_in_sample(const EventAttr& attr) {
  if (attr.has(bit::identifier)) return 0;
  if (!attr.has(bit::id)) return std::nullopt;
  return 8 * static_cast<std::size_t>(std::popcount(attr.sample_type & (bit::ip | bit::tid | bit::time | bit::addr)));
}

// The offset of the id in other records, counted from the end of the record.
std::optional<std::size_t> id_offset_from_end(const EventAttr& attr) {
  if (!attr.sample_id_all()) return std::nullopt;
  if (attr.has(bit::identifier)) return 8;
  if (!attr.has(bit::id)) return std::nullopt;
  return 8 * (1 + static_cast<std::size_t>(std::popcount(attr.sample_type & (bit::cpu | bit::stream_id))));
}

std::optional<std::size_t> time_offset_in_sample(const EventAttr& attr) {
  if (!attr.has(bit::time)) return std::nullopt;
  return 8 * static_cast<std::size_t>(std::popcount(attr.sample_type & (bit::identifier | bit::ip | bit::tid)));
}

// The fields that were not recorded, but are in the registers of IBS. Recorded fields count more.
std::uint64_t fields_of_ibs_op(const EventAttr& attr) {
  constexpr std::uint64_t told = bit::addr | bit::data_src | bit::phys_addr | bit::weight_struct;
  const std::uint64_t missing = told & ~attr.sample_type;
  return attr.has(bit::weight) ? missing & ~bit::weight_struct : missing;
}

}  // namespace

Event& EventTable::append(const EventAttr& attr) {
  Event& event = *events_.emplace_back(std::make_unique<Event>());
  event.index = static_cast<std::uint32_t>(events_.size() - 1);
  event.leader = event.index;
  event.attr = attr;
  return event;
}

Event& EventTable::add(const EventAttr& attr, const std::vector<std::uint64_t>& ids) {
  Event& event = append(attr);
  event.name = synthesised_event_name(attr);
  for (const std::uint64_t id : ids) add_id(event, id);
  if (event.index == 0) time_offset_ = time_offset_in_sample(attr);
  if (time_offset_ != time_offset_in_sample(attr)) time_offset_.reset();
  if (event.index == 1) id_offset_ = id_offset_in_sample(events_.front()->attr);
  return event;
}

Event& EventTable::add_made(const EventAttr& attr, std::string_view name, std::uint64_t id) {
  Event& event = append(attr);
  event.name = name;
  add_id(event, id);
  return event;
}

void EventTable::add_id(Event& event, std::uint64_t id) {
  event.ids.push_back(id);
  by_id_.add(id, event);
}

void EventTable::name_events(const Features& features, const TracepointFormats* formats) {
  for (const auto& event : events_) {
    const auto* description =
        event->index < features.event_descriptions.size() ? &features.event_descriptions[event->index] : nullptr;
    if (description != nullptr && !description->name.empty()) {
      event->name = description->name;
    } else if (formats != nullptr && event->tracepoint_id() >= 0) {
      const TracepointFormat* format = formats->find(event->tracepoint_id());
      if (format != nullptr) event->name = format->system + ":" + format->name;
    }
  }
  std::uint64_t end = 0;
  for (const EventGroup& group : features.groups) {
    if (group.leader < end) continue;  // groups do not overlap
    end = std::min<std::uint64_t>(std::uint64_t{group.leader} + group.members, events_.size());
    for (std::uint64_t i = group.leader; i < end; ++i) {
      events_[i]->leader = group.leader;
      events_[i]->group_name = group.name;
    }
  }
}

void EventTable::find_ibs(const Features& features) {
  for (const auto& event : events_) {
    const auto pmu = std::ranges::find(features.pmu_mappings, event->attr.type, &PmuMapping::type);
    event->ibs = pmu != features.pmu_mappings.end() ? ibs_unit(pmu->name) : IbsUnit::none;
    event->ibs_processor = ibs_processor(features.cpu_id);
    const bool accesses = event->ibs == IbsUnit::op && event->attr.has(bit::raw);
    event->derived_fields = accesses ? fields_of_ibs_op(event->attr) : 0;
  }
}

const Event* EventTable::of_trailer(const Record& record) const {
  if (events_.empty()) return nullptr;
  const Event* first = events_.front().get();
  const auto offset = id_offset_from_end(first->attr);
  const std::size_t end = payload_without_garbage(record, trailer_size(first->attr)).size();
  if (events_.size() == 1 || !offset || *offset > end) return first;
  const Event* event = find(word_at(record, end - *offset));
  return event != nullptr ? event : first;
}

SampleId EventTable::identify(const Record& record) const {
  const Event* event = of_trailer(record);
  return event != nullptr ? decode_sample_id(record, event->attr) : SampleId{};
}

std::optional<std::size_t> EventTable::time_offset_of(const Record& sample) const {
  const Event* event = of_sample(sample);
  return event != nullptr ? time_offset_in_sample(event->attr) : std::nullopt;
}

bool EventTable::reads_counters() const {
  return std::ranges::any_of(events_, [](const auto& event) { return event->attr.has(bit::read); });
}

}  // namespace perfsift::reader
