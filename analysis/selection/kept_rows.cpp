#include "analysis/selection/kept_rows.h"

#include <algorithm>
#include <numeric>

#include "analysis/profile/ranked_stack.h"
#include "analysis/samples/sample_filter.h"

namespace perfsift::analysis {
namespace {

// Marks the rows of the samples that one thread keeps.
class Marker : public reader::SampleVisitor {
 public:
  Marker(const KeptRowsQuestion& question, std::unique_ptr<SampleFilter> filter, RowSet& rows, const StopFlag& stop)
      : question_(question), filter_(std::move(filter)), rows_(rows), stop_(stop) {}

  void sample(const reader::Sample& sample) override {
    if (++seen_ % samples_between_checks == 0) stop_.check();
    if (!filter_->keeps(sample)) return;
    const std::optional<EventId> event = event_of(*sample.event);
    if (!event) return;
    question_.finder.for_each_row(sample.moment.position, hint_, [&](std::uint32_t row) {
      if (question_.table[row].event == *event) rows_.add(row);
    });
  }

 private:
  static constexpr std::uint32_t samples_between_checks = 1024;

  std::optional<EventId> event_of(const reader::Event& event) {
    while (events_.size() <= event.index) events_.emplace_back();
    auto& known = events_[event.index];
    if (!known) known = question_.event_of(event);
    return *known;
  }

  const KeptRowsQuestion& question_;
  const std::unique_ptr<SampleFilter> filter_;
  RowSet& rows_;
  const StopFlag& stop_;
  RowFinder::Hint hint_ = 0;
  std::uint32_t seen_ = 0;
  std::vector<std::optional<std::optional<EventId>>> events_;  // by Event::index
};

struct PositionOfRow {
  std::uint64_t position = 0;
  std::uint32_t row = 0;
};

}  // namespace

RowFinder::RowFinder(const SampleIndex& table) {
  LargeVector<PositionOfRow> all(table.size()), scratch(table.size());
  for (std::uint32_t row = 0; row < table.size(); ++row) all[row] = {.position = table[row].position, .row = row};
  if (!all.empty()) radix_sort(std::span(all), std::span(scratch), &PositionOfRow::position);
  positions_.reserve(all.size());
  rows_.reserve(all.size());
  for (const PositionOfRow& one : all) {
    positions_.push_back(one.position);
    rows_.push_back(one.row);
  }
}

std::shared_ptr<const RowSet> kept_rows(const KeptRowsQuestion& question, const filter::Filter& filter,
                                        const StopFlag& stop) {
  if (filter.keeps_all()) return nullptr;
  RecordingFilter wanted(question.recording, question.symbolizer, filter, question.stacks);
  wanted.prepare(question.threads);
  stop.check();
  auto rows = std::make_shared<RowSet>(question.table.size());
  const auto new_marker = [&](unsigned) { return std::make_unique<Marker>(question, wanted.worker(), *rows, stop); };
  question.recording.visit_samples(wanted.needs_order(), question.threads, new_marker);
  return rows;
}

}  // namespace perfsift::analysis
