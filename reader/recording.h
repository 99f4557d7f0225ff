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
// Opening a mapped recording reads the header and every side-band record, and builds the Timeline;
// samples are only walked over. A stream (standard input in pipe form) is read while it is visited,
// so that its events, features and timeline grow during the one visit it allows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reader/event.h"
#include "reader/features.h"
#include "reader/input_file.h"
#include "reader/read_stats.h"
#include "reader/record.h"
#include "reader/sample.h"
#include "reader/timeline.h"
#include "reader/tracepoint.h"

namespace perfsift::reader {

struct OpenOptions {
  TimelineRules rules;
  EventNaming event_naming = EventNaming::newest;  // of events whose names were not recorded
  // Called now and then with the share of the work that was done: 0..1, of which opening a mapped
  // recording is the first half and a visit the second; < 0 when the size of the input is unknown.
  // By any thread, and by several at once.
  std::function<void(double)> progress;
  // A stream is stored in a temporary file first, whole, so that it is a mapped recording: for those who read it more
  // than once, or as it lies.
  bool store_stream = false;
};

// Sees samples, in no particular order, from one thread.
class SampleVisitor {
 public:
  virtual ~SampleVisitor() = default;
  virtual void sample(const Sample& sample) = 0;
  // After the last sample, still on the thread that delivered them: for work that can be shared.
  virtual void finish() {}
};

// Sees everything in the order perf delivers it: records and samples by time, with perf's
// exceptions.
class OrderedVisitor {
 public:
  virtual ~OrderedVisitor() = default;
  virtual void sample(const Sample& sample) = 0;
  // Everything that is not a sample, after the timeline has taken it in.
  virtual void record(const Record& /*record*/, const SampleId& /*id*/, Moment /*moment*/) {}
};

// Thread-safe for everything const. Samples and records handed out live as long as visitors are
// told; everything else as long as the Recording.
class Recording {
 public:
  // `path`: a file, a directory of `perf record --threads`, or "-" for standard input; plain or
  // .gz/.zst/.xz. Throws InputError when it is not a recording or cannot be read at all.
  static std::unique_ptr<Recording> open(const std::string& path, OpenOptions options = {});
  // The same for an input that was opened to see what it is.
  static std::unique_ptr<Recording> open(InputFile input, OpenOptions options = {});
  virtual ~Recording() = default;

  virtual const std::string& path() const = 0;
  virtual bool streamed() const = 0;
  virtual const FileHeader& header() const = 0;
  virtual const Features& features() const = 0;
  virtual const std::vector<std::unique_ptr<Event>>& events() const = 0;
  // Formats of tracepoints; nullptr when the recording has none.
  virtual const TracepointFormats* tracepoints() const = 0;
  virtual TracepointFormats* tracepoints() = 0;  // to give them a function resolver
  virtual const Timeline& timeline() const = 0;
  // Counts of records by type, losses, damage. Complete after a visit (a mapped recording: samples
  // by event after a visit, everything else at once).
  virtual const ReadStats& stats() const = 0;

  // Visits every sample once, on `threads` threads, each with a visitor of its own from `make`.
  // READ groups are delivered once per member. A stream is visited by one thread, in order.
  virtual void visit_parallel(unsigned threads,
                              const std::function<std::unique_ptr<SampleVisitor>(unsigned worker)>& make) = 0;
  virtual void visit_in_order(OrderedVisitor& visitor) = 0;

  // As it lies in its input, for those who write it again. A mapped recording only: a stream throws InputError.
  //
  // Every record, samples undecoded, in the order perf reads them, which is that of their positions: COMPRESSED ones
  // are replaced by what they hold, what is damaged is left out. Records live as long as the Recording.
  virtual void visit_records(const std::function<void(const Record&)>& visit) const;
  // Of such a record that is no sample: who it tells of and when, as far as its events had their records say so.
  virtual SampleId identify(const Record& /*record*/) const { return {}; }
  // The file that starts with header(), whole.
  virtual Bytes header_file() const;
};

}  // namespace perfsift::reader
