#include "analysis/rewrite/time_windows.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace perfsift::analysis {
namespace {

// Finds the windows that contain a time.
class WindowIndex {
 public:
  explicit WindowIndex(std::vector<TimeWindow> windows) : windows_(std::move(windows)) {
    std::ranges::sort(windows_, {}, &TimeWindow::from);
    std::uint64_t latest = 0;
    for (const TimeWindow& window : windows_) latest_.push_back(latest = std::max(latest, window.until));
  }

  template <typename Take>
  void for_each_around(std::uint64_t time, Take&& take) const {
    const auto after = std::ranges::upper_bound(windows_, time, {}, &TimeWindow::from);
    for (auto i = static_cast<std::size_t>(after - windows_.begin()); i > 0 && latest_[i - 1] >= time; --i) {
      if (windows_[i - 1].until >= time) take(windows_[i - 1]);
    }
  }

 private:
  std::vector<TimeWindow> windows_;    // by start
  std::vector<std::uint64_t> latest_;  // the latest end of all windows up to this one
};

class WindowVisitor : public reader::SampleVisitor {
 public:
  WindowVisitor(const WindowIndex& windows, std::vector<KeptSamples>& parts) : windows_(windows), parts_(parts) {}

  void sample(const reader::Sample& sample) override {
    if (sample.time == reader::no_time) return;
    windows_.for_each_around(sample.time, [&](const TimeWindow& window) {
      KeptSamples& part = parts_[window.part];
      part.add(sample);
      part.threads.insert({sample.pid, sample.tid});
    });
  }

  // A sample may occur several times: for overlapping windows, and for each counter of a group.
  void finish() override {
    for (KeptSamples& part : parts_) {
      std::ranges::sort(part.positions);
      part.positions.erase(std::unique(part.positions.begin(), part.positions.end()), part.positions.end());
    }
  }

 private:
  const WindowIndex& windows_;
  std::vector<KeptSamples>& parts_;
};

}  // namespace

std::vector<KeptSamples> samples_in_windows(reader::Recording& recording, std::vector<TimeWindow> windows,
                                            std::size_t parts) {
  std::vector<KeptSamples> found(parts);
  for (KeptSamples& part : found) part.times.clear();
  for (const TimeWindow& window : windows) found[window.part].times.push_back({window.from, window.until});
  for (KeptSamples& part : found) part.times = filter::in_order(std::move(part.times));
  const WindowIndex index(std::move(windows));
  recording.visit_parallel(1, [&](unsigned) { return std::make_unique<WindowVisitor>(index, found); });
  return found;
}

}  // namespace perfsift::analysis
