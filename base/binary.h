// The interface between reading a recording and naming its addresses.
//
// The reader turns (process, time, address) into a CodeAddress: a file and an offset in the file. The reader needs only
// the recording. The symbolizer turns a CodeAddress into names and needs only the file. The reader and the symbolizer
// do not depend on each other.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/packed_files.h"

namespace perfsift {

// A GNU build id: up to 20 bytes. Size 0: no build id.
struct BuildId {
  std::array<std::byte, 20> bytes{};
  std::uint8_t size = 0;

  BuildId() = default;
  explicit BuildId(std::span<const std::byte> from)
      : size(static_cast<std::uint8_t>(from.size() < 20 ? from.size() : 20)) {
    if (size != 0) std::memcpy(bytes.data(), from.data(), size);
  }
  bool empty() const { return size == 0; }
  std::string hex() const;  // lowercase
  // Parses hexadecimal digits, also uppercase ones; empty if there are other characters.
  static BuildId from_hex(std::string_view hex);
  auto operator<=>(const BuildId&) const = default;
};

// The address of the code that an address of a stack stands for. A return address points to the instruction after the
// call, which may belong to another function or line, so the call is found one byte before the return address.
constexpr std::uint64_t call_site(std::uint64_t address, bool return_address) {
  return return_address && address != 0 ? address - 1 : address;
}

// The kind of a binary, which decides where names can come from.
enum class BinaryKind : std::uint8_t {
  elf,            // an executable or shared library, by path
  kernel,         // [kernel.kallsyms], [guest.kernel.kallsyms]: offsets are run-time addresses
  kernel_module,  // "[ext4]" or /lib/modules/…/ext4.ko: offsets are relative to the start of the
                  // mapping
  kernel_symbol,  // a KSYMBOL record (BPF program, trampoline): the path is its only name
  vdso,           // [vdso]
  vsyscall,       // [vsyscall]
  perf_map,       // executable memory without a file: /tmp/perf-PID.map may name it; offsets are
                  // addresses
  jit_dump,       // the same in a process that wrote a jitdump (jit-PID.dump)
  anonymous,      // memory without a file and without names (heap, stack, …); offsets are
                  // addresses
};

constexpr bool is_kernel(BinaryKind kind) {
  return kind == BinaryKind::kernel || kind == BinaryKind::kernel_module || kind == BinaryKind::kernel_symbol;
}

// A process that had a binary mapped. While the process runs, its files can be reached through it, even if they have
// other paths outside its container.
struct Mapper {
  std::int32_t pid = -1;
  std::uint64_t address = 0;          // start of the mapping
  std::uint64_t mount_namespace = 0;  // inode of the process's mount namespace; 0: not recorded
};

// The identity of a file in its file system.
struct FileIdentity {
  std::uint32_t device_major = 0, device_minor = 0;
  std::uint64_t inode = 0, inode_generation = 0;  // 0: not recorded
};

// The recorded facts of a mapped file without a build id: another file may lie at its path by now.
struct RecordedFile {
  FileIdentity identity;
  std::uint64_t least_size = 0;       // in bytes, by the parts of the file that were mapped
  std::int64_t recorded_seconds = 0;  // the end of the recording, since 1970; 0: not known
};

// One mapped binary, shared by all processes that map it.
struct Binary {
  std::string path;  // as recorded; perf_map: the map file that perf would read (/tmp/perf-PID.map); jit_dump: the dump
  BuildId build_id;  // as recorded; empty when the recording has none
  BinaryKind kind = BinaryKind::elf;
  std::int32_t pid = -1;  // perf_map, jit_dump: the process of the code
  // kernel: the symbol and its run-time address that the kernel's MMAP record named ("_text", "_stext"), so that a
  // symbol table of another boot (KASLR) can be shifted. Empty and 0 when the record does not show where the kernel
  // was.
  std::string reference_symbol;
  std::uint64_t reference_address = 0;
  // kernel, kernel_module: the path in the recording's BUILD_ID table, which perf then uses as the name; otherwise
  // empty.
  std::string listed_path;
  // kernel_module, kernel_symbol: the start and the size of the mapping.
  std::uint64_t load_address = 0;
  std::uint64_t size = 0;
  // Whether the recording comes from this kernel build (release, architecture and kernel build id agree with the
  // running kernel as far as both are known). Names of a foreign kernel are never taken from this machine.
  bool same_kernel = false;
  // Whether the recording identifies its kernel: perf record writes release and build id when it ends.
  bool kernel_known = false;
  // elf, perf_map, jit_dump: the first process that mapped the binary. Not part of the binary's identity.
  Mapper mapper;
  // elf without a build id; empty for all others.
  RecordedFile file;
  // The files that came with a packed recording; nullptr for other recordings.
  std::shared_ptr<const PackedFiles> packed;
};

// The name that perf prints for a binary: the path, or "[ext4]" for a module that is not in the BUILD_ID table. perf
// knows a listed module by its path before the record of its mapping comes (machine__findnew_module_dso()), and a
// listed kernel too (machine__process_kernel_mmap_event()).
std::string printed_binary_name(const Binary& binary);
// printed_binary_name(), but each module as "[ext4]", as perf report shows it.
std::string reported_binary_name(const Binary& binary);
// The name that perf prints for an address without a source line: "ls", "[kernel.vmlinux]", "[JIT] tid 7"
// (dso__set_basename()).
std::string short_binary_name(const Binary& binary);

// A place in a binary. `binary` is an index into Timeline::binaries().
struct CodeAddress {
  static constexpr std::uint32_t no_binary = ~std::uint32_t{0};

  std::uint32_t binary = no_binary;  // no_binary: nothing was mapped there; offset is the address itself
  bool return_address = false;       // a caller's frame: the call is just before the address
  std::uint64_t offset = 0;

  // The offset of the running code, for lookups in symbol and line tables. A return address is the instruction after
  // the call; one byte before it is inside the call.
  std::uint64_t lookup_offset() const { return return_address && offset != 0 ? offset - 1 : offset; }
  auto operator<=>(const CodeAddress&) const = default;
};

}  // namespace perfsift
