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

// The text of a file without white space at its end.
std::string text_of(const std::string& path);
// The number that a file begins with.
std::optional<std::uint64_t> number_of(const std::string& path, int base = 10);
// The names in a folder, sorted; without those that begin with a dot.
std::vector<std::string> names_in(const std::string& folder);
// The numbers N of all names `prefix`N in a folder, ascending: "node0", "node1", …
std::vector<std::uint32_t> numbered_in(const std::string& folder, std::string_view prefix);
// "0-2,5": 0, 1, 2, 5. Text that is no such list ends the list; at most 65,536 numbers.
std::vector<std::uint32_t> numbers_of_list(std::string_view list);
// The value of the first line "KEY : value" of a text such as /proc/cpuinfo, without white space around it.
std::string_view value_of(std::string_view text, std::string_view key);

// A decimal number that the whole text is; nothing for other texts.
std::optional<std::uint64_t> whole_number(std::string_view text);

}  // namespace perfsift::record
