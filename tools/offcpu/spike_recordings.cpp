#include "tools/offcpu/spike_recordings.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

namespace perfsift::tools {

SpikeRecordings::SpikeRecordings(reader::Recording& recording, std::string path, std::uint64_t around)
    : recording_(recording), path_(std::move(path)), around_(around) {}

std::string SpikeRecordings::add(const offcpu::Interval& spike) {
  constexpr std::uint64_t latest = std::numeric_limits<std::uint64_t>::max();
  windows_.push_back({.from = spike.start > around_ ? spike.start - around_ : 0,
                      .until = spike.end < latest - around_ ? spike.end + around_ : latest,
                      .part = one_each() ? windows_.size() : 0});
  return path_of(windows_.size());
}

std::string SpikeRecordings::path_of(std::size_t number) const {
  std::string path = path_;
  if (one_each()) path.replace(path.find(number_mark), 2, fmt::format("{}", number));
  return path;
}

void SpikeRecordings::write() {
  const std::size_t count = one_each() ? windows_.size() : 1;
  for (std::size_t number = 1; number <= count; ++number) {
    parts_.push_back({.path = path_of(number), .part = {}});
  }
  const auto kept = samples_in_windows(recording_, windows_, count);
  for (std::size_t i = 0; i < count; ++i) parts_[i].kept = kept[i].positions.size();
  output::PartsWriter writer(recording_, {});
  writer.write(kept, parts_);
  warnings_ = writer.warnings();
}

std::uint64_t SpikeRecordings::samples() const {
  std::uint64_t samples = 0;
  for (const output::WrittenPart& part : parts_) samples += part.kept;
  return samples;
}

}  // namespace perfsift::tools
