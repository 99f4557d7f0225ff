// Writes a recording: a header, records, features; in file or pipe form, compressed or not.
//
// ```cpp
// RecordingWriter writer(header_content(*recording), {.form = WriteForm::file}, sink);
// recording->visit_records([&](const Record& record) { writer.write(record); });
// writer.finish();
// ```
//
// Records are written unchanged, in the order in which they come. The writer corrects what the header says about the
// form of the recording that was read (compressed, in several files, the places of AUX data); the caller decides about
// the rest.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reader/writer/byte_sink.h"
#include "reader/writer/header_content.h"
#include "reader/writer/record_compressor.h"
#include "reader/writer/record_output.h"

namespace perfsift::reader {

enum class WriteForm : std::uint8_t {
  file,  // the header says where everything is: its bytes are written last, at the start of the sink
  pipe,  // everything is a record
  live,  // pipe form of a recording that is still being read: the records of its header are written as they come
};

struct WriteOptions {
  WriteForm form = WriteForm::file;
  std::optional<int> compression_level;  // of zstd; none: records are not compressed
  // The file is `data` of a folder in which files `data.N` have records without a header: DIR_FORMAT.
  bool in_folder = false;
};

// perf report 6.1 fails at a feature of a pipe whose number is neither below its own HEADER_LAST_FEATURE, nor that
// number itself. So a higher number is used only when the recording has such features.
inline constexpr std::uint32_t end_of_features_6_1 = 32;

// Not thread-safe.
class RecordingWriter {
 public:
  // Writes what comes before the records. Throws Error when the form cannot hold the header.
  RecordingWriter(HeaderContent header, const WriteOptions& options, ByteSink& sink);
  ~RecordingWriter();

  // A record with the data that follows the record. The bytes must stay until finish(). Records that repeat the header
  // are not written again.
  void write(const Record& record);
  // Writes a record made by the caller, whose bytes need not stay after the call. `record` describes `bytes`.
  void write_copy(const Record& record);
  // Writes whole records as the kernel put them into a ring, which need not stay after the call. None of them is a
  // record of the header, or has data behind it.
  void write_records(Bytes records);
  // Writes an AUXTRACE record and the data that follow it, in two parts, none of which need stay after the call. The
  // data are padded to a multiple of 8, as the size in the record must be.
  void write_auxtrace(Bytes record, Bytes first, Bytes second);
  // Writes all collected bytes, so that the reader of a pipe gets them.
  void flush();
  // Makes what is written so far a whole recording, for the case that nothing follows because the process is killed.
  // While records are written after a checkpoint, the recording lacks its features until the next one.
  void checkpoint();
  // Writes what comes after the records.
  void finish();

  std::uint64_t size() const { return out_.size(); }
  // The numbers of features that the form cannot hold.
  const std::vector<std::uint32_t>& left_out() const { return left_out_; }

 private:
  void flush_compressed();
  void start_file();
  void finish_file();
  // The features as they lie behind the records: a table, and the sections.
  struct FeatureSections {
    std::array<std::uint64_t, 4> bitmap{};
    std::vector<std::byte> bytes;
  };
  FeatureSections feature_sections();
  void write_file_header(const std::array<std::uint64_t, 4>& features);
  void before_records();
  void write_pipe_header();
  void start_pipe();
  void start_live();
  void write_feature_record(std::uint32_t number, Bytes content);
  void write_event_names();
  void write_tracing_data(Bytes data);
  void write_record(RecordType type, Bytes payload);
  bool is_said(const Record& record) const;
  bool is_outdated(const Record& record) const;
  void write_past_compressor(const Record& record);
  void note_auxtrace(std::size_t size);

  HeaderContent header_;
  WriteOptions options_;
  ByteSink& sink_;
  RecordOutput out_;
  std::unique_ptr<RecordCompressor> compressor_;
  std::unique_ptr<RecordOutput> compressed_;  // in front of compressor_
  std::uint64_t data_offset_ = 0, data_size_ = 0;
  bool features_in_the_way_ = false;  // the next records overwrite those of a checkpoint
  std::uint64_t attrs_offset_ = 0, attrs_size_ = 0, attr_entry_size_ = 0;
  std::vector<AuxtraceIndexEntry> auxtrace_index_;
  std::vector<std::uint32_t> left_out_;
};

}  // namespace perfsift::reader
