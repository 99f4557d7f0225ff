#include "symbolize/search/used_files.h"

#include <utility>

#include <fmt/format.h>

#include "symbolize/elf/elf_file.h"

namespace perfsift::symbolize {

namespace {

std::string_view word_for(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::elf:
      return "elf";
    case BinaryKind::kernel:
      return "kernel";
    case BinaryKind::kernel_module:
      return "module";
    case BinaryKind::kernel_symbol:
      return "kernel-symbol";
    case BinaryKind::vdso:
      return "vdso";
    case BinaryKind::vsyscall:
      return "vsyscall";
    case BinaryKind::perf_map:
      return "perf-map";
    case BinaryKind::jit_dump:
      return "jitdump";
    case BinaryKind::anonymous:
      return "anonymous";
  }
  return "";
}

}  // namespace

std::string purpose_of(std::string_view role, const Binary& binary) {
  const FileIdentity& identity = binary.file.identity;
  return fmt::format("{} {} {} {} {} {}", role, word_for(binary.kind),
                     binary.build_id.empty() ? "-" : binary.build_id.hex(), binary.pid,
                     fmt::format("{}.{}", identity.inode, identity.inode_generation), binary.path);
}

std::string purpose_of(std::string_view role, std::string_view of) { return fmt::format("{} {}", role, of); }

std::shared_ptr<ElfFile> packed_elf(const std::shared_ptr<const PackedFiles>& packed, std::string_view purpose) {
  const PackedFile* const file = packed ? packed->find(purpose) : nullptr;
  return file != nullptr ? ElfFile::from_packed(*file, packed) : nullptr;
}

void UsedFiles::add(std::string purpose, UsedFile file) {
  const std::lock_guard lock(mutex_);
  files_.try_emplace(std::move(purpose), std::move(file));
}

void UsedFiles::add(std::string purpose, const std::shared_ptr<ElfFile>& file, const std::string& mapped_path) {
  if (!file) return;
  add(std::move(purpose), {.path = file->path(),
                           .build_id = file->build_id(),
                           .bytes = file->image(),
                           .owner = file,
                           .why_missing = {},
                           .mapped_path = mapped_path});
}

}  // namespace perfsift::symbolize
