#include "symbolize/search/debug_files.h"

#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "base/path.h"
#include "symbolize/elf/build_id.h"
#include "symbolize/elf/debug_sections.h"
#include "symbolize/files/mapped_file.h"
#include "symbolize/search/live_process.h"
#include "symbolize/search/used_files.h"

namespace perfsift::symbolize {

namespace {

constexpr std::string_view deleted_suffix = " (deleted)";

// The path of the mapped file on this machine; empty if there cannot be one.
std::string path_here(const Binary& binary, const SymbolizeOptions& options) {
  std::string_view path = binary.path;
  if (path.ends_with(deleted_suffix)) {
    if (binary.build_id.empty()) return {};
    path.remove_suffix(deleted_suffix.size());
  }
  return path.empty() ? std::string() : options.symfs + std::string(path);
}

// Collects the found files, or the reason for finding none.
class Search {
 public:
  explicit Search(const BuildId& id) : id_(id) {}

  // Opens the file at `path`, unless the file has another build id.
  std::shared_ptr<ElfFile> open(const std::string& path, Missing& why) {
    auto file = ElfFile::open(path, why);
    if (!file || id_.empty() || same_build(id_, file->build_id())) return file;
    other_build_seen_ = true;
    return nullptr;
  }

  // Uses the file for any of the three files that is still missing. Whether all are found now.
  bool offer(const std::shared_ptr<ElfFile>& file) {
    if (file && !found_.runtime && file->has_contents()) found_.runtime = file;
    if (file && !found_.symbols && file->has_symtab()) found_.symbols = file;
    if (file && !found_.debug_info && has_debug_info(*file)) found_.debug_info = file;
    return complete();
  }
  bool try_path(const std::string& path) {
    Missing ignored;
    return offer(open(path, ignored));
  }
  bool complete() const { return found_.runtime && found_.symbols && found_.debug_info; }

  void set_id(const BuildId& id) { id_ = id; }
  bool other_build_seen() const { return other_build_seen_; }
  const FoundFiles& found() const { return found_; }

 private:
  BuildId id_;
  FoundFiles found_;
  bool other_build_seen_ = false;
};

// The mapped file; the path below the process's root is tried first.
std::shared_ptr<ElfFile> open_itself(Search& search, const Binary& binary, const SymbolizeOptions& options,
                                     Missing& why) {
  const std::string path = path_here(binary, options);
  if (path.empty()) return nullptr;
  if (const std::string root = foreign_root(binary, options); !root.empty()) {
    if (auto file = search.open(root + path, why)) return file;
  }
  return search.open(path, why);
}

std::vector<std::string> by_debug_link(const std::string& link, const Binary& binary, const SymbolizeOptions& options) {
  const std::string folder(folder_of(binary.path));
  const std::string beside = options.symfs + folder;
  std::vector<std::string> paths = {beside + link, fmt::format("{}.debug/{}", beside, link)};
  for (const std::string& debug : options.debug_dirs)
    paths.push_back(fmt::format("{}{}{}{}", options.symfs, debug, folder, link));
  return paths;
}

std::vector<std::string> by_path(const Binary& binary, const SymbolizeOptions& options) {
  std::vector<std::string> paths;
  if (binary.path.ends_with(deleted_suffix)) return paths;
  for (const std::string& debug : options.debug_dirs) {
    paths.push_back(options.symfs + debug + binary.path + ".debug");
    paths.push_back(options.symfs + debug + binary.path);
  }
  return paths;
}

// Whether a debug file without a build id has the checksum that the debug link holds.
bool has_crc(const std::string& path, std::uint32_t expected) {
  const auto file = MappedFile::open(path);
  if (!file) return false;
  const Bytes content = file->bytes();
  return crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()) == expected;
}

// Whether the file is known not to be the recorded one, of which there is no build id.
bool is_another_file(const ElfFile& file, const RecordedFile& recorded, const SymbolizeOptions& options) {
  const auto& here = file.stamp();
  // perf 6.1 takes the file at the path.
  if (!here || options.force || options.aliases_as_perf_6_1) return false;
  if (here->size < recorded.least_size) return true;
  const FileIdentity& identity = recorded.identity;
  if (!options.symfs.empty()) return false;
  const bool same_inodes = has_recorded_inode(file.path());
  if (same_inodes && identity.inode != 0 && here->inode != identity.inode) return true;
  if (recorded.recorded_seconds != 0 && here->written_ns / 1'000'000'000 > recorded.recorded_seconds) return true;
  // perf writes 0 for files that were mapped before it began to record.
  const auto generation = same_inodes && identity.inode_generation != 0 ? inode_generation(file.path()) : std::nullopt;
  return generation && *generation != identity.inode_generation;
}

// Goes through all places until all three files are found.
void search_everywhere(Search& search, const std::shared_ptr<ElfFile>& itself, const BuildId& id, const Binary& binary,
                       const SymbolizeOptions& options) {
  for (const std::string& path : paths_of_build_id(id, options))
    if (search.try_path(path)) return;
  if (const auto link = itself ? itself->debug_link() : std::nullopt) {
    for (const std::string& path : by_debug_link(link->name, binary, options))
      if (path != itself->path() && (!id.empty() || has_crc(path, link->crc)) && search.try_path(path)) return;
  }
  for (const std::string& path : by_path(binary, options))
    if (search.try_path(path)) return;
  search.offer(itself);
}

// The files that came with a packed recording, as they were used where it was packed. Files of this machine are not
// mixed with them, apart from those that were fetched because they are missing. Nothing: the recording came without
// any.
std::optional<FoundFiles> packed_files(const Binary& binary, const SymbolizeOptions& options) {
  Search search(binary.build_id);
  bool any = false;
  for (const std::string_view role : {runtime_role, symbols_role, debug_info_role}) {
    const auto file = packed_elf(binary.packed, purpose_of(role, binary));
    any = any || file != nullptr;
    search.offer(file);
  }
  if (!any) return std::nullopt;
  const auto [first, last] = options.fetched.equal_range(binary.build_id);
  for (auto fetched = first; fetched != last && !search.complete(); ++fetched) search.try_path(fetched->second);
  return search.found();
}

FoundFiles find_files_here(const Binary& binary, const SymbolizeOptions& options) {
  Search search(binary.build_id);
  Missing why = Missing::file_missing;
  const auto itself = open_itself(search, binary, options, why);
  if (itself && binary.build_id.empty() && is_another_file(*itself, binary.file, options))
    return {.runtime = {}, .symbols = {}, .debug_info = {}, .missing = Missing::file_differs};
  // The file's own id counts, as debug files are stored under it: a recorded id may be padded or missing.
  const BuildId id = itself ? itself->build_id() : binary.build_id;
  search.set_id(id);
  search_everywhere(search, itself, id, binary, options);

  FoundFiles found = search.found();
  if (!found.runtime) found.missing = search.other_build_seen() ? Missing::build_id_differs : why;
  return found;
}

}  // namespace

std::string build_id_cache(const SymbolizeOptions& options) {
  if (!options.build_id_dir.empty()) return options.build_id_dir;
  if (!options.symfs.empty()) return options.symfs + "/.debug";  // symbol__config_symfs() in perf
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? std::string() : std::string(home) + "/.debug";
}

std::string build_id_path(const std::string& folder, const BuildId& id) {
  const std::string hex = id.hex();
  return folder + "/.build-id/" + hex.substr(0, 2) + "/" + hex.substr(2);
}

std::vector<std::string> paths_of_build_id(const BuildId& id, const SymbolizeOptions& options) {
  std::vector<std::string> paths;
  if (id.empty()) return paths;
  if (const std::string cache = build_id_cache(options); !cache.empty()) {
    const std::string entry = build_id_path(cache, id);
    paths.push_back(entry + "/elf");
    paths.push_back(entry + "/debug");
    paths.push_back(entry);  // caches of old perf versions: a link to the file
  }
  for (const std::string& folder : options.debug_dirs)
    paths.push_back(build_id_path(options.symfs + folder, id) + ".debug");
  const auto [first, last] = options.fetched.equal_range(id);
  for (auto fetched = first; fetched != last; ++fetched) paths.push_back(fetched->second);
  return paths;
}

FoundFiles find_files(const Binary& binary, const SymbolizeOptions& options) {
  auto packed = packed_files(binary, options);
  FoundFiles found = packed ? std::move(*packed) : find_files_here(binary, options);
  if (options.used) {
    const auto note = [&](std::string_view role, const std::shared_ptr<ElfFile>& file) {
      options.used->add(purpose_of(role, binary), file, file == found.runtime ? binary.path : std::string());
    };
    note(runtime_role, found.runtime);
    note(symbols_role, found.symbols);
    note(debug_info_role, found.debug_info);
  }
  return found;
}

}  // namespace perfsift::symbolize
