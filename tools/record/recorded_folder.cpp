#include "tools/record/recorded_folder.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "output/files/older_output.h"
#include "reader/record_walk.h"
#include "tools/record/file_owner.h"

namespace perfsift::tools {
namespace {

// Checks the place before anything is written.
const std::string& free_or_kept(const std::string& path) {
  output::refuse_what_stays(path);
  return path;
}

void make_folder(const std::string& path) {
  if (mkdir(path.c_str(), mode_of_recording_folders) != 0)
    throw Error(fmt::format("{}: cannot make the folder: {}", path, std::strerror(errno)));
  const auto user = user_of_sudo();
  // A refusal is no error, as for files.
  if (user && lchown(path.c_str(), user->user, user->group) != 0) errno = 0;
}

void appear_in_folder(output::OutputFile& file) {
  if (const auto user = user_of_sudo()) file.give_to(user->user, user->group);
  file.appear();
}

}  // namespace

RingFile::RingFile(const std::string& folder, std::size_t ring, std::optional<int> compression_level)
    : file_(output::OutputFile::growing_in(folder, fmt::format("data.{}", ring), mode_of_recordings)),
      sink_(file_),
      out_(sink_) {
  if (!compression_level) return;
  compressor_ = std::make_unique<reader::RecordCompressor>(ByteOrder::native, *compression_level, out_);
  compressed_ = std::make_unique<reader::RecordOutput>(*compressor_);
}

void RingFile::write(Bytes records) {
  try {
    (compressor_ ? *compressed_ : out_).write_copy(records);
  } catch (...) {
    cut_to_whole_records();
    throw;
  }
}

void RingFile::flush() {
  try {
    if (compressor_) compressed_->flush(), compressor_->flush();
    out_.flush();
  } catch (...) {
    cut_to_whole_records();
    throw;
  }
  size_ = out_.size();
}

void RingFile::finish() {
  flush();
  file_.commit();
}

// perf reads nothing of a folder in which a record is cut (reader__read_event() in tools/perf/util/session.c). The
// bytes up to `size_` are whole records.
void RingFile::cut_to_whole_records() const {
  const int fd = file_.descriptor();
  struct stat status {};
  if (fstat(fd, &status) != 0) return;
  auto whole = static_cast<off_t>(size_);
  std::array<std::byte, reader::record_header_size> header{};
  while (pread(fd, header.data(), header.size(), whole) == static_cast<ssize_t>(header.size())) {
    const std::size_t size = reader::decode_record_header(header.data(), ByteOrder::native).size;
    if (size < header.size() || whole + static_cast<off_t>(size) > status.st_size) break;
    whole += static_cast<off_t>(size);
  }
  if (ftruncate(fd, whole) != 0) errno = 0;  // what is wrong with the file is said already
}

RecordedFolder::RecordedFolder(const std::string& path, reader::HeaderContent header,
                               std::optional<int> compression_level, std::size_t rings)
    : path_(free_or_kept(path)),
      file_(output::OutputFile::growing_in(path, "data", mode_of_recordings)),
      sink_(file_),
      writer_(std::move(header), {.compression_level = compression_level, .in_folder = true}, sink_) {
  for (std::size_t ring = 0; ring < rings; ++ring)
    rings_.push_back(std::make_unique<RingFile>(path, ring, compression_level));
}

void RecordedFolder::appear() {
  writer_.checkpoint();
  output::keep_as_old(path_);
  make_folder(path_);
  appear_in_folder(file_);
  for (const auto& ring : rings_) appear_in_folder(ring->file());
}

void RecordedFolder::finish() {
  for (const auto& ring : rings_) ring->finish();
  writer_.finish();
  file_.commit();
}

std::uint64_t RecordedFolder::size() const {
  std::uint64_t size = writer_.size();
  for (const auto& ring : rings_) size += ring->size();
  return size;
}

}  // namespace perfsift::tools
