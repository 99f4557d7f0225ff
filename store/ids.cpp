#include "store/ids.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace perfsift::store {
namespace {

using analysis::FrameKind;

constexpr std::pair<FrameKind, std::string_view> kinds[] = {
    {FrameKind::other, "other"},   {FrameKind::event, "event"}, {FrameKind::cgroup, "cgroup"},
    {FrameKind::thread, "thread"}, {FrameKind::user, "user"},   {FrameKind::kernel, "kernel"},
    {FrameKind::jit, "jit"}};

}  // namespace

std::string_view word_of(FrameKind kind) {
  const auto* const known = std::ranges::find(kinds, kind, &std::pair<FrameKind, std::string_view>::first);
  return known != std::end(kinds) ? known->second : "other";
}

FrameKind kind_of(std::string_view word) {
  const auto* const known = std::ranges::find(kinds, word, &std::pair<FrameKind, std::string_view>::second);
  return known != std::end(kinds) ? known->first : FrameKind::other;
}

Hash128 id_of(const StoredFunction& function) {
  SipHash hash(key_of_ids);
  hash.take(function.name);
  hash.take(word_of(function.kind));
  hash.take(std::uint64_t{function.inlined} | std::uint64_t{function.unnamed} << 1);
  hash.take(function.marks);
  hash.take(function.binary);
  hash.take(function.build_id);
  hash.take(function.file);
  hash.take(function.line);
  return hash.finish();
}

}  // namespace perfsift::store
