#include "analysis/samples/frame_table.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/path.h"
#include "base/printable.h"

namespace perfsift::analysis {

FrameId FrameTable::intern(std::string_view text) {
  const std::lock_guard lock(mutex_);
  return intern_text(text);
}

FrameId FrameTable::intern(std::string_view text, const FrameOrigin& origin) {
  const std::lock_guard lock(mutex_);
  const FrameId plain = intern_text(text);
  if (origin == FrameOrigin()) return plain;
  const Frame frame{.text = frames_[plain].text, .origin = origin, .plain = plain};
  const auto [known, is_new] = with_origins_.try_emplace(frame, static_cast<FrameId>(frames_.size()));
  if (is_new) frames_.push_back(frame);
  return known->second;
}

FrameId FrameTable::intern_from(const FrameTable& other, FrameId frame) {
  FrameOrigin origin = other.origin(frame);
  if (origin.binary != FrameOrigin::none) origin.binary = binary(other.binaries()[origin.binary]);
  if (origin.file != FrameOrigin::none) origin.file = file(other.files()[origin.file]);
  return intern(other.text(frame), origin);
}

FrameId FrameTable::intern_text(std::string_view text) {
  if (const auto found = plain_.find(text); found != plain_.end()) return found->second;
  const auto id = static_cast<FrameId>(frames_.size());
  frames_.push_back({.text = texts_.emplace_back(text), .origin = {}, .plain = id});
  plain_.emplace(frames_.back().text, id);
  return id;
}

std::uint32_t FrameTable::binary(const FrameBinary& binary) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = binary_numbers_.try_emplace(binary, static_cast<std::uint32_t>(binaries_.size()));
  if (is_new) binaries_.push_back(binary);
  return known->second;
}

std::uint32_t FrameTable::file(std::string_view path) {
  const std::lock_guard lock(mutex_);
  if (const auto known = file_numbers_.find(path); known != file_numbers_.end()) return known->second;
  files_.emplace_back(path);
  return file_numbers_.emplace(path, static_cast<std::uint32_t>(files_.size() - 1)).first->second;
}

std::string_view FrameTable::binary_of(FrameId frame) const {
  const std::uint32_t binary = origin(frame).binary;
  return binary != FrameOrigin::none ? std::string_view(binaries_[binary].path) : std::string_view();
}

std::string_view FrameTable::file_of(FrameId frame) const {
  const std::uint32_t file = origin(frame).file;
  return file != FrameOrigin::none ? std::string_view(files_[file]) : std::string_view();
}

int FrameTable::compare(FrameId a, FrameId b) const {
  if (a == b) return 0;
  if (text(a).data() != text(b).data()) return text(a).compare(text(b));
  const FrameOrigin& left = origin(a);
  const FrameOrigin& right = origin(b);
  const auto function = [](const FrameOrigin& of) {
    return std::tuple(of.kind, of.inlined, of.unnamed, of.binary != FrameOrigin::none);
  };
  if (function(left) != function(right)) return function(left) < function(right) ? -1 : 1;
  if (left.binary != right.binary && left.kind != FrameKind::jit) {
    if (const int order = base_name(binary_of(a)).compare(base_name(binary_of(b))); order != 0) return order;
  }
  const auto place = [](const FrameOrigin& of) {
    return std::tuple(of.line, of.address, of.file != FrameOrigin::none);
  };
  if (place(left) != place(right)) return place(left) < place(right) ? -1 : 1;
  if (const int order = file_of(a).compare(file_of(b)); order != 0) return order;
  if (left.binary == right.binary) return 0;
  return binaries_[left.binary] < binaries_[right.binary] ? -1 : 1;
}

bool FrameTable::same_function(FrameId a, FrameId b) const {
  const FrameOrigin& left = origin(a);
  const FrameOrigin& right = origin(b);
  return text(a).data() == text(b).data() && left.kind == right.kind && left.inlined == right.inlined &&
         left.unnamed == right.unnamed &&
         (left.binary == right.binary || left.kind == FrameKind::jit ||
          base_name(binary_of(a)) == base_name(binary_of(b)));
}

std::size_t FrameTable::Hash::operator()(const Frame& frame) const {
  const FrameOrigin& origin = frame.origin;
  const std::uint64_t flags = static_cast<std::uint64_t>(origin.kind) << 2 |
                              static_cast<std::uint64_t>(origin.inlined) << 1 |
                              static_cast<std::uint64_t>(origin.unnamed);
  // Equal texts have equal addresses.
  const std::uint64_t what = mix(reinterpret_cast<std::uintptr_t>(frame.text.data()) ^ flags, origin.address ^ odd_1);
  return mix(what ^ (std::uint64_t{origin.binary} << 32 | origin.line), origin.file ^ odd_2);
}

std::string unnamed_text(std::string_view path, std::optional<std::uint64_t> offset) {
  std::string_view name = base_name(path);
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  return offset ? fmt::format("[{}+{:#x}]", name, *offset) : fmt::format("[{}]", name);
}

std::string foldable(std::string_view text) {
  std::string result = printable(text);
  std::ranges::replace(result, ';', ':');

  const std::size_t last = result.find_last_not_of("0123456789.");
  const bool ends_in_number = last != std::string::npos && last + 1 < result.size();
  if (ends_in_number && result[last] == ' ') result[last] = '_';
  return result;
}

}  // namespace perfsift::analysis
