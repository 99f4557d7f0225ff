// What a mapped and a streamed recording have in common: events, features, timeline and counts, and how perf's own
// records feed them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

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

  // Counts a record that is not a sample when it is read, and takes in what it says about the recording as a whole:
  // events, features, losses. Records that shape the timeline are applied by whoever knows when they take effect.
  void take(const Record& record);
  // Counts a sample; returns its time, 0 where it has none.
  std::uint64_t take_sample(const Record& record);
  // Makes the counts part of stats().
  void publish_counts();
  void add_event(const EventAttr& attr, std::vector<std::uint64_t> ids);
  // After features have changed: names of events, build ids and kernel of the timeline.
  void use_features();
  // `compressed`: the size of what holds the COMPRESSED records, as far as it is known.
  ExpansionLimits expansion_limits(std::uint64_t compressed) const;

  void add_damage(Damage damage);
  // Of what a stream of COMPRESSED records, whose last one is at `offset`, expands to.
  static Damage damage_of_expanded(const std::string& file, std::uint64_t offset, const Skipped& skipped);
  void add_damage_of_stream(const std::string& file, const RecordDecompressor& stream);
  // See OpenOptions::progress.
  void report_progress(double share) const {
    if (options_.progress) options_.progress(share);
  }
  // Of the whole visit: a second one counts the same samples again.
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
  std::uint64_t expanded_ = 0;  // bytes out of COMPRESSED records

 private:
  void take_perfs_own(const Record& record);
  void take_feature(const HeaderFeature& feature);
  void name_update(const Record& record);
  void use_build_ids();

  void count(const Record& record);

  LossCounter losses_;
  std::size_t build_ids_used_ = 0;  // of features_.build_ids
  // Records by type, as an array for speed; types beyond are counted in stats_ at once.
  std::array<std::uint64_t, 128> counts_{};
};

// Whether the header says that the recording was made by the kernel that is running now.
bool is_running_kernel(const Features& features);

}  // namespace perfsift::reader
