// The common part of a mapped and a streamed recording: events, features, timeline and counts, and the handling of
// perf's own records that fill them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "reader/auxtrace/spe_trace.h"
#include "reader/deferred_callchains.h"
#include "reader/event_table.h"
#include "reader/file_header.h"
#include "reader/losses.h"
#include "reader/record_decompressor.h"
#include "reader/recording.h"
#include "reader/records/header_records.h"
#include "reader/sample_delivery.h"

namespace perfsift::reader {

class RecordingBase : public Recording {
 public:
  const std::string& path() const override { return path_; }
  const FileHeader& header() const override { return header_; }
  const Features& features() const override { return features_; }
  const std::vector<std::unique_ptr<Event>>& events() const override { return events_.events(); }
  const TracepointFormats* tracepoints() const override { return tracepoints_ ? &*tracepoints_ : nullptr; }
  TracepointFormats* tracepoints() override { return tracepoints_ ? &*tracepoints_ : nullptr; }
  const Timeline& timeline() const override { return timeline_; }
  const ReadStats& stats() const override { return stats_; }
  SampleId identify(const Record& record) const override { return events_.identify(record); }

 protected:
  RecordingBase(std::string path, const FileHeader& header, const OpenOptions& options);

  // Counts a record that is not a sample when the record is read, and takes what the record says about the whole
  // recording: events, features, losses. The derived classes apply records to the timeline, because they know when a
  // record takes effect.
  void take(const Record& record);
  // Counts a sample, and returns its time; 0 when the sample has no time.
  std::uint64_t take_sample(const Record& record);
  // Stores the counts in stats().
  void publish_counts();
  void add_event(const EventAttr& attr, const std::vector<std::uint64_t>& ids);
  // Whether the records so far announce an Arm SPE trace of which samples are wanted.
  bool wants_trace() const {
    return options_.trace_events.any() && trace_info_ && trace_info_->type == auxtrace_type_spe;
  }
  // That trace; its events are added.
  std::optional<SpeTrace> announced_trace();
  // Called after a change of features: updates names of events, and build ids and kernel of the timeline.
  void use_features();
  // `compressed`: the size of the data that holds the COMPRESSED records, as far as the size is known.
  ExpansionLimits expansion_limits(std::uint64_t compressed) const;

  void add_damage(Damage damage);
  // Damage of what a stream of COMPRESSED records expands to. `offset`: of the stream's last record.
  static Damage damage_of_expanded(const std::string& file, std::uint64_t offset, const Skipped& skipped);
  void add_damage_of_stream(const std::string& file, const RecordDecompressor& stream);
  // See OpenOptions::progress.
  void report_progress(double share) const {
    if (options_.progress) options_.progress(share);
  }
  // The counts of one whole visit: a second visit counts the same samples again.
  void set_delivery_counts(const DeliveryCounts& counts);

  std::string path_;
  OpenOptions options_;
  FileHeader header_;
  Features features_;
  EventTable events_;
  std::optional<TracepointFormats> tracepoints_;
  Timeline timeline_;
  DeferredCallchains deferred_;
  ReadStats stats_;
  std::optional<AuxtraceInfo> trace_info_;
  TimeConv time_conversion_;
  std::uint64_t expanded_ = 0;  // that COMPRESSED records expanded to

 private:
  void take_perfs_own(const Record& record);
  void take_feature(const HeaderFeature& feature);
  void name_update(const Record& record);
  void use_build_ids();

  void count(const Record& record);

  LossCounter losses_;
  std::size_t build_ids_used_ = 0;  // how many of features_.build_ids
  // Records by type. An array, for speed; larger types are counted in stats_ at once.
  std::array<std::uint64_t, 128> counts_{};
};

// Whether, by its header, the recording was made on the kernel that is running now.
bool is_running_kernel(const Features& features);

}  // namespace perfsift::reader
