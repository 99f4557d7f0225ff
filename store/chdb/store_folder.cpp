#include "store/chdb/store_folder.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/error.h"

namespace perfsift::store::chdb {
namespace {

namespace fs = std::filesystem;

// Marks a folder as a store, so that the engine never writes into a folder of something else.
constexpr const char* mark = "perfsift-store";
constexpr std::chrono::seconds longest_wait{60};
constexpr std::chrono::milliseconds pause{20};

bool has_mark(const std::string& folder) {
  struct stat status {};
  return lstat((folder + "/" + mark).c_str(), &status) == 0;
}

// Another process may make the store at the same time: the mark is the first file in it.
void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError("cannot be made: " + error.message());
  const bool is_empty = fs::is_empty(folder, error);
  if (error) throw InputError("cannot be read: " + error.message());
  if (!is_empty && !has_mark(folder))
    throw InputError("is a folder with other files: a store needs a new or an empty one");
}

void lock(int descriptor) {
  const auto end = std::chrono::steady_clock::now() + longest_wait;
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      throw InputError(fmt::format("cannot be locked: {}", std::strerror(errno)));
    if (std::chrono::steady_clock::now() > end)
      throw InputError("another process uses the store, and only one can at a time: try again later");
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

StoreFolder::StoreFolder(const std::string& folder, FolderUse use) {
  const std::string path = folder + "/" + mark;
  if (!has_mark(folder)) {
    if (use == FolderUse::existing) throw InputError("there is no store; perfsift store add makes one");
    make_folder(folder);
  }
  constexpr mode_t of_user = 0600;
  lock_ = FileDescriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, of_user));
  if (!lock_) throw InputError(fmt::format("{} cannot be written: {}", mark, std::strerror(errno)));
  lock(lock_.get());
}

}  // namespace perfsift::store::chdb
