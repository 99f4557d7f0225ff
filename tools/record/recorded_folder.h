// A recording in several files, as perf record --threads writes it:
//
//   FOLDER/data     the header, and the records of what ran already
//   FOLDER/data.N   the records of ring N, without a header, and without FINISHED_ROUND records: no pass is over all
//                   rings, and readers sort the records of all files
//
// `data` is whole from appear() on, and the other files need no end. So a recorder that is killed leaves a whole
// recording, unless the kill cuts a record in two.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output/files/output_file.h"
#include "output/recording/recording_sink.h"
#include "reader/writer/record_compressor.h"
#include "reader/writer/recording_writer.h"
#include "tools/record/recorded_file.h"

namespace perfsift::tools {

// The records of one ring. For one thread at a time, except size(). Throws Error if the file cannot be written.
class RingFile {
 public:
  RingFile(const std::string& folder, std::size_t ring, std::optional<int> compression_level);

  void write(Bytes records);
  // Writes all collected bytes. If the disk is full, the file ends with the last record that had room.
  void flush();
  // After the last record.
  void finish();
  output::OutputFile& file() { return file_; }
  std::uint64_t size() const { return size_; }  // bytes that are written

 private:
  void cut_to_whole_records() const;

  output::OutputFile file_;
  output::RecordingSink sink_;
  reader::RecordOutput out_;
  std::unique_ptr<reader::RecordCompressor> compressor_;
  std::unique_ptr<reader::RecordOutput> compressed_;  // in front of compressor_
  std::atomic<std::uint64_t> size_ = 0;
};

// records() is for records that belong to no ring; they go into `data`. Different rings' files may be written by
// different threads, also while others call size().
class RecordedFolder : public RecordedOutput {
 public:
  RecordedFolder(const std::string& path, reader::HeaderContent header, std::optional<int> compression_level,
                 std::size_t rings);

  void records(std::size_t /*ring*/, Bytes records) override { writer_.write_records(records); }
  void round() override { writer_.flush(); }
  void appear() override;
  void finish() override;
  std::uint64_t size() const override;

  RingFile& ring(std::size_t number) { return *rings_[number]; }

 private:
  const std::string path_;
  output::OutputFile file_;
  output::RecordingSink sink_;
  reader::RecordingWriter writer_;
  std::vector<std::unique_ptr<RingFile>> rings_;
};

}  // namespace perfsift::tools
