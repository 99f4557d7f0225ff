#include "base/binary.h"

#include <algorithm>
#include <vector>

#include "base/number_in.h"
#include "base/path.h"

namespace perfsift {

std::string BuildId::hex() const {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(std::size_t{size} * 2);
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte = std::to_integer<unsigned>(bytes[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

BuildId BuildId::from_hex(std::string_view hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const auto value = number_in<std::uint8_t>(hex.substr(i, 2), 16);
    if (!value) return {};
    bytes.push_back(static_cast<std::byte>(*value));
  }
  return BuildId(bytes);
}

namespace {

// "[ext4]" of "/lib/modules/…/ext4.ko" (dso__set_module_info()).
std::string module_name(const std::string& path) {
  if (path.starts_with('[')) return path;
  std::string name(base_name(path));
  name.resize(std::min(name.size(), name.find(".ko")));
  std::ranges::replace(name, '-', '_');
  return "[" + name + "]";
}

}  // namespace

std::string printed_binary_name(const Binary& binary) {
  if (!binary.listed_path.empty()) return binary.listed_path;
  return binary.kind == BinaryKind::kernel_module ? module_name(binary.path) : binary.path;
}

std::string reported_binary_name(const Binary& binary) {
  return binary.kind == BinaryKind::kernel_module ? module_name(binary.path) : printed_binary_name(binary);
}

std::string short_binary_name(const Binary& binary) {
  if (binary.kind == BinaryKind::kernel_module) return module_name(binary.path);
  const std::string path = printed_binary_name(binary);
  if (binary.kind == BinaryKind::kernel && path.find("vmlinux") != std::string::npos) return "[kernel.vmlinux]";
  if (is_perf_map(path)) return "[JIT] tid " + std::to_string(binary.pid);
  return std::string(base_name(path));
}

}  // namespace perfsift
