// Temporary names of files, which are removed if a signal ends the program.
//
// Most output has no name until it is whole (see OutputFile), so a killed program leaves nothing behind. The temporary
// names of other output are noted here.
#pragma once

#include <cstddef>
#include <string>

namespace perfsift::output {

// Notes a name for the lifetime of the object. Thread-safe.
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

// Removes all these files. A signal handler may call it.
void remove_unfinished_files();

// Makes SIGHUP, SIGINT and SIGTERM, unless they are ignored, remove these files before they end the program. For
// main(): a module must not change the signals of its host.
void remove_unfinished_files_on_signals();

}  // namespace perfsift::output
