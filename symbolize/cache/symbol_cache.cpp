#include "symbolize/cache/symbol_cache.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <lzma.h>
#include <sys/stat.h>

#include "base/version.h"
#include "symbolize/elf/elf_file.h"
#include "symbolize/files/file_stamp.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view cache_suffix = ".tables";
// The time of a file's last use is noted with this resolution: noting each use would be a write for each read.
constexpr auto use_resolution = std::chrono::hours(1);
// An unfinished file of this age was left by a process that was killed.
constexpr auto longest_writing = std::chrono::hours(1);

std::optional<std::string> words_of(const ElfFile* file) {
  if (file == nullptr) return " none";
  const BuildId id = file->build_id();
  const auto& stamp = file->stamp();
  if (id.empty() || !stamp) return std::nullopt;
  return fmt::format(" {} {}", id.hex(), stamp->words());
}

// The folder that all files come from, as text. Two names of one folder give the same text.
std::optional<std::string> scope_of(const std::string& symfs) {
  if (symfs.empty()) return "";
  const auto folder = stamp_of(symfs);
  return folder ? std::optional(fmt::format(" below {} {}", folder->device, folder->inode)) : std::nullopt;
}

std::uint64_t hash_of(std::string_view text) {
  return lzma_crc64(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), 0);
}

void note_use(const std::string& path) {
  std::error_code failed;
  const auto now = fs::file_time_type::clock::now();
  const auto used = fs::last_write_time(path, failed);
  if (!failed && now - used > use_resolution) fs::last_write_time(path, now, failed);
}

struct KeptFile {
  fs::path path;
  std::uint64_t size = 0;
  fs::file_time_type used;
};

// The files of the cache. Removes abandoned files.
std::vector<KeptFile> kept_files(const std::string& folder) {
  std::vector<KeptFile> files;
  std::error_code failed;
  const auto now = fs::file_time_type::clock::now();
  for (auto entry = fs::directory_iterator(folder, failed); !failed && entry != fs::directory_iterator();
       entry.increment(failed)) {
    std::error_code gone;  // another process may be tidying up, too
    const KeptFile file{entry->path(), entry->file_size(gone), entry->last_write_time(gone)};
    if (gone) continue;
    if (file.path.extension() == cache_suffix) files.push_back(file);
    if (file.path.extension() == temporary_suffix && now - file.used > longest_writing) fs::remove(file.path, gone);
  }
  return files;
}

}  // namespace

std::optional<CacheKey> cache_key(const SymbolizeOptions& options, std::string_view kind, std::string_view name,
                                  std::string_view state) {
  const auto scope = options.cache ? scope_of(options.symfs) : std::nullopt;
  if (!scope) return std::nullopt;
  CacheKey key{.file_name = {}, .origin = fmt::format("perfsift {} {}{}{}", version(), kind, state, *scope)};
  key.file_name = fmt::format("{}.{}.{:016x}{}", name, kind, hash_of(key.origin), cache_suffix);
  return key;
}

std::optional<CacheKey> cache_key(const SymbolizeOptions& options, std::string_view kind,
                                  std::initializer_list<const ElfFile*> files) {
  if (!options.cache) return std::nullopt;
  std::string state;
  for (const ElfFile* file : files) {
    const auto words = words_of(file);
    if (!words) return std::nullopt;
    state += *words;
  }
  return cache_key(options, kind, (*files.begin())->build_id().hex(), state);
}

std::shared_ptr<const CacheFile> SymbolCache::find(const CacheKey& key) const {
  if (!folder_is_own()) return nullptr;
  const std::string path = folder_ + '/' + key.file_name;
  auto file = CacheFile::open(path, key.origin);
  if (file) note_use(path);
  return file;
}

void SymbolCache::write_later(CacheKey key, Write write) {
  const std::lock_guard lock(mutex_);
  later_.push_back({std::move(key), std::move(write)});
}

void SymbolCache::write_all() {
  std::vector<Later> now;
  {
    const std::lock_guard lock(mutex_);
    now = std::exchange(later_, {});
  }
  if (now.empty() || !make_folder()) return;
  bool grown = false;
  for (const Later& later : now) {
    CacheFileWriter writer(folder_ + '/' + later.key.file_name, later.key.origin, limit_);
    if (!later.write(writer)) continue;
    writer.commit();
    grown = true;
  }
  if (grown) evict();
}

// Only the owner may use the folder (the XDG base directory specification).
bool SymbolCache::make_folder() const {
  std::error_code failed;
  if (!fs::exists(folder_, failed)) {
    fs::create_directories(folder_, failed);
    fs::permissions(folder_, fs::perms::owner_all, failed);
  }
  return folder_is_own();
}

bool SymbolCache::folder_is_own() const {
  struct stat status;
  return stat(folder_.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_own_alone(status);
}

void SymbolCache::evict() const {
  std::vector<KeptFile> files = kept_files(folder_);
  std::uint64_t total = 0;
  for (const KeptFile& file : files) total += file.size;
  std::ranges::sort(files, {}, &KeptFile::used);
  for (const KeptFile& file : files) {
    if (total <= limit_) return;
    std::error_code ignored;
    fs::remove(file.path, ignored);
    total -= file.size;
  }
}

}  // namespace perfsift::symbolize
