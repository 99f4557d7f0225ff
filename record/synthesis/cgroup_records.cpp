#include "record/synthesis/cgroup_records.h"

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "reader/writer/records/process.h"
#include "record/machine/kernel_files.h"

namespace perfsift::record {

namespace {

std::optional<std::uint64_t> cgroup_id(const std::string& folder) {
  std::uint64_t id = 0;
  // struct file_handle ends with the bytes of the handle.
  alignas(file_handle) std::array<std::byte, sizeof(file_handle) + sizeof id> memory{};
  auto* const handle = reinterpret_cast<file_handle*>(memory.data());
  handle->handle_bytes = sizeof id;
  int mount = 0;
  if (name_to_handle_at(AT_FDCWD, folder.c_str(), handle, &mount, 0) == 0 && handle->handle_bytes == sizeof id) {
    std::memcpy(&id, memory.data() + sizeof(file_handle), sizeof id);
    return id;
  }
  struct stat status;
  return stat(folder.c_str(), &status) == 0 ? std::optional<std::uint64_t>(status.st_ino) : std::nullopt;
}

bool is_folder(const std::string& path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

std::vector<std::byte> cgroup_records(const std::string& root, const reader::Encoding& encoding) {
  std::vector<std::byte> records;
  std::vector<std::string> open{"/"};  // paths below the root
  while (!open.empty()) {
    const std::string path = std::move(open.back());
    open.pop_back();
    const auto id = cgroup_id(root + path);
    if (!id) continue;
    const auto record = encode_cgroup({.id = *id, .path = path}, encoding);
    records.insert(records.end(), record.begin(), record.end());
    for (const std::string& name : names_in(root + path)) {
      std::string below = fmt::format("{}/{}", path == "/" ? "" : path, name);
      if (is_folder(root + below)) open.push_back(std::move(below));
    }
  }
  return records;
}

}  // namespace perfsift::record
