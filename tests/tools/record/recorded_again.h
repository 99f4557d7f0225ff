// Records a trace once more that a recording has: as if the hardware wrote its pieces into AUX areas now.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reader/recording.h"
#include "reader/records/auxtrace.h"
#include "reader/writer/header_content.h"
#include "tests/record/rings/fake_area.h"
#include "tools/record/recorded_file.h"

namespace perfsift::test {

// The largest piece fits into an area, so that later pieces wrap.
inline std::size_t least_area_for(const reader::Recording& recording) {
  std::size_t largest = 8;
  recording.visit_records([&](const reader::Record& record) {
    if (record.header.type == reader::RecordType::auxtrace) largest = std::max(largest, record.trailing.size());
  });
  return std::bit_ceil(largest);
}

// Gives the records of `recording` to `file`, the trace by way of an area for each ring. `info`: an AUXTRACE_INFO
// record in the place of that of the recording; empty: the latter.
inline void give_again(const reader::Recording& recording, tools::RecordedFile& file, Bytes info = {}) {
  const std::size_t bytes = least_area_for(recording);
  struct TracedRing {
    TracedRing(std::size_t capacity, const reader::Auxtrace& about)
        : area(capacity), reader(area.reader(about.tid, about.cpu)) {}
    FakeArea area;
    record::RingReader reader;
  };
  std::map<std::uint32_t, TracedRing> rings;
  recording.visit_records([&](const reader::Record& record) {
    if (record.header.type == reader::RecordType::finished_round) return file.round();
    if (record.header.type == reader::RecordType::auxtrace_info && !info.empty()) return file.records(0, info);
    if (record.header.type != reader::RecordType::auxtrace) {
      return file.records(0, {record.payload.data() - reader::record_header_size, record.header.size});
    }
    const auto about = reader::decode_auxtrace(record);
    auto& [area, reader] = rings.try_emplace(about->index, bytes, *about).first->second;
    area.write(record.trailing);
    reader.look();
    reader.pass_on(about->index, file);
  });
}

inline void record_again(const reader::Recording& recording, const std::string& path, std::optional<int> level) {
  tools::RecordedFile file(path, reader::header_content(recording), level);
  file.appear();
  give_again(recording, file);
  file.finish();
}

}  // namespace perfsift::test
