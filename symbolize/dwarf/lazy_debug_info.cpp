#include "symbolize/dwarf/lazy_debug_info.h"

namespace perfsift::symbolize::dwarf {

// The file is opened anew: libelf's handles cannot be shared between threads.
const DebugInfo* LazyDebugInfo::open() const {
  std::call_once(opened_, [&] { info_ = DebugInfo::open(file_->open_again(), program_, options_); });
  return info_.get();
}

void LazyDebugInfo::append_frames(std::uint64_t offset, std::vector<SourceFrame>& frames) const {
  const DebugInfo* const info = open();
  const auto address = addresses_.code(offset);
  if (info != nullptr && address) info->append_frames(*address, frames);
}

std::optional<SourceVariable> LazyDebugInfo::find_variable(std::uint64_t offset) const {
  const DebugInfo* const info = open();
  const auto address = addresses_.data(offset);
  return info != nullptr && address ? info->find_variable(*address) : std::nullopt;
}

}  // namespace perfsift::symbolize::dwarf
