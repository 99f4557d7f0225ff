// The table of all binaries that were ever mapped, and the build ids that the recording gives by name.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/binary.h"
#include "reader/format/record.h"

namespace perfsift::reader {

class Binaries {
 public:
  void set_kernel(bool known, bool same) { kernel_known_ = known, same_kernel_ = same; }
  void set_recorded_seconds(std::int64_t seconds) { recorded_seconds_ = seconds; }
  void set_packed_files(std::shared_ptr<const PackedFiles> packed) { packed_ = std::move(packed); }
  // Sets a build id from the BUILD_ID table. For a module the name of its file is enough ("[ext4]" and …/ext4.ko are
  // the same). The first other image of the kernel, which may be a vmlinux by its path, is the kernel.
  void set_build_id(std::string_view path, const BuildId& id, CpuMode mode);

  // The process writes a jitdump, which knows more about the generated code than a perf map.
  void set_jit_dump(std::int32_t pid, std::string_view path);
  bool has_jit_dump(std::int32_t pid) const { return jit_dumps_.contains(pid); }
  // Whether the process has, or had, executable memory without a file.
  bool has_made_code(std::int32_t pid) const { return perf_maps_.contains(pid) || has_jit_dump(pid); }

  // The number of the binary, new or known. A binary without a build id gets the build id of its name.
  std::uint32_t intern(Binary binary);

  std::span<const Binary> all() const { return binaries_; }
  const Binary& operator[](std::uint32_t index) const { return binaries_[index]; }

 private:
  using BuildIdsByName = std::map<std::string, BuildId, std::less<>>;
  struct ListedModule {
    std::string path;
    BuildId build_id;
  };
  // Two mappings that agree in these belong to the same binary.
  using Identity = std::tuple<BinaryKind, std::string, BuildId, std::int32_t, std::string, std::uint64_t, std::uint64_t,
                              std::uint64_t, std::uint64_t, std::uint64_t>;

  static Identity identity(const Binary& binary);
  void add_what_is_listed(Binary& binary) const;
  void name_by_jit_dump(Binary& binary) const;

  std::vector<Binary> binaries_;
  std::map<Identity, std::uint32_t> index_;
  BuildIdsByName user_build_ids_;
  std::map<std::string, ListedModule, std::less<>> modules_;  // by name in brackets
  BuildId kernel_build_id_;
  std::string kernel_path_;                          // of the kernel's entry; empty when the name is no path
  std::map<std::int32_t, std::string> jit_dumps_;    // the latest jitdump, by pid
  std::map<std::int32_t, std::uint32_t> perf_maps_;  // the binary of this kind, by pid
  bool kernel_known_ = false, same_kernel_ = false;
  std::int64_t recorded_seconds_ = 0;
  std::shared_ptr<const PackedFiles> packed_;
};

}  // namespace perfsift::reader
