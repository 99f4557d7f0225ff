// The destination of a recording's bytes.
#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

#include "output/files/output_file.h"
#include "reader/writer/byte_sink.h"

namespace perfsift::output {

// Whether the output is standard output, a pipe or a device: in the file form the header is written last, so it needs a
// file.
bool takes_pipe_form(const std::string& output);

// The mode of a recording made from the recording at `input`: only users who may read the input may read the output.
// 0600, perf record's own mode, if the input is no file.
mode_t mode_of_recording_from(const std::string& input);

// The file must outlive the sink.
class RecordingSink : public reader::ByteSink {
 public:
  explicit RecordingSink(OutputFile& file) : file_(file) {}
  void write(Bytes bytes) override { file_.write(text_of(bytes)); }
  void write_at(std::uint64_t offset, Bytes bytes) override { file_.write_at(offset, text_of(bytes)); }

 private:
  static std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

  OutputFile& file_;
};

}  // namespace perfsift::output
