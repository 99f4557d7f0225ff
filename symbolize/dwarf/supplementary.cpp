#include "symbolize/dwarf/supplementary.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/path.h"
#include "symbolize/dwarf/dwarf_reader.h"
#include "symbolize/elf/debug_sections.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/used_files.h"

namespace perfsift::symbolize::dwarf {

namespace {

struct SupplementaryLink {
  std::string name;
  Bytes checksum;  // in .gnu_debugaltlink the build id
  bool is_build_id = true;
};

// .debug_sup stands in both files; `supplementary` says which of the two `file` is.
std::optional<SupplementaryLink> read_debug_sup(const ElfFile& file, bool supplementary) {
  const auto* section = file.section(".debug_sup");
  if (section == nullptr) return std::nullopt;
  DwarfReader in(file.bytes(*section), file.byte_order());
  const std::uint16_t version = in.u16();
  const bool is_supplementary = in.u8() != 0;
  SupplementaryLink link{.name = std::string(in.cstring()), .is_build_id = false};
  link.checksum = in.bytes(in.uleb128());
  const bool fits = in.ok() && version >= 2 && version <= 5 && is_supplementary == supplementary;
  return fits ? std::optional(link) : std::nullopt;
}

std::optional<SupplementaryLink> read_link(const ElfFile& file) {
  const auto* section = file.section(".gnu_debugaltlink");
  if (section == nullptr) return read_debug_sup(file, false);
  ByteReader in(file.bytes(*section));
  SupplementaryLink link{.name = std::string(in.cstring())};
  link.checksum = in.rest();
  return in.ok() && !link.name.empty() && !link.checksum.empty() ? std::optional(link) : std::nullopt;
}

bool is_named_by(const ElfFile& candidate, const SupplementaryLink& link) {
  if (link.is_build_id) return candidate.build_id() == BuildId(link.checksum);
  const auto own = read_debug_sup(candidate, true);
  return own && std::ranges::equal(own->checksum, link.checksum);
}

std::vector<std::string> places(const ElfFile& file, const SupplementaryLink& link, const SymbolizeOptions& options) {
  std::vector<std::string> paths;
  const std::string folder(link.name.starts_with('/') ? options.symfs : folder_of(file.path()));
  paths.push_back(folder + link.name);
  for (const std::string& debug : options.debug_dirs) {
    if (link.is_build_id) paths.push_back(build_id_path(options.symfs + debug, BuildId(link.checksum)) + ".debug");
    paths.push_back(options.symfs + debug + "/.dwz/" + std::string(base_name(link.name)));
  }
  return paths;
}

std::shared_ptr<ElfFile> find_here(const ElfFile& file, const SupplementaryLink& link,
                                   const SymbolizeOptions& options) {
  for (const std::string& path : places(file, link, options)) {
    Missing ignored;
    auto candidate = ElfFile::open(path, ignored);
    if (candidate && is_named_by(*candidate, link)) return candidate;
  }
  return nullptr;
}

std::string hex_digits(Bytes bytes) {
  std::string digits;
  for (const std::byte byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return digits;
}

}  // namespace

std::shared_ptr<ElfFile> find_supplementary(const ElfFile& file, const SymbolizeOptions& options) {
  const auto link = read_link(file);
  if (!link) return nullptr;
  const std::string purpose = purpose_of(supplementary_role, hex_digits(link->checksum));
  std::shared_ptr<ElfFile> found = packed_elf(file.packed(), purpose);
  if (!found) found = find_here(file, *link, options);
  if (options.used) options.used->add(purpose, found);
  return found;
}

}  // namespace perfsift::symbolize::dwarf
