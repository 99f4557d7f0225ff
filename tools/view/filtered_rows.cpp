#include "tools/view/filtered_rows.h"

#include <algorithm>
#include <utility>

#include "analysis/samples/event_selection.h"
#include "base/error.h"
#include "base/printable.h"
#include "tools/page/wait_reading.h"

namespace perfsift::tools {
namespace {

void append_size(std::size_t size, std::string& bits) {
  for (int byte = 0; byte < 4; ++byte) bits.push_back(static_cast<char>(size >> (8 * byte)));
}

void append_bits(const analysis::RowSet* rows, std::uint32_t count, std::string& bits) {
  const std::size_t size = (std::size_t{count} + 7) / 8;
  append_size(size, bits);
  for (std::size_t i = 0; i < size; ++i) {
    bits.push_back(rows == nullptr ? '\xff' : static_cast<char>(rows->words()[i / 8] >> (8 * (i % 8))));
  }
}

}  // namespace

const std::string& filtered_path(const PageReading& reading, std::size_t recording) {
  const std::string& path = reading.contents().recordings[recording].name;
  if (path == "-") throw UsageError("standard input cannot be read again: filters need the recording in a file");
  if (!reading.is_recording(recording))
    throw UsageError(printable(path) + ": is no recording, and samples are filtered in recordings only");
  reading.expect_unchanged(recording);
  return path;
}

std::string FilteredRows::kept_bits(const std::string& text, std::optional<std::size_t> only,
                                    const analysis::StopFlag& stop) {
  const filter::Filter filter = filter::Filter::parse(text);
  const analysis::EventSelection selection(viewed_.inputs.events());
  const std::vector<std::string>& events = viewed_.reading.profile().events();
  std::string bits;
  for (std::size_t i = 0; i < viewed_.reading.contents().recordings.size(); ++i) {
    if (only && *only != i) {
      append_size(0, bits);
      continue;
    }
    Source& from = source(i);
    const auto event_of = [&](const reader::Event& event) -> std::optional<analysis::EventId> {
      const auto name = selection(event.name);
      const auto known = name ? std::ranges::find(events, *name) : events.end();
      if (known == events.end()) return {};
      return static_cast<analysis::EventId>(known - events.begin());
    };
    const analysis::StackIndex* const stacks = filter.uses_stack() ? index(from, stop) : nullptr;
    const auto rows = analysis::kept_rows({.recording = *from.recording,
                                           .symbolizer = viewed_.inputs.symbolizer(),
                                           .table = viewed_.reading.samples(i),
                                           .finder = from.finder,
                                           .event_of = event_of,
                                           .stacks = {.max_frames = viewed_.stacks.unwind.max_frames, .index = stacks},
                                           .threads = viewed_.inputs.threads()},
                                          filter, stop);
    viewed_.reading.expect_unchanged(i);
    append_bits(rows.get(), viewed_.reading.samples(i).size(), bits);
  }
  return bits;
}

std::string FilteredRows::kept_wait_bits(const std::string& text, const analysis::StopFlag& stop) {
  const filter::Filter filter =
      filter::Filter::parse({filter::FilterText{.origin = "filter", .text = text}}, filter::Subject::interval);
  std::string bits;
  for (std::size_t number = 0; number < viewed_.reading.contents().recordings.size(); ++number) {
    stop.check();
    const std::vector<bool> kept = kept_waits_of(number, filter, stop);
    const std::size_t size = (kept.size() + 7) / 8, begin = bits.size() + 4;
    append_size(size, bits);
    bits.resize(begin + size);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (kept[i]) bits[begin + i / 8] = static_cast<char>(bits[begin + i / 8] | 1 << i % 8);
    }
  }
  return bits;
}

std::vector<bool> FilteredRows::kept_waits_of(std::size_t recording, const filter::Filter& filter,
                                              const analysis::StopFlag& stop) {
  if (!viewed_.reading.contents().recordings[recording].waits) return {};
  std::vector<bool> kept =
      kept_waits(filtered_path(viewed_.reading, recording), filter, viewed_.inputs.symbolizer(), stop);
  viewed_.reading.expect_unchanged(recording);
  return kept;
}

void FilteredRows::prepare(const analysis::StopFlag& stop) {
  for (std::size_t i = 0; i < viewed_.reading.contents().recordings.size(); ++i) {
    const bool is_file = viewed_.reading.is_recording(i) && viewed_.reading.contents().recordings[i].name != "-";
    if (is_file) index(source(i), stop);
  }
}

const analysis::StackIndex* FilteredRows::index(Source& source, const analysis::StopFlag& stop) {
  if (!source.is_indexed) {
    source.index = analysis::StackIndex::build(*source.recording, viewed_.inputs.symbolizer(),
                                               {.max_frames = viewed_.stacks.unwind.max_frames},
                                               viewed_.inputs.threads(), [&] { stop.check(); });
    source.is_indexed = true;
  }
  return source.index ? &*source.index : nullptr;
}

FilteredRows::Source& FilteredRows::source(std::size_t number) {
  const std::string& path = filtered_path(viewed_.reading, number);
  if (const auto known = sources_.find(number); known != sources_.end()) return known->second;
  Source made{.recording = reader::Recording::open(path),
              .finder = analysis::RowFinder(viewed_.reading.samples(number))};
  return sources_.emplace(number, std::move(made)).first->second;
}

}  // namespace perfsift::tools
