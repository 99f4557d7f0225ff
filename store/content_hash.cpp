#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"
#include "base/share_work.h"
#include "store/ids.h"
#include "store/recording_rows.h"

namespace perfsift::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_size = std::size_t{1} << 20;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InputError(fmt::format("{}: {}", path, why));
}

// The bytes at `offset`: fewer only at the end of the file.
std::string_view read_piece(int file, const std::string& path, std::size_t offset, std::span<char> buffer) {
  std::size_t size = 0;
  while (size < buffer.size()) {
    const ssize_t got = pread(file, buffer.data() + size, buffer.size() - size, static_cast<off_t>(offset + size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, std::strerror(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return {buffer.data(), size};
}

Hash128 hash_of_piece(std::string_view bytes) {
  SipHash hash(key_of_ids);
  hash.take(bytes);
  return hash.finish();
}

// Pieces are hashed by several threads, and then their hashes.
void take_file(const std::string& path, unsigned threads, SipHash& hash) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0) refuse(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse(path, "is no file: what is added to a store is read twice");
  const std::size_t pieces = (static_cast<std::size_t>(status.st_size) + piece_size - 1) / piece_size;
  std::vector<Hash128> hashes(pieces);
  share_work(std::min<unsigned>(threads, static_cast<unsigned>(std::max<std::size_t>(pieces, 1))), pieces,
             [&](unsigned, Tasks& tasks) {
               std::vector<char> buffer(piece_size);
               while (const auto piece = tasks.next())
                 hashes[*piece] = hash_of_piece(read_piece(file.get(), path, *piece * piece_size, buffer));
             });
  for (const Hash128& piece : hashes) {
    hash.take(piece.low);
    hash.take(piece.high);
  }
}

// All files below the folder, by their names.
std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error); !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    if (std::error_code none; at->is_regular_file(none)) files.push_back(at->path().lexically_relative(folder));
  }
  if (error) refuse(folder, error.message());
  std::ranges::sort(files);
  return files;
}

}  // namespace

Hash128 content_hash(const std::string& path, unsigned threads) {
  SipHash hash(key_of_ids);
  if (std::error_code none; fs::is_directory(path, none)) {
    for (const std::string& name : files_below(path)) {
      hash.take(name);
      take_file(fmt::format("{}/{}", path, name), threads, hash);
    }
  } else {
    take_file(path, threads, hash);
  }
  return hash.finish();
}

}  // namespace perfsift::store
