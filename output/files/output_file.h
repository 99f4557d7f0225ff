// The output of a command: a file, or standard output.
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

// A regular file has no name until it is whole; on file systems without nameless files it has a temporary name. If
// anything fails before commit(), an older file stays as it was, and nothing new is left behind, not even after a
// signal. Pipes and devices are written directly.
//
// Not thread-safe. Throws Error if the output cannot be written, or is full.
class OutputFile {
 public:
  static constexpr const char* standard_output = "-";
  // Whether the path is a name of standard output.
  static bool is_standard_output(std::string_view path);

  // `path`: a path, or standard_output. `mode`: of a new file; without it, rw-rw-rw- less the umask.
  explicit OutputFile(const std::string& path, std::optional<mode_t> mode = {});
  // Writes to an open pipe or device. `name`: for messages.
  OutputFile(const std::string& name, FileDescriptor file);
  // A regular file that has its name from appear() on, and then stays if the process is killed: for data that are
  // readable as they grow, and cannot be made again. No link is followed, so nobody else chooses the file that is
  // written.
  static OutputFile growing(const std::string& path, mode_t mode);
  // A growing file of a folder that is made only when all its files can be written: appear() needs the folder.
  static OutputFile growing_in(const std::string& folder, const std::string& name, mode_t mode);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Writes all of `data`. May also throw OutputClosed.
  void write(std::string_view data);

  // Overwrites data that was written before. Only for files: on pipes nothing can be changed.
  void write_at(std::uint64_t offset, std::string_view data);

  // Gives a growing file its name, at which commit() then leaves it. An older output is renamed (keep_as_old()). Before
  // this call, a run that fails leaves the older output as it was. Nothing happens to other outputs.
  void appear();

  // Ends the output: gives the file its name.
  void commit();
  // Of the file, also before it has a name.
  int descriptor() const { return fd_; }
  // Makes a regular file belong to another user. Only root may; a refusal is no error.
  void give_to(uid_t user, gid_t group);

 private:
  struct Growing {};
  OutputFile(const std::string& path, const std::string& beside, mode_t mode, Growing growing);
  void open_beside(const std::string& place, const std::string& beside, const struct stat* old, mode_t mode);
  void open_in_place();
  bool takes_free_place();
  bool takes_free_name();
  void take_room(std::size_t bytes);
  void give_room_back();

  std::string path_;       // as given, for messages
  std::string place_;      // the name of the finished file; empty: written in place
  std::string temporary_;  // the temporary name; empty: none
  UnfinishedFile unfinished_;
  FileDescriptor file_;
  int fd_;
  bool takes_room_;     // see take_room()
  off_t room_end_ = 0;  // up to where the file has room
  bool grows_ = false;
};

}  // namespace perfsift::output
