// Where a command writes its data: a file, or standard output.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include "base/owned.h"
#include "output/files/unfinished_files.h"

namespace perfsift::output {

// The reader of the output has gone (`… | head`): the run ends, without a message.
struct OutputClosed : std::runtime_error {
  OutputClosed() : std::runtime_error("the output was closed") {}
};

// A regular file has no name until it is whole, or where the file system does not have that, one beside its place:
// whatever fails before commit(), the file that was there stays as it was, and nothing new is left behind, by signals
// neither. Pipes and devices are written as they are.
//
// Not thread-safe. Throws Error when the place cannot be written to, or takes no more (a full disk).
class OutputFile {
 public:
  static constexpr const char* standard_output = "-";
  // Under any of its names.
  static bool is_standard_output(std::string_view path);

  // A path, or standard_output. `mode`: of a file that is not there yet, else what the umask leaves of rw-rw-rw-.
  explicit OutputFile(const std::string& path, std::optional<mode_t> mode = {});
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Writes all of it. Throws OutputClosed too.
  void write(std::string_view data);

  // Puts data in the place of some that was written before, if this is a file; on pipes nothing can be changed.
  void write_at(std::uint64_t offset, std::string_view data);

  // Everything was written.
  void commit();

 private:
  void open_beside(const std::string& place, const struct stat* old, mode_t mode);
  void open_in_place();
  bool takes_free_place();
  void take_room(std::size_t bytes);

  std::string path_;       // as given, for messages
  std::string place_;      // where the finished file goes; empty: it is written there
  std::string temporary_;  // its name until then; empty: it has none
  UnfinishedFile unfinished_;
  FileDescriptor file_;
  int fd_;
  bool takes_room_;  // see take_room()
};

}  // namespace perfsift::output
