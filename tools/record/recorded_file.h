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
class RecordedFile : public record::RecordSink {
 public:
  // A regular file belongs to the user who has called sudo, if one has. Pipes and devices get the pipe form.
  RecordedFile(const std::string& path, reader::HeaderContent header, std::optional<int> compression_level);

  // Writes the pipe form to the write end of a pipe.
  RecordedFile(FileDescriptor pipe, reader::HeaderContent header);

  void records(std::size_t ring, Bytes records) override;
  void round() override;
  // Gives the file its name, and what was written so far with it. An older file is renamed to FILE.old. Until then, a
  // recording that cannot begin leaves the older file as it was.
  void appear();
  // Writes what comes behind the records.
  void finish();

  std::uint64_t size() const { return writer_.size(); }  // bytes

 private:
  output::OutputFile file_;
  output::RecordingSink sink_;
  reader::RecordingWriter writer_;
  std::chrono::steady_clock::time_point last_checkpoint_;
};

}  // namespace perfsift::tools
