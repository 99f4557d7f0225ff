/// \file
/// Recordings: what perf record writes. Start here.
///
/// ```cpp
/// Recording recording("perf.data");
/// std::map<std::string_view, std::uint64_t> functions;
/// recording.for_each_sample([&](const Sample& sample) { ++functions[sample.stack().front().function]; });
/// ```
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <perfsift/export.h>
#include <perfsift/filter.h>
#include <perfsift/record.h>
#include <perfsift/sample.h>
#include <perfsift/symbolizer.h>
#include <perfsift/timeline.h>

namespace PERFSIFT_NAMESPACE {

/// Where a recording comes from: the header and its features (tools/perf/util/header.c). Texts have any bytes; empty
/// texts and absent numbers were not recorded.
struct RecordingInfo {
  std::string hostname;                           ///< The name of the machine.
  std::string kernel;                             ///< The release, as `uname -r` prints it.
  std::string architecture;                       ///< As `uname -m` prints it.
  std::string cpu;                                ///< The model of the processor.
  std::string perf_version;                       ///< The version of the perf that recorded.
  std::vector<std::string> command;               ///< The command line of perf record.
  std::optional<std::uint32_t> cpus_online;       ///< CPUs that were online.
  std::optional<std::int64_t> wall_clock_offset;  ///< Nanoseconds since 1970 at time 0 (perf record -k).
};

/// A part of the input that could not be read. Everything else was read.
struct Damage {
  std::string file;          ///< The file.
  std::uint64_t offset = 0;  ///< Where in the file, in bytes.
  std::uint64_t bytes = 0;   ///< How many bytes were not read.
  std::string what;          ///< In words.
};

/// The contents and the gaps of a recording.
struct RecordingStats {
  std::uint64_t records = 0;                ///< Records of all types, samples included.
  std::uint64_t samples = 0;                ///< SAMPLE records.
  std::uint64_t lost_records = 0;           ///< By LOST records: records that found no room in perf's buffers.
  std::uint64_t lost_samples = 0;           ///< By LOST_SAMPLES records: samples that the hardware lost, and, since
                                            ///< perf 6.1, the lost records again. Do not add the two.
  std::uint64_t malformed = 0;              ///< Records that could not be decoded.
  std::optional<std::uint64_t> first_time;  ///< The time of the first sample, nanoseconds of the event clock.
  std::optional<std::uint64_t> last_time;   ///< The time of the last sample, nanoseconds of the event clock.
  std::vector<Damage> damage;               ///< Empty: the input is whole.
};

/// How the samples of a visit are chosen and named.
struct SampleOptions {
  Filter filter = {};  ///< Which samples are visited. Default: all.
  std::optional<Symbolizer> symbolizer =
      {};  ///< Who names addresses. Default: the recording's own, with default options.
  Demangling demangling = Demangling::plain;  ///< How names are written.
  bool inlines = true;                        ///< Inlined calls as frames of their own.
  std::size_t max_frames = 127;               ///< The most frames of an unwound stack (perf's own default).
};

/// A recording: a file, a directory of `perf record --threads`, plain or compressed (.gz, .zst, .xz), of a finished or
/// unfinished run, of this machine or another one, of either byte order.
///
/// Thread-safety: functions may be called by several threads at once, but there is one visit at a time: a visit that
/// begins during another one, also from its own function, throws Error (busy). Open the file twice for two visits.
/// Traces: each access to memory in a trace of Arm SPE is a sample of the event `memory`, as `perf script --itrace=M`
/// makes it. Other traces are not decoded.
/// Lifetime: the file is mapped, and must not be cut short meanwhile. Copies share the recording; it is open until the
/// last copy, and the last Timeline, is gone.
class PERFSIFT_API Recording {
 public:
  /// Reads the header and all records that are not samples, and builds the Timeline. `path`: "-" is standard input. A
  /// pipe is stored in a temporary file first. Throws Error (input).
  explicit Recording(const std::string& path);
  Recording(const Recording&);             ///< Shares the recording.
  Recording& operator=(const Recording&);  ///< Shares the recording.
  ~Recording();                            ///< Never throws.

  /// The path that was given. Lives as long as the object.
  const std::string& path() const noexcept;
  /// The machine and the run.
  RecordingInfo info() const;
  /// All events, by index. Live as long as the recording.
  const std::vector<Event>& events() const noexcept;
  /// Counts. The number of samples that could not be decoded is complete after a visit.
  RecordingStats stats() const;
  /// Threads and mappings.
  Timeline timeline() const;

  /// Gets a sample. Exceptions end the visit and pass through unchanged.
  using SampleFunction = std::function<void(const Sample& sample)>;
  /// Makes the SampleFunction of a thread, on that thread, with the thread's number from 0. Called by one thread at a
  /// time.
  using SampleFunctionMaker = std::function<SampleFunction(unsigned thread)>;

  /// Calls `visit` for each sample, in the order in which perf delivers samples: by time. A sample that reads a group
  /// of counters is visited once per member. Throws Error: filter, if the filter uses fields that the recording lacks;
  /// busy; memory.
  void for_each_sample(const SampleFunction& visit, const SampleOptions& options = {});
  /// for_each_sample() on several threads, in no particular order. `threads` 0: one for each CPU. Where the filter, or
  /// counters that are read, need the order, there is one thread. Throws what for_each_sample() throws; usage, for more
  /// than 1024 threads.
  void for_each_sample_parallel(const SampleFunctionMaker& make, const SampleOptions& options = {},
                                unsigned threads = 0);

  /// Calls `visit` for each record that is not a sample, in the order of the file. Compressed records are replaced by
  /// their contents. Exceptions end the visit and pass through unchanged. Throws Error (busy).
  void for_each_record(const std::function<void(const Record& record)>& visit);

  /// The functions at an address of a process (pid -1: of the kernel) at a moment, innermost first; never empty: see
  /// Frame::named. `return_address`: the call before the address is meant. Texts live as long as the recording.
  std::vector<Frame> frames(std::int32_t pid, std::uint64_t address, std::uint64_t time = end_of_recording,
                            bool return_address = false, const SampleOptions& options = {});

 private:
  friend struct detail::Access;
  std::shared_ptr<detail::RecordingState> state_;
};

}  // namespace PERFSIFT_NAMESPACE
