// Names for addresses of this process: the dynamic linker knows which file is loaded where.
#include <climits>
#include <optional>
#include <string>

#include <link.h>
#include <perfsift/sampling.h>
#include <unistd.h>

#include "analysis/samples/frame_table.h"
#include "library/access.h"
#include "library/symbolizer_state.h"
#include "library/translated.h"

namespace perfsift::v0 {
namespace detail {
namespace {

struct LoadedFile {
  std::string path;
  std::uint64_t address = 0;  // as the file has it
};

bool is_in_segment(const dl_phdr_info& object, std::uint64_t address) {
  for (std::size_t i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    const std::uint64_t start = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= start && address - start < segment.p_memsz) return true;
  }
  return false;
}

std::string path_of_program() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string("/proc/self/exe");
}

// The program itself has no name in the list of the dynamic linker.
std::optional<LoadedFile> loaded_at(std::uint64_t address) {
  struct Search {
    std::uint64_t address;
    std::optional<LoadedFile> found;
  } search{address, std::nullopt};
  const auto visit = [](dl_phdr_info* object, std::size_t, void* data) {
    Search& wanted = *static_cast<Search*>(data);
    if (!is_in_segment(*object, wanted.address)) return 0;
    const std::string path = object->dlpi_name;
    wanted.found = {path.empty() ? path_of_program() : path, wanted.address - object->dlpi_addr};
    return 1;
  };
  dl_iterate_phdr(visit, &search);
  return search.found;
}

// The vDSO is a file of no file system.
std::vector<Frame> frames_of_file(const Symbolizer& symbolizer, const LoadedFile& file, Demangling demangling) {
  try {
    return symbolizer.frames(file.path, file.address, demangling);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::input) throw;
    return {};
  }
}

Frame unnamed_frame(SymbolizerState& names, const std::string& binary, std::uint64_t address, FrameKind kind) {
  Frame frame{.binary = names.keep(binary), .address = address};
  frame.kind = kind;
  frame.function = names.keep(analysis::unnamed_text(binary.empty() ? "unknown" : binary, std::nullopt));
  return frame;
}

}  // namespace
}  // namespace detail

std::vector<Frame> frames_of_this_process(const Symbolizer& symbolizer, const Address& address, Demangling demangling) {
  return detail::translated([&] {
    detail::SymbolizerState& names = *detail::Access::of(symbolizer);
    const bool is_user = address.mode == CpuMode::user || address.mode == CpuMode::unknown;
    if (!is_user) return std::vector{detail::unnamed_frame(names, "[kernel]", address.ip, FrameKind::kernel)};
    // The call is the instruction before its return address.
    const std::uint64_t instruction = address.ip - (address.return_address && address.ip != 0 ? 1 : 0);
    const auto file = detail::loaded_at(instruction);
    if (!file) return std::vector{detail::unnamed_frame(names, "", instruction, FrameKind::user)};
    std::vector<Frame> frames = detail::frames_of_file(symbolizer, *file, demangling);
    if (frames.empty()) frames = {detail::unnamed_frame(names, file->path, file->address, FrameKind::user)};
    return frames;
  });
}

}  // namespace perfsift::v0
