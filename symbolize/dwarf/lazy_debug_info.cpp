#include "symbolize/dwarf/lazy_debug_info.h"

namespace perfsift::symbolize::dwarf {

// The file is opened anew: libelf's handles cannot be shared between threads.
void LazyDebugInfo::append_frames(std::uint64_t offset, std::vector<SourceFrame>& frames) const {
  std::call_once(opened_, [&] {
    Missing ignored;
    info_ = DebugInfo::open(ElfFile::open(path_, ignored), program_, options_);
  });
  const auto address = address_of_(offset);
  if (info_ && address) info_->append_frames(*address, frames);
}

}  // namespace perfsift::symbolize::dwarf
