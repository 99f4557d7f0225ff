// The output of a recorder: a recording that is whole from appear() on, so that nothing is lost if the recorder is
// killed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/owned.h"
#include "output/files/output_file.h"
#include "output/recording/recording_sink.h"
#include "reader/writer/recording_writer.h"
#include "record/session.h"

namespace perfsift::tools {

// The name of one of several recordings: `path`, the time, and a number, so that no name comes twice.
std::string path_of_part(const std::string& path, const std::string& number);

// Not thread-safe. Throws Error if the output cannot be written, and OutputClosed if its reader has gone.
class RecordedOutput : public record::RecordSink {
 public:
  // Gives the output its name, and what was written so far with it. An older output is renamed to PATH.old. Until then,
  // a recording that cannot begin leaves the older output as it was.
  virtual void appear() = 0;
  // Writes what comes behind the records.
  virtual void finish() = 0;
  virtual std::uint64_t size() const = 0;  // bytes
};

// In one file.
class RecordedFile : public RecordedOutput {
 public:
  // A regular file belongs to the user who has called sudo, if one has. Pipes and devices get the pipe form.
  RecordedFile(const std::string& path, reader::HeaderContent header, std::optional<int> compression_level);

  // Writes the pipe form to the write end of a pipe.
  RecordedFile(FileDescriptor pipe, reader::HeaderContent header);

  void records(std::size_t ring, Bytes records) override;
  void trace(const record::TracePiece& piece) override;
  void round() override;
  void appear() override;
  void finish() override;
  std::uint64_t size() const override { return writer_.size(); }

 private:
  output::OutputFile file_;
  output::RecordingSink sink_;
  reader::RecordingWriter writer_;
  std::chrono::steady_clock::time_point last_checkpoint_;
};

}  // namespace perfsift::tools
