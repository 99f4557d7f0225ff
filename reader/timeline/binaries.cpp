#include "reader/timeline/binaries.h"

#include "reader/timeline/kernel_names.h"

namespace perfsift::reader {
namespace {

template <typename Map>
BuildId find_or_none(const Map& ids, std::string_view name) {
  const auto found = ids.find(name);
  return found == ids.end() ? BuildId{} : found->second;
}

}  // namespace

// __event_process_build_id() in tools/perf/util/header.c; guests are not followed.
void Binaries::set_build_id(std::string_view path, const BuildId& id, CpuMode mode) {
  if (mode == CpuMode::user) {
    user_build_ids_.insert_or_assign(std::string(path), id);
  } else if (mode == CpuMode::kernel) {
    if (std::string module = module_name(path); !module.empty())
      module_build_ids_.insert_or_assign(std::move(module), id);
    else if (kernel_build_id_.empty())
      kernel_build_id_ = id;
  }
}

std::uint32_t Binaries::intern(Binary binary) {
  if (binary.build_id.empty()) binary.build_id = build_id_by_name(binary);
  binary.same_kernel = same_kernel_;
  const auto [entry, is_new] = index_.try_emplace(identity(binary), static_cast<std::uint32_t>(binaries_.size()));
  if (is_new) binaries_.push_back(std::move(binary));
  return entry->second;
}

Binaries::Identity Binaries::identity(const Binary& binary) {
  return {
      binary.kind,         binary.path, binary.build_id, binary.pid, binary.reference_symbol, binary.reference_address,
      binary.load_address, binary.size};
}

BuildId Binaries::build_id_by_name(const Binary& binary) const {
  switch (binary.kind) {
    case BinaryKind::kernel:
      return kernel_build_id_;
    case BinaryKind::kernel_module:
      return find_or_none(module_build_ids_, module_name(binary.path));
    case BinaryKind::elf:
    case BinaryKind::vdso:
    case BinaryKind::vsyscall:
    case BinaryKind::perf_map:
      return find_or_none(user_build_ids_, binary.path);
    case BinaryKind::kernel_symbol:
    case BinaryKind::anonymous:
      break;
  }
  return {};
}

}  // namespace perfsift::reader
