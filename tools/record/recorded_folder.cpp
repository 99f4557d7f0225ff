#include "tools/record/recorded_folder.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "output/files/older_output.h"
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

void RingFile::flush() {
  if (compressor_) compressed_->flush(), compressor_->flush();
  out_.flush();
  size_ = out_.size();
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
  for (const auto& ring : rings_) ring->flush();
  writer_.finish();
  file_.commit();
}

std::uint64_t RecordedFolder::size() const {
  std::uint64_t size = writer_.size();
  for (const auto& ring : rings_) size += ring->size();
  return size;
}

}  // namespace perfsift::tools
