// Files with names for a while, which go when a signal ends the program.
//
// Most output has no name until it is whole (see OutputFile), so that nothing is left even of a program that was
// killed. Where the file system does not have that, and for the moment between getting a name and the right one, the
// name is noted here.
#pragma once

#include <cstddef>
#include <string>

namespace perfsift::output {

// A name that is noted while this lives. Thread-safe.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile() { forget(); }
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  void note(const std::string& path);
  void forget();

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t slot_ = none;
};

// From now on SIGHUP, SIGINT and SIGTERM, unless they are ignored, remove these files before they end the program as
// they would anyway. For main(): the signals of a host are none of a module's business.
void remove_unfinished_files_on_signals();

}  // namespace perfsift::output
