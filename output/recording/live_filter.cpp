#include "output/recording/live_filter.h"

#include <memory>
#include <set>

#include "analysis/rewrite/passing_records.h"
#include "base/error.h"
#include "output/files/output_file.h"
#include "output/recording/recording_sink.h"
#include "reader/writer/byte_writer.h"
#include "reader/writer/recording_writer.h"

namespace perfsift::output {
namespace {

using reader::Record;
using reader::RecordType;

// The record that a sample was decoded from.
Record record_of(const reader::Sample& sample, ByteOrder order) {
  const auto size = static_cast<std::uint16_t>(reader::record_header_size + sample.record.size());
  return {.header = {.type = RecordType::sample, .misc = sample.misc, .size = size},
          .payload = sample.record,
          .trailing = {},
          .position = sample.moment.position,
          .order = order};
}

class LiveWriter : public reader::OrderedVisitor {
 public:
  LiveWriter(const reader::Recording& recording, const analysis::RecordingFilter& filter,
             const reader::WriteOptions& options, reader::ByteSink& sink)
      : path_(recording.path()),
        order_(recording.header().order),
        filter_(filter.worker()),
        times_(filter.times()),
        some_times_(!filter::in_none_of(times_).empty()),
        writer_({.order = order_}, options, sink) {}

  // A record that reads counters comes once for each that has moved, and is written once.
  void sample(const reader::Sample& sample) override {
    if (filter_ != nullptr && !filter_->keeps(sample)) return;
    if (sample.moment.position == last_kept_) return;
    last_kept_ = sample.moment.position;
    ++kept_;
    write(record_of(sample, order_));
  }

  void record(const Record& record, const reader::SampleId& id, reader::Moment) override {
    if (some_times_ && analysis::is_passing(record.header.type) && !keeps_passing(record, id)) return;
    switch (record.header.type) {
      case RecordType::finished_round:
        return finish_round(record);
      case RecordType::auxtrace_info:
      case RecordType::auxtrace:
        throw InputError(path_ +
                         ": AUX data (Intel PT, Arm SPE, …) is not passed on while it is recorded; write a file");
      default:
        return write(record);
    }
  }

  LiveResult finish() {
    writer_.finish();
    return {.kept = kept_, .bytes = writer_.size()};
  }

 private:
  // Keeps records at times that samples can have, and the first later switch of each thread that switched at such a
  // time. (The last earlier switch would have to be written before records that are written already.)
  bool keeps_passing(const Record& record, const reader::SampleId& id) {
    if (id.time == reader::no_time) return true;
    const bool inside = filter::range_around(times_, id.time) != nullptr;
    if (!analysis::is_switch(record.header.type)) return inside;
    if (inside) return switched_inside_.insert(analysis::switching_thread(id)), true;
    return switched_inside_.erase(analysis::switching_thread(id)) != 0;
  }

  void write(const Record& record) {
    writer_.write_copy(record);
    in_round_ = true;
  }

  // The written records are in the order of time, and older than all later ones, so a reader may deliver all of them.
  // One FINISHED_ROUND lets a reader deliver the records up to the FINISHED_ROUND before (see OrderedQueue).
  void finish_round(const Record& round) {
    if (!in_round_) return;
    writer_.write_copy(round);
    writer_.write_copy(round);
    writer_.flush();
    in_round_ = false;
  }

  const std::string& path_;
  const ByteOrder order_;
  const std::unique_ptr<analysis::SampleFilter> filter_;  // nullptr: all samples are kept
  const filter::TimeRanges times_;
  const bool some_times_;                                // not all times are kept
  std::set<analysis::SwitchingThread> switched_inside_;  // whose next switch has not come yet
  reader::RecordingWriter writer_;
  bool in_round_ = true;  // something was written since the last FINISHED_ROUND
  std::uint64_t last_kept_ = ~std::uint64_t{0};
  std::uint64_t kept_ = 0;
};

}  // namespace

LiveResult filter_live(reader::Recording& recording, const analysis::RecordingFilter& filter, const std::string& output,
                       std::optional<int> compression_level) {
  OutputFile file(output, mode_of_recording_from(recording.path()));
  RecordingSink sink(file);
  LiveWriter writer(recording, filter, {.form = reader::WriteForm::live, .compression_level = compression_level}, sink);
  recording.visit_in_order(writer);
  const LiveResult result = writer.finish();
  file.commit();
  return result;
}

}  // namespace perfsift::output
