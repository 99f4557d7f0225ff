#pragma once

#include <filesystem>

namespace perfsift::test {

// Whether qemu runs this program for another processor. qemu answers for /proc/self itself, but not for this path.
inline bool emulated() {
  std::error_code missing;
  const auto kernel_says = std::filesystem::read_symlink("/proc/thread-self/exe", missing);
  return !missing && kernel_says != std::filesystem::read_symlink("/proc/self/exe", missing);
}

}  // namespace perfsift::test
