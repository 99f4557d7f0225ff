// The border between reading a recording and naming its addresses.
//
// The reader turns (process, time, address) into a CodeAddress: a file and a place in it. That
// needs only the recording. The symbolizer turns a CodeAddress into names. That needs only the
// file. Neither knows the other.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace perfsift {

// A GNU build id: up to 20 bytes, none when size is 0.
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
  auto operator<=>(const BuildId&) const = default;
};

// Where the code lies that an address of a stack stands for: a return address is that of the instruction behind the
// call, which may belong to another function or line, so the call itself is one byte in front of it.
constexpr std::uint64_t call_site(std::uint64_t address, bool return_address) {
  return return_address && address != 0 ? address - 1 : address;
}

// What kind of thing an address was found in; it decides where names can come from.
enum class BinaryKind : std::uint8_t {
  elf,            // an executable or shared library, by path
  kernel,         // [kernel.kallsyms], [guest.kernel.kallsyms]: offsets are run-time addresses
  kernel_module,  // "[ext4]" or /lib/modules/…/ext4.ko: offsets are relative to the start of the
                  // mapping
  kernel_symbol,  // a KSYMBOL record (BPF program, trampoline): the path is the one name it has
  vdso,           // [vdso]
  vsyscall,       // [vsyscall]
  perf_map,       // executable memory without a file: /tmp/perf-PID.map may name it; offsets are
                  // addresses
  jit_dump,       // the same in a process that wrote a jitdump (jit-PID.dump)
  anonymous,      // memory without a file that cannot hold names (heap, stack, …); offsets are
                  // addresses
};

constexpr bool is_kernel(BinaryKind kind) {
  return kind == BinaryKind::kernel || kind == BinaryKind::kernel_module || kind == BinaryKind::kernel_symbol;
}

// A process that had a binary mapped. While it runs, files can be found through it that are elsewhere for us: those of
// a container.
struct Mapper {
  std::int32_t pid = -1;
  std::uint64_t address = 0;          // where the mapping began
  std::uint64_t mount_namespace = 0;  // the inode of the process's; 0 when it was not recorded
};

// One mapped thing, the same for every process that maps it.
struct Binary {
  std::string path;  // as recorded; for perf_map the map file perf would read (/tmp/perf-PID.map),
                     // for jit_dump the dump
  BuildId build_id;  // as recorded; empty when the recording has none
  BinaryKind kind = BinaryKind::elf;
  std::int32_t pid = -1;  // perf_map, jit_dump: whose code it is
  // kernel: the symbol and its run-time address that the kernel's MMAP record named ("_text",
  // "_stext"), so that a symbol table of another boot (KASLR) can be shifted. Empty and 0 when it
  // named none.
  std::string reference_symbol;
  std::uint64_t reference_address = 0;
  // kernel, kernel_module: its path in the recording's BUILD_ID table, by which perf then calls it; else empty.
  std::string listed_path;
  // kernel_module, kernel_symbol: where it was mapped, and how large it was.
  std::uint64_t load_address = 0;
  std::uint64_t size = 0;
  // Whether the recording comes from this kernel build (its release, architecture and kernel build
  // id agree with the running one as far as both are known). Names of a foreign kernel are never
  // taken from this machine.
  bool same_kernel = false;
  // elf, perf_map, jit_dump: the first that mapped it. Does not tell two binaries apart.
  Mapper mapper;
};

// The name perf prints for a binary: the path, but that of a module not in the BUILD_ID table as "[ext4]". A module
// that is listed is known, by its path, before the record of its mapping comes (machine__findnew_module_dso()), and so
// is a kernel (machine__process_kernel_mmap_event()).
std::string printed_binary_name(const Binary& binary);
// What perf calls it where it has no line of an address: "ls", "[kernel.vmlinux]", "[JIT] tid 7" (dso__set_basename()).
std::string short_binary_name(const Binary& binary);

// A place in a binary. `binary` counts within the table it came from (Timeline::binaries()).
struct CodeAddress {
  static constexpr std::uint32_t no_binary = ~std::uint32_t{0};

  std::uint32_t binary = no_binary;  // no_binary: nothing was mapped there; offset is the address itself
  bool return_address = false;       // a caller's frame: the call is just before it
  std::uint64_t offset = 0;

  // Where to look for the code that was running: a return address is the instruction after the
  // call; one byte back is inside the call, which is what symbol and line tables must be asked
  // about.
  std::uint64_t lookup_offset() const { return return_address && offset != 0 ? offset - 1 : offset; }
  auto operator<=>(const CodeAddress&) const = default;
};

}  // namespace perfsift
