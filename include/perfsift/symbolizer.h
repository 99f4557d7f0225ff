/// \file
/// From addresses to functions and source lines.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <perfsift/export.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
struct SymbolizerState;
struct Access;
}  // namespace detail

/// How C++, Rust, D and OCaml names are written.
enum class Demangling : std::uint8_t {
  plain,  ///< Without parameters and return types: `ns::Widget<long>::work`. As in `perfsift fold`.
  full,   ///< With parameters: `ns::Widget<long>::work(int)`.
  raw,    ///< The name in the symbol table.
};

/// The kind of code of a frame.
enum class FrameKind : std::uint8_t {
  user,    ///< A program or a library.
  kernel,  ///< The kernel or one of its modules.
  jit,     ///< Code made at run time, named by a jitdump or a perf map.
  other,   ///< No code: "[truncated]" stands for frames that were not recorded.
};

/// A frame of a stack: a function, or a call that the compiler inlined into the next outer frame.
///
/// Texts come from files and may be of any language, but they have no control characters and no ';': these are
/// replaced, as in `perfsift fold`. The object that gave out the frame says how long texts live.
struct Frame {
  std::string_view function;          ///< The name; without a name that of the binary in brackets: "[libc.so.6]".
  std::string_view binary;            ///< The path of the binary as perf prints it; empty: nothing was mapped there.
  std::string_view file;              ///< The source file as the compiler called it; empty: not known.
  std::uint32_t line = 0;             ///< The line that ran, or that called the next inner frame; 0: not known.
  std::uint64_t address = 0;          ///< The offset in the binary; of a caller, one byte before its return address.
  FrameKind kind = FrameKind::other;  ///< The kind of code.
  bool inlined = false;               ///< The call was inlined into the next outer frame.
  bool named = false;                 ///< Whether `function` is a name.
};

/// Where names come from.
struct SymbolizerOptions {
  std::string symfs = {};  ///< A folder with the files that the recording names (perf: --symfs).
  /// Folders with separate debug files.
  std::vector<std::string> debug_dirs = {"/usr/lib/debug"};
  std::string build_id_dir = {};  ///< perf's cache of binaries; empty: .debug in `symfs`, without one in $HOME.
  std::string vmlinux = {};       ///< An ELF kernel to take names of the kernel from.
  std::string kallsyms = {};      ///< A saved /proc/kallsyms to take names of the kernel from.
  /// Believe jitdumps and perf maps of other users, and files that may not be the recorded ones.
  bool any_owner = false;
  /// A folder in which tables made from binaries are kept for the next run, at most 1 GiB; empty: nothing is kept.
  std::string cache_dir = {};
};

/// Finds binaries and their debug information, and names addresses. A binary is searched and read once, on first use.
/// perf's rules decide which file belongs to a binary (dso__load() in tools/perf/util/symbol.c); a file whose build id
/// differs from the recorded one is not used.
///
/// Thread-safety: all functions may be called by several threads at once. Copies share their state.
class PERFSIFT_API Symbolizer {
 public:
  /// Finds files where perf finds them. Throws Error (memory).
  Symbolizer();
  /// Throws Error (memory). Paths that do not exist are no error: addresses then have no names.
  explicit Symbolizer(const SymbolizerOptions& options);
  Symbolizer(const Symbolizer&);             ///< Shares the state.
  Symbolizer& operator=(const Symbolizer&);  ///< Shares the state.
  ~Symbolizer();  ///< The last copy, when no recording uses it any more, writes new tables to the cache.

  /// The functions at an address of an ELF file, innermost first, as addr2line finds them; empty if nothing is known.
  /// `address`: as nm and objdump show addresses. Texts live as long as the Symbolizer. Throws Error (input) if the
  /// file cannot be read or is not an ELF file.
  std::vector<Frame> frames(const std::string& elf_file, std::uint64_t address,
                            Demangling demangling = Demangling::plain) const;

  /// Messages about files that could not be read, or not whole, so far: "path: what is wrong". Sorted.
  std::vector<std::string> warnings() const;

 private:
  friend struct detail::Access;
  std::shared_ptr<detail::SymbolizerState> state_;
};

}  // namespace PERFSIFT_NAMESPACE
