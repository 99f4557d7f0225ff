#include "analysis/samples/stack_options.h"

#include <fmt/format.h>

namespace perfsift::analysis {

std::string thread_frame(std::string_view comm, std::optional<std::int32_t> pid, std::int32_t tid,
                         const StackOptions& options) {
  const std::string process = pid ? fmt::format("{}", *pid) : "?";
  if (options.tid) return foldable(fmt::format("{}-{}/{}", comm, process, tid));
  if (options.pid) return foldable(fmt::format("{}-{}", comm, process));
  return foldable(comm);
}
}  // namespace perfsift::analysis
