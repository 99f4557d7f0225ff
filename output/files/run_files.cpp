#include "output/files/run_files.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"
#include "output/files/output_file.h"

namespace perfsift::output {
namespace {

namespace fs = std::filesystem;

// Empty for a path without a file, and for devices and sockets: a terminal is read and written at the same time.
std::optional<std::pair<dev_t, ino_t>> identity(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode)) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

std::string place_of_output(const std::string& path) {
  return path == OutputFile::standard_output ? "/proc/self/fd/1" : path;
}

// The path without links in it. The file need not exist yet.
std::string without_links(const std::string& path) {
  std::error_code none;
  return fs::weakly_canonical(fs::absolute(path, none), none).string();
}

// Whether the file is a program, a library, a vmlinux, or a jitdump.
bool has_code(const std::string& path) {
  constexpr std::array<std::string_view, 3> magics = {
      "\x7f"
      "ELF",
      "DTiJ", "JiTD"};
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::array<char, 4> first{};
  std::ifstream(path, std::ios::binary).read(first.data(), first.size());
  return std::ranges::find(magics, std::string_view(first.data(), first.size())) != magics.end();
}

bool is_opened_to_read(const fs::path& descriptor) {
  const int number = std::atoi(descriptor.filename().c_str());
  const int flags = fcntl(number, F_GETFL);
  return number != STDOUT_FILENO && number != STDERR_FILENO && flags >= 0 && (flags & O_ACCMODE) != O_WRONLY;
}

// A path with a number in one of its names: the folder before that name, and the path below it.
class NumberedName {
 public:
  NumberedName(const std::string& path, std::size_t mark, std::size_t mark_size) {
    const std::size_t start = path.rfind('/', mark) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(path.find('/', mark), path.size());
    folder_ = start == 0 ? "." : path.substr(0, start);
    before_ = path.substr(start, mark - start);
    after_ = path.substr(mark + mark_size, end - mark - mark_size);
    below_ = path.substr(end);
  }

  const std::string& folder() const { return folder_; }
  const std::string& below() const { return below_; }

  bool is_one(std::string_view name) const {
    if (name.size() <= before_.size() + after_.size() || !name.starts_with(before_) || !name.ends_with(after_)) {
      return false;
    }
    name.remove_prefix(before_.size());
    name.remove_suffix(after_.size());
    return name.find_first_not_of("0123456789") == std::string_view::npos;
  }

  // `path`: without links.
  bool is_path_of_one(std::string_view path) const {
    const std::string start = (fs::path(without_links(folder_)) / "").string();
    if (!path.starts_with(start) || !path.ends_with(below_) || path.size() < start.size() + below_.size()) return false;
    return is_one(path.substr(start.size(), path.size() - start.size() - below_.size()));
  }

 private:
  std::string folder_;
  std::string before_, after_;  // of the number
  std::string below_;
};

}  // namespace

void RunFiles::reads(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) reads(path);
}

void RunFiles::read_file(const std::string& path) {
  if (const auto id = identity(path)) read_.insert(*id);
}

void RunFiles::reads(const std::string& path) {
  const std::lock_guard lock(mutex_);
  read_file(path == "-" ? "/proc/self/fd/0" : path);
  std::error_code error;
  for (fs::directory_iterator at(path, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    read_file(at->path());
  }
}

void RunFiles::reads_what_is_open() {
  const std::lock_guard lock(mutex_);
  std::error_code error;
  for (fs::directory_iterator at("/proc/self/fd", error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    if (is_opened_to_read(at->path())) read_file(at->path());
  }
  // address, permissions, offset, device and inode come first, and then the path
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (const std::size_t path = line.find('/'); path != std::string::npos) read_file(line.substr(path));
  }
}

void check_output_of_module(const std::string& output) {
  if (output.empty() || OutputFile::is_standard_output(output)) return;
  RunFiles files;
  files.reads_what_is_open();
  files.writes(output);
}

void RunFiles::refuse_read(const std::string& path) const {
  const std::string place = place_of_output(path);
  const std::string name = path == OutputFile::standard_output ? "standard output" : printable(path);
  const auto id = identity(place);
  if (id && read_.contains(*id)) throw UsageError(name + ": is read; it must be written to another place");
  if (path != OutputFile::standard_output && has_code(place)) {
    throw UsageError(name + ": is a program or other code, which is read for names; write to another place");
  }
}

void RunFiles::refuse(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  refuse_read(path);
}

void RunFiles::writes(const std::string& path) {
  if (path.empty()) return;
  const std::lock_guard lock(mutex_);
  refuse_read(path);
  const std::string place = place_of_output(path);
  const auto id = identity(place);
  struct stat status {};
  const bool is_device = !id && stat(place.c_str(), &status) == 0;
  if (is_device) return;
  const bool new_path = written_paths_.insert(without_links(place)).second;
  const bool new_file = !id || written_.insert(*id).second;
  if (!new_path || !new_file) throw UsageError(printable(path) + ": two outputs would be written there");
}

void RunFiles::writes_numbered(const std::string& path, const std::string& mark) {
  const std::size_t at = path.find(mark);
  if (at == std::string::npos) return writes(path);
  const NumberedName name(path, at, mark.size());
  const std::lock_guard lock(mutex_);
  for (const std::string& other : written_paths_) {
    if (name.is_path_of_one(other)) throw UsageError(printable(other) + ": two outputs would be written there");
  }
  std::error_code error;
  for (fs::directory_iterator entry(name.folder(), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (name.is_one(entry->path().filename().native())) refuse_read(entry->path().string() + name.below());
  }
}

}  // namespace perfsift::output
