#include "analysis/samples/code_versions.h"

#include <algorithm>
#include <ctime>
#include <set>

#include <fmt/format.h>

namespace perfsift::analysis {
namespace {

// jit_validate_events() in tools/perf/util/jitdump.c. CLOCK_DATA relates the clock of a recording only to
// CLOCK_REALTIME, so times of other clocks cannot be converted.
bool has_clock_of_jit_dumps(const reader::Recording& recording) {
  return std::ranges::all_of(recording.events(), [](const auto& event) {
    return event->attr.use_clockid() && event->attr.clock_id == CLOCK_MONOTONIC;
  });
}

}  // namespace

CodeVersions::CodeVersions(const reader::Recording& recording, symbolize::Symbolizer& symbolizer) {
  if (recording.streamed()) return;
  std::set<std::uint64_t> changes;
  for (const Binary& binary : recording.timeline().binaries()) {
    if (binary.kind != BinaryKind::jit_dump) continue;
    const auto of_dump = symbolizer.file(binary).changes();
    changes.insert(of_dump.begin(), of_dump.end());
  }
  if (has_clock_of_jit_dumps(recording))
    changes_.assign(changes.begin(), changes.end());
  else
    not_dated_ = changes.size();
  // Only a jitdump of more than 7 GiB has so many changes. The last changes then count as one.
  changes_.resize(std::min(changes_.size(), (std::size_t{1} << code_version_bits) - 1));
}

std::string CodeVersions::warning() const {
  if (not_dated_ == 0) return {};
  return fmt::format(
      "code made at run time was replaced {} times, but the recording has not the clock of the jitdump "
      "(record with -k mono): of all code at an address the latest is shown",
      not_dated_);
}

std::uint32_t CodeVersions::at(std::uint64_t time) const {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(changes_, time) - changes_.begin());
}

std::uint64_t CodeVersions::time_in(std::uint32_t version) const {
  if (only_one()) return symbolize::SymbolFile::latest;
  return version == 0 ? 0 : changes_[version - 1];
}

bool CodeVersionFinder::has_jit_dump(reader::MapsVersion maps) {
  const auto [found, is_new] = known_.try_emplace(maps);
  if (is_new) {
    found->second = std::ranges::any_of(timeline_.mappings(maps), [&](const reader::Mapping& mapping) {
      return timeline_.binaries()[mapping.binary].kind == BinaryKind::jit_dump;
    });
  }
  return found->second;
}

}  // namespace perfsift::analysis
