// A recording: what perf record wrote. Start here.
//
// ```cpp
// struct CountSamples : SampleVisitor {
//   void sample(const Sample&) override { ++count; }
//   std::uint64_t count = 0;
// };
// const auto recording = Recording::open("perf.data");
// recording->visit_parallel(threads, [](unsigned /*worker*/) { return std::make_unique<CountSamples>(); });
// for (const Damage& damage : recording->stats().damage) std::cerr << damage.what << '\n';
// ```
//
// Opening a mapped recording reads the header and every side-band record, and builds the Timeline; samples are only
// walked over. A stream (standard input in pipe form) is read while it is visited: its events, features and timeline
// grow during the one visit that a stream allows.
//
// The folders of the reader, each of which uses only the folders above it:
//
//   format/      the numbers of the format, record headers, events, samples
//   records/     decoders of all other record types, by topic
//   features/    the feature sections of the header
//   timeline/    which thread ran what, and what was mapped where
//   tracepoint/  the raw data of tracepoints, and print/, their print formats
//   auxtrace/    hardware traces (Arm SPE), which become samples
//   ibs/         the registers of AMD's IBS in the raw data of samples
//   (here)       recordings: inputs, the walk over records, their order, events, damage
//   writer/      writes recordings
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reader/auxtrace/trace_events.h"
#include "reader/features/features.h"
#include "reader/format/event.h"
#include "reader/format/record.h"
#include "reader/format/sample.h"
#include "reader/input_file.h"
#include "reader/read_stats.h"
#include "reader/timeline/timeline.h"
#include "reader/tracepoint.h"

namespace perfsift::reader {

struct OpenOptions {
  TimelineRules rules;
  EventNaming event_naming = EventNaming::newest;  // for events whose names were not recorded
  // The samples that are made of an Arm SPE trace. They belong to events that follow those of the recording.
  TraceEvents trace_events;
  // Called now and then with the share of the work that is done, from 0 to 1: opening a mapped recording is the first
  // half, a visit the second. Negative when the size of the input is unknown. Any thread calls this function, also
  // several threads at once.
  std::function<void(double)> progress;
  // Stores a stream in a temporary file first, so that the stream becomes a mapped recording: for callers that read the
  // recording more than once, or need visit_records().
  bool store_stream = false;
};

// Receives samples, in no particular order, on one thread.
class SampleVisitor {
 public:
  virtual ~SampleVisitor() = default;
  virtual void sample(const Sample& sample) = 0;
  // Called after the last sample, on the same thread, for work that can run in parallel.
  virtual void finish() {}
};

// Receives records and samples in the order in which perf delivers them: by time, with perf's exceptions.
class OrderedVisitor {
 public:
  virtual ~OrderedVisitor() = default;
  virtual void sample(const Sample& sample) = 0;
  // Every record that is not a sample, after the timeline has taken the record.
  virtual void record(const Record& /*record*/, const SampleId& /*id*/, Moment /*moment*/) {}
};

// A file of a recording, without the container that it came in.
struct RecordingFile {
  std::string path;
  Bytes bytes;
  std::int64_t modified_seconds = 0;  // since 1970; 0: not known
  std::shared_ptr<const void> owner;  // of the bytes; nullptr: they live as long as the recording
};

// Const members are thread-safe. A sample or record lives until the visitor returns, everything else as long as the
// Recording.
class Recording {
 public:
  // `path`: a file, a directory of `perf record --threads`, or "-" for standard input; plain or .gz/.zst/.xz. Throws
  // InputError when the input is not a recording or cannot be read at all.
  static std::unique_ptr<Recording> open(const std::string& path, OpenOptions options = {});
  // Opens an input that the caller has already opened to find its kind.
  static std::unique_ptr<Recording> open(InputFile input, OpenOptions options = {});
  virtual ~Recording() = default;

  virtual const std::string& path() const = 0;
  virtual bool streamed() const = 0;
  virtual const FileHeader& header() const = 0;
  virtual const Features& features() const = 0;
  virtual const std::vector<std::unique_ptr<Event>>& events() const = 0;
  // Formats of tracepoints; nullptr when the recording has none.
  virtual const TracepointFormats* tracepoints() const = 0;
  virtual TracepointFormats* tracepoints() = 0;  // to set a function resolver
  virtual const Timeline& timeline() const = 0;
  // Counts of records by type, losses, damage. Complete after a visit. For a mapped recording, everything except the
  // counts of samples is complete at once.
  virtual const ReadStats& stats() const = 0;

  // Visits every sample once, on `threads` threads, each with a visitor of its own from `make`. A group read is
  // delivered once per member. A stream is visited by one thread, in order.
  using MakeVisitor = std::function<std::unique_ptr<SampleVisitor>(unsigned worker)>;
  virtual void visit_parallel(unsigned threads, const MakeVisitor& make) = 0;
  virtual void visit_in_order(OrderedVisitor& visitor) = 0;
  // Either of both. `in_order`: the results depend on the order of samples, so one visitor gets all of them.
  void visit_samples(bool in_order, unsigned threads, const MakeVisitor& make);

  // The recording as it lies in its input, for callers that write a recording again. Only for a mapped recording: a
  // stream throws InputError.
  //
  // Every record, with samples undecoded, in the order in which perf reads records, which is the order of their
  // positions. COMPRESSED records are replaced by the records inside; damaged bytes are left out. Records live as long
  // as the Recording.
  virtual void visit_records(const std::function<void(const Record&)>& visit) const;
  // The thread and time of such a record that is not a sample, as far as the events of the recording store them in
  // records.
  virtual SampleId identify(const Record& /*record*/) const { return {}; }
  // The whole file that starts with header().
  virtual Bytes header_file() const;
  // That file, and behind it the other files of a directory of `perf record --threads`.
  virtual std::vector<RecordingFile> files() const;
};

}  // namespace perfsift::reader
