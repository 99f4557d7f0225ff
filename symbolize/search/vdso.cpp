#include "symbolize/search/vdso.h"

#include <cstring>

#include <fmt/format.h>

#include "base/text_scanner.h"
#include "symbolize/elf/build_id.h"
#include "symbolize/files/whole_file.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/used_files.h"
#include "symbolize/search/vmlinux.h"

namespace perfsift::symbolize {

std::shared_ptr<ElfFile> running_vdso() {
  const auto maps = read_whole_file("/proc/self/maps");
  if (!maps) return nullptr;
  for (std::string_view rest = *maps; !rest.empty();) {
    std::string_view line = take_line(rest);
    if (!line.ends_with(" [vdso]")) continue;
    const auto start = take_hex(line);
    line.remove_prefix(std::min<std::size_t>(line.size(), 1));  // the hyphen
    const auto end = take_hex(line);
    if (!start || !end || *end <= *start) return nullptr;
    const auto* image = reinterpret_cast<const std::byte*>(*start);
    return ElfFile::from_memory(std::vector<std::byte>(image, image + (*end - *start)), "[vdso]");
  }
  return nullptr;
}

namespace {

// See find_vdso().
std::shared_ptr<ElfFile> find_vdso_here(const Binary& binary, const SymbolizeOptions& options, Missing& why) {
  why = why_no_kernel(binary);
  auto running = running_vdso();
  if (binary.build_id.empty()) return binary.same_kernel ? running : nullptr;
  if (running && same_build(binary.build_id, running->build_id())) return running;

  const std::string cache = build_id_cache(options);
  const std::string id = binary.build_id.hex();
  const std::string entry = build_id_path(cache, binary.build_id);
  for (const std::string& path : {entry + "/vdso", fmt::format("{}/[vdso]/{}/vdso", cache, id), entry}) {
    Missing ignored;
    auto file = ElfFile::open(path, ignored);
    if (file && same_build(binary.build_id, file->build_id())) return file;
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<ElfFile> find_vdso(const Binary& binary, const SymbolizeOptions& options, Missing& why) {
  const std::string purpose = purpose_of(image_role, binary);
  std::shared_ptr<ElfFile> image = packed_elf(binary.packed, purpose);
  if (!image) image = find_vdso_here(binary, options, why);
  if (options.used) options.used->add(purpose, image);
  return image;
}

}  // namespace perfsift::symbolize
