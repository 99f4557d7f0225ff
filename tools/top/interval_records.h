// What leaves the rings during an interval, and the recording in memory that is made of it.
//
//   samples, losses ──▶ RecordStore, new for each interval ───┐
//   names           ──▶ SideBandLog, over all intervals ──────┴──▶ a recording for each interval
//
// So an interval is read as any recording is, and memory does not grow with time: see SideBandLog.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reader/input_file.h"
#include "reader/writer/header_content.h"
#include "record/flight/record_store.h"
#include "record/flight/side_band_log.h"
#include "record/rings/record_sink.h"

namespace perfsift::tools {

// The part of an interval that names nothing.
struct IntervalSamples {
  record::RecordStore records;
  std::uint64_t left_out = 0;  // samples beyond the limit
};

// Not thread-safe.
class IntervalRecords : public record::RecordSink {
 public:
  // `most_bytes`: of the samples of an interval. Samples beyond are counted and left out.
  IntervalRecords(record::SideBandLimits limits, std::size_t most_bytes) : names_(limits), most_bytes_(most_bytes) {}

  void records(std::size_t ring, Bytes records) override;
  void round() override {}

  record::SideBandLog& names() { return names_; }
  // Ends the interval. The caller should drain the rings once more before recording_of(): other rings may have had
  // records that name the last samples.
  IntervalSamples take();
  // The samples with the threads and mappings of that time. Throws Error.
  reader::InputFile recording_of(const IntervalSamples& samples, const reader::HeaderContent& header) const;

 private:
  void add_run(Bytes records, std::uint64_t samples);

  record::SideBandLog names_;
  const std::size_t most_bytes_;
  IntervalSamples interval_;
};

}  // namespace perfsift::tools
