// Text for a file or for standard output.
#pragma once

#include <string>
#include <string_view>

#include "output/files/output_file.h"
#include "output/text_writer.h"

namespace perfsift::output {

// An OutputFile, and a writer to it. Not thread-safe.
class TextFile {
 public:
  explicit TextFile(const std::string& path)
      : file_(path), writer_([this](std::string_view text) { file_.write(text); }) {}
  TextWriter& writer() { return writer_; }
  void commit() {
    writer_.flush();
    file_.commit();
  }

 private:
  OutputFile file_;
  TextWriter writer_;
};

}  // namespace perfsift::output
