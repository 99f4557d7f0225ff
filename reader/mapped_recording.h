// A recording in memory: mapped from a file, or from the temporary file that holds a container's or pipe's bytes.
//
// The records are read twice. The first pass walks over all records, expands COMPRESSED records, remembers the few
// records that shape the timeline, and cuts the rest into runs of whole records. The second pass reads samples, run by
// run, in any order.
#pragma once

#include <list>
#include <vector>

#include "reader/input_file.h"
#include "reader/record_decompressor.h"
#include "reader/recording_base.h"

namespace perfsift::reader {

class MappedRecording : public RecordingBase {
 public:
  // One file of a recording. The first file has the header; other files (`data.N` of a directory) are records only.
  struct Part {
    std::string name;
    Mapped file;
    std::string damage;                         // of the container that held the file; empty when there was none
    std::int64_t modified_seconds = 0;          // as in InputFile
    std::shared_ptr<const PackedFiles> packed;  // of the first file
  };
  MappedRecording(std::string path, std::vector<Part> parts, const OpenOptions& options);

  bool streamed() const override { return false; }
  void visit_parallel(unsigned threads, const MakeVisitor& make) override;
  void visit_in_order(OrderedVisitor& visitor) override;
  void visit_records(const std::function<void(const Record&)>& visit) const override;
  Bytes header_file() const override { return parts_.front().file.bytes(); }
  std::vector<RecordingFile> files() const override;

 private:
  // Whole records that follow each other.
  struct Run {
    Bytes bytes;
    std::uint64_t position = 0;
    std::uint64_t delivered = 0;  // the time up to which perf had delivered records when perf read these
  };
  // The records of one part, and the progress of the first pass in them.
  struct Source {
    std::string name;
    Bytes data;
    std::uint64_t offset = 0;  // of `data` in the file
    std::size_t read = 0;
    std::uint64_t expanding = 0;  // offset in the file of the COMPRESSED record that was expanded last
    std::unique_ptr<RecordDecompressor> decompressor;  // made at the first COMPRESSED record
  };
  // A record that shapes the timeline, and the moment at which the record takes effect.
  struct SideBand {
    Moment moment;
    const std::byte* at = nullptr;
  };

  void read_sections();
  std::string why_without_events() const;
  std::uint64_t read_data_section(Bytes file);
  void scan();
  void scan_source(Source& source, std::size_t budget);
  // How many bytes a walk over records covered, and whether bytes that are no record stopped the walk.
  struct Walked {
    std::size_t bytes = 0;
    bool stopped = false;
  };
  Walked scan_records(Source& source, Bytes bytes, std::size_t budget);
  void scan_record(const Record& record);
  void expand(const Record& record, Source& source);
  void scan_expanded(Source& source);
  void finish(Source& source);
  void add_to_run(const Record& record);
  void build_timeline();
  void find_trace();
  SpeCounts visit_piece(const SpePiece& piece, SampleVisitor& visitor) const;
  void set_trace_counts(const SpeCounts& counts);
  std::uint64_t size_of_sources() const;
  void report_scanned(std::uint64_t position) const;
  void report_visited(std::size_t runs) const;
  Moment moment_of(std::uint64_t time, std::uint64_t position, std::uint64_t delivered) const;

  std::vector<Part> parts_;
  std::list<Source> sources_;
  std::vector<Run> runs_;
  std::vector<SideBand> side_band_;
  // AUXTRACE records, and SWITCH records, which name the threads of a trace. Moved into trace_.
  struct TraceRecord {
    Record record;
    Moment moment;
  };
  std::vector<TraceRecord> trace_records_;
  std::optional<SpeTrace> trace_;
  std::uint64_t position_ = 0;  // of the next record
  // perf's flushing, as far as the flushing decides when records without a time take effect (see OrderedQueue).
  std::uint64_t newest_time_ = 0;
  std::uint64_t next_limit_ = 0;
  std::uint64_t delivered_ = 0;
};

}  // namespace perfsift::reader
