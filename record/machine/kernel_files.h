// Small files and folders of /proc and /sys. What cannot be read is empty: an older kernel, a container or missing
// privileges leave out many of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::record {

// The roots of the kernel's file systems. Tests give trees of their own.
struct KernelRoots {
  std::string proc = "/proc";
  std::string sysfs = "/sys";
};

// The text of a file without white space at its end. Nothing: the file cannot be read.
std::optional<std::string> read_text(const std::string& path);
// The same text, empty if the file cannot be read.
std::string text_of(const std::string& path);
// The number that a file begins with.
std::optional<std::uint64_t> number_of(const std::string& path, int base = 10);
// The names in a folder, sorted; without those that begin with a dot.
std::vector<std::string> names_in(const std::string& folder);
// The numbers N of all names `prefix`N in a folder, ascending: "node0", "node1", …
std::vector<std::uint32_t> numbered_in(const std::string& folder, std::string_view prefix);
// The value of the first line "KEY : value" of a text such as /proc/cpuinfo, without white space around it.
std::string_view value_of(std::string_view text, std::string_view key);

}  // namespace perfsift::record
