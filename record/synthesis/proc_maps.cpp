#include "record/synthesis/proc_maps.h"

#include <algorithm>

#include <sys/mman.h>

#include "base/number_in.h"
#include "base/text_scanner.h"

namespace perfsift::record {

namespace {

bool take(std::string_view& text, char expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(1);
  return true;
}

// A hexadecimal number and the character behind it.
bool take_field(std::string_view& text, std::uint64_t& number, char end) {
  const auto value = take_hex(text);
  number = value.value_or(0);
  return value && take(text, end);
}

// "r-xp ".
bool take_permissions(std::string_view& text, ProcMapping& mapping) {
  constexpr std::size_t size = 5;
  if (text.size() < size || text[size - 1] != ' ') return false;
  if (text[0] == 'r') mapping.protection |= PROT_READ;
  if (text[1] == 'w') mapping.protection |= PROT_WRITE;
  if (text[2] == 'x') mapping.protection |= PROT_EXEC;
  mapping.flags = text[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
  text.remove_prefix(size);
  return true;
}

}  // namespace

std::optional<ProcMapping> parse_mapping(std::string_view line) {
  ProcMapping mapping;
  std::uint64_t major = 0, minor = 0;
  const bool whole = take_field(line, mapping.start, '-') && take_field(line, mapping.end, ' ') &&
                     take_permissions(line, mapping) && take_field(line, mapping.offset, ' ') &&
                     take_field(line, major, ':') && take_field(line, minor, ' ');
  const auto inode = whole ? take_number<std::uint64_t>(line) : std::nullopt;
  if (!inode || mapping.end < mapping.start) return std::nullopt;
  mapping.inode = *inode;
  mapping.device_major = static_cast<std::uint32_t>(major);
  mapping.device_minor = static_cast<std::uint32_t>(minor);
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
  mapping.path = line;
  return mapping;
}

std::string recorded_name(std::string_view path) {
  if (path.empty() || path.starts_with("[anon:") || path.starts_with("[anon_shmem:")) return "//anon";
  constexpr std::string_view newline = "\\012";
  std::string name;
  for (std::size_t escape; (escape = path.find(newline)) != std::string_view::npos;) {
    name.append(path.substr(0, escape)).append("\n");
    path.remove_prefix(escape + newline.size());
  }
  return name.append(path);
}

}  // namespace perfsift::record
