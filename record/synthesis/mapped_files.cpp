#include "record/synthesis/mapped_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/build_id.h"
#include "base/owned.h"
#include "base/text_scanner.h"
#include "base/whole_file.h"

namespace perfsift::record {

namespace {

constexpr std::string_view vdso_name = "[vdso]";

BuildId build_id_of_own_vdso() {
  const auto maps = read_whole_file("/proc/self/maps");
  for (std::string_view rest = maps ? *maps : std::string_view(); !rest.empty();) {
    const auto mapping = parse_mapping(take_line(rest));
    if (!mapping || mapping->path != vdso_name) continue;
    const auto* const image = reinterpret_cast<const std::byte*>(mapping->start);
    return build_id_of_elf(Bytes(image, mapping->end - mapping->start));
  }
  return {};
}

// To open a device may have effects, and a pipe blocks: the kind of file is tested first.
FileDescriptor open_regular(int folder, const std::string& path) {
  struct stat status;
  if (fstatat(folder, path.c_str(), &status, 0) != 0 || !S_ISREG(status.st_mode)) return FileDescriptor();
  return FileDescriptor(openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

FileDescriptor open_file_of(int process, const ProcMapping& mapping) {
  constexpr std::string_view deleted = " (deleted)";
  FileDescriptor file;
  if (mapping.path.starts_with('/') && !mapping.path.ends_with(deleted))
    file = open_regular(process, "root" + recorded_name(mapping.path));
  if (!file) file = open_regular(process, fmt::format("map_files/{:x}-{:x}", mapping.start, mapping.end));
  return file;
}

}  // namespace

MappedFiles::MappedFiles() : vdso_(build_id_of_own_vdso()) {}

BuildId MappedFiles::build_id(int process, const ProcMapping& mapping) {
  constexpr std::uint64_t end_of_32_bits = std::uint64_t{1} << 32;
  if (mapping.path == vdso_name && mapping.start >= end_of_32_bits) return vdso_;
  if (mapping.inode == 0) return {};

  const File key{mapping.device_major, mapping.device_minor, mapping.inode};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  const FileDescriptor file = open_file_of(process, mapping);
  const BuildId id = file ? build_id_of_elf(file.get()) : BuildId();
  const std::lock_guard lock(mutex_);
  return known_.try_emplace(key, id).first->second;
}

}  // namespace perfsift::record
