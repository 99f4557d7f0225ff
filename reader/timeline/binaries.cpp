#include "reader/timeline/binaries.h"

#include <algorithm>

#include "reader/timeline/kernel_names.h"

namespace perfsift::reader {
// __event_process_build_id() in tools/perf/util/header.c; guests are not followed.
void Binaries::set_build_id(std::string_view path, const BuildId& id, CpuMode mode) {
  if (mode == CpuMode::user) {
    user_build_ids_.insert_or_assign(std::string(path), id);
  } else if (mode == CpuMode::kernel) {
    if (std::string module = module_name(path); !module.empty()) {
      modules_.insert_or_assign(std::move(module), ListedModule{std::string(path), id});
    } else if (kernel_build_id_.empty()) {
      kernel_build_id_ = id;
      if (!path.starts_with('[')) kernel_path_ = path;
    }
  }
}

// Memory that was mapped before the jitdump also belongs to the process.
void Binaries::set_jit_dump(std::int32_t pid, std::string_view path) {
  jit_dumps_.insert_or_assign(pid, std::string(path));
  const auto mapped_before = perf_maps_.find(pid);
  if (mapped_before == perf_maps_.end()) return;
  Binary& binary = binaries_[mapped_before->second];
  name_by_jit_dump(binary);
  index_.try_emplace(identity(binary), mapped_before->second);
  perf_maps_.erase(mapped_before);
}

void Binaries::name_by_jit_dump(Binary& binary) const {
  const auto dump = jit_dumps_.find(binary.pid);
  if (binary.kind != BinaryKind::perf_map || dump == jit_dumps_.end()) return;
  binary.kind = BinaryKind::jit_dump;
  binary.path = dump->second;
}

std::uint32_t Binaries::intern(Binary binary) {
  name_by_jit_dump(binary);
  add_what_is_listed(binary);
  binary.kernel_known = kernel_known_;
  binary.same_kernel = same_kernel_;
  binary.packed = packed_;
  if (binary.kind == BinaryKind::elf && binary.build_id.empty())
    binary.file.recorded_seconds = recorded_seconds_;
  else
    binary.file = {};
  const auto [entry, is_new] = index_.try_emplace(identity(binary), static_cast<std::uint32_t>(binaries_.size()));
  if (is_new) {
    if (binary.kind == BinaryKind::perf_map) perf_maps_.insert_or_assign(binary.pid, entry->second);
    binaries_.push_back(std::move(binary));
  } else {
    std::uint64_t& least_size = binaries_[entry->second].file.least_size;
    least_size = std::max(least_size, binary.file.least_size);
  }
  return entry->second;
}

Binaries::Identity Binaries::identity(const Binary& binary) {
  const FileIdentity& file = binary.file.identity;
  return {binary.kind,
          binary.path,
          binary.build_id,
          binary.pid,
          binary.reference_symbol,
          binary.reference_address,
          binary.load_address,
          binary.size,
          file.inode,
          file.inode_generation};
}

void Binaries::add_what_is_listed(Binary& binary) const {
  BuildId listed;
  switch (binary.kind) {
    case BinaryKind::kernel:
      listed = kernel_build_id_;
      binary.listed_path = kernel_path_;
      break;
    case BinaryKind::kernel_module:
      if (const auto found = modules_.find(module_name(binary.path)); found != modules_.end()) {
        listed = found->second.build_id;
        binary.listed_path = found->second.path;
      }
      break;
    case BinaryKind::elf:
    case BinaryKind::vdso:
    case BinaryKind::vsyscall:
    case BinaryKind::perf_map:
    case BinaryKind::jit_dump:
      if (const auto found = user_build_ids_.find(binary.path); found != user_build_ids_.end()) listed = found->second;
      break;
    case BinaryKind::kernel_symbol:
    case BinaryKind::anonymous:
      break;
  }
  if (binary.build_id.empty()) binary.build_id = listed;
}

}  // namespace perfsift::reader
