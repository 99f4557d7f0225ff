// Tables that earlier runs made from binaries, in a folder: a second run on the same binaries starts at once.
//
// Start here. The cache keeps flat tables, which are mapped and not parsed:
//
//   cached_symbols      the symbols of a file, sorted, one per start
//   cached_debug_info   of each compilation unit that was used: functions, inlined calls, lines, names
//   cached_rules        of each function that was used: the rules of unwinding
//
//   cache_file          the format, and its checksums;  flat_tables  arrays in it
//
// Binaries are searched anew in every run, and a cache file is found by the build ids and stamps (FileStamp) of the
// found files (CacheKey). So a debug file that is installed, changed or removed is noticed. A file that was made to
// look like another file, with the same build id, size and times, still has another key. Files below a symfs, which may
// be an image that somebody else made, never answer for files elsewhere.
//
// The cache does not keep: names of files without a build id, or packed in other files (.ko.xz); perf maps and
// jitdumps, which change under the same name; split units whose .dwo was not found, as it may be found the next time;
// and the symbols of a vmlinux, which take 20 ms. The cache keeps the symbols of /proc/kallsyms until the next boot
// (the kernel takes 60 ms to write that text), and the symbols of kallsyms that perf record copies into its build-id
// cache, which nearly every recording needs.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbolize/cache/cache_file.h"

namespace perfsift::symbolize {

class ElfFile;
struct SymbolizeOptions;

// The source from which an entry was made.
struct CacheKey {
  std::string file_name;
  std::string origin;  // in words: what kind of tables, and of each file its build id and stamp, or another state
};

// The key of something that is no ELF file: `name` is for people, `state` identifies the thing. Nothing without a
// cache, and if the symfs cannot be identified. Only the cache and the symfs of `options` count.
std::optional<CacheKey> cache_key(const SymbolizeOptions& options, std::string_view kind, std::string_view name,
                                  std::string_view state);
// The key for files; also nothing if their tables cannot be kept. nullptr in `files`: a file that was not found.
std::optional<CacheKey> cache_key(const SymbolizeOptions& options, std::string_view kind,
                                  std::initializer_list<const ElfFile*> files);

// Thread-safe. Does not report errors (a folder that cannot be written, a full disk, damage): the tables are then made
// anew, as without a cache.
class SymbolCache {
 public:
  static constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;

  // Keeps at most `limit` bytes in `folder`, which is made with the first file. A folder in which users other than this
  // one and root may write is not used.
  SymbolCache(std::string folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

  // nullptr if there is no file for the key.
  std::shared_ptr<const CacheFile> find(const CacheKey& key) const;

  // write_all() will call `write`, which adds the parts of a new file and returns whether to keep the file.
  using Write = std::function<bool(CacheFileWriter&)>;
  void write_later(CacheKey key, Write write);
  // Call it at the end of a run, while everything that the functions refer to still lives.
  void write_all();

 private:
  struct Later {
    CacheKey key;
    Write write;
  };
  bool make_folder() const;
  bool folder_is_own() const;
  // Removes the files that were not used for the longest time, until the rest is small enough.
  void evict() const;

  const std::string folder_;
  const std::uint64_t limit_;
  std::mutex mutex_;
  std::vector<Later> later_;
};

}  // namespace perfsift::symbolize
