// What earlier runs made of binaries, in a folder: a second run on the same binaries starts at once.
//
// Start here. What is kept are flat tables, which are mapped and not parsed:
//
//   cached_symbols      the symbols of a file, sorted, one per start
//   cached_debug_info   of each compilation unit that was asked about: functions, inlined calls, lines, names
//   cached_rules        of each function that was met: the rules of unwinding
//
//   cache_file          the format, and what protects from damage;  flat_tables  arrays in it
//
// Files are looked for anew in every run, and a cache file is found by the build ids and stamps (FileStamp) of what was
// found (CacheKey). So a debug file that is installed, changed or removed is noticed, and no list of places is needed.
// A file that was made to look like another one, with its build id, size and times, is another file all the same. And
// what lies below a symfs, which may be an image that somebody else has made, never answers for what lies elsewhere.
//
// What is not kept: names of files without a build id, or that lie packed in others (.ko.xz); perf maps and jitdumps,
// which change under the same name; split units whose .dwo is not found, as it may be the next time; and the symbols of
// a vmlinux, which take 20 ms. Those of /proc/kallsyms are kept until the next boot: to write that text takes the
// kernel 60 ms; and those of the kallsyms that perf record copies into its build-id cache, which nearly every recording
// asks for.
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

// What an entry was made from.
struct CacheKey {
  std::string file_name;
  std::string origin;  // in words: what kind of tables, and of each file its build id and stamp, or another state
};

// The key of something that is no ELF file: `name` is for people, `state` tells the thing from others. Nothing without
// a cache, and if the symfs cannot be told from others. Only the cache and the symfs of `options` count.
std::optional<CacheKey> cache_key(const SymbolizeOptions& options, std::string_view kind, std::string_view name,
                                  std::string_view state);
// Nothing, besides, when the tables of these files cannot be kept. nullptr in `files` stands for a file that was not
// found.
std::optional<CacheKey> cache_key(const SymbolizeOptions& options, std::string_view kind,
                                  std::initializer_list<const ElfFile*> files);

// Thread-safe. Says nothing of what goes wrong (a folder that cannot be written to, a full disk, damage): things are
// then made anew, as they would be without it.
class SymbolCache {
 public:
  static constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;

  // Keeps at most `limit` bytes in `folder`, which is made when there is something to keep. A folder in which others
  // than the user and root may write is not used.
  SymbolCache(std::string folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

  // nullptr when nothing is kept.
  std::shared_ptr<const CacheFile> find(const CacheKey& key) const;

  // Has `write` called by the next write_all(): it adds the parts of a new file, and says whether that is to be kept.
  using Write = std::function<bool(CacheFileWriter&)>;
  void write_later(CacheKey key, Write write);
  // To be called when all answers are given, as long as all that the functions refer to is there.
  void write_all();

 private:
  struct Later {
    CacheKey key;
    Write write;
  };
  bool make_folder() const;
  bool folder_is_own() const;
  // Removes what was not used for the longest time until the rest is small enough.
  void evict() const;

  const std::string folder_;
  const std::uint64_t limit_;
  std::mutex mutex_;
  std::vector<Later> later_;
};

}  // namespace perfsift::symbolize
