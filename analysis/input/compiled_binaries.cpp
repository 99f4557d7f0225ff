#include "analysis/input/compiled_binaries.h"

#include "base/path.h"

namespace perfsift::analysis {

CompiledBinaries compiled_binaries(const reader::Recording& recording, symbolize::Symbolizer& symbolizer) {
  CompiledBinaries all;
  const auto binaries = recording.timeline().binaries();
  const auto packed = binaries.empty() ? nullptr : binaries.front().packed;
  for (const reader::BuildIdEntry& entry : recording.features().build_ids) {
    if (entry.mode != reader::CpuMode::user || entry.path.starts_with('[')) continue;
    const Binary binary{.path = entry.path, .build_id = entry.build_id, .packed = packed};
    const std::string& how = symbolizer.compiled_with(binary);
    if (!how.empty()) all.emplace(base_name(entry.path), how);
  }
  return all;
}

}  // namespace perfsift::analysis
