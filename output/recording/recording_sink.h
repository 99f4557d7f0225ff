// Where the bytes of a recording that is written go.
#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

#include "output/files/output_file.h"
#include "reader/writer/byte_sink.h"

namespace perfsift::output {

// Standard output, pipes and devices: the file form needs a place where the header can be written last.
bool takes_pipe_form(const std::string& output);

// The mode of a recording that is made of the one at `input`: nobody may read it who may not read that one. Like perf
// record's own, 0600, where the input is no file.
mode_t mode_of_recording_from(const std::string& input);

// The file must live longer.
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
