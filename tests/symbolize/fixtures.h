// The ELF files that the build makes from fixtures/marked.c, and helpers to look up names in these files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/binary.h"
#include "symbolize/symbolizer.h"
#include "tests/support/temporary.h"

namespace perfsift::test {

inline std::string fixture(const std::string& name) { return PERFSIFT_SYMBOLIZE_FIXTURES "/" + name; }

// The offset of a text in a file.
inline std::uint64_t offset_of(const std::string& text, const std::string& path) {
  const std::size_t found = content_of(path).find(text);
  if (found == std::string::npos) throw std::runtime_error(text + " is not in " + path);
  return found;
}

inline BuildId build_id_of_hex(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return BuildId(bytes);
}

// The build id in readelf's output.
inline BuildId marked_build_id() {
  std::string hex = content_of(fixture("marked.id"));
  return build_id_of_hex(hex.substr(0, hex.find('\n')));
}

// Options that read no other file of this machine.
inline symbolize::SymbolizeOptions nowhere_else() {
  symbolize::SymbolizeOptions options;
  options.debug_dirs = {};
  options.build_id_dir = "/nonexistent";
  return options;
}

inline std::string name_at(const symbolize::SymbolFile& file, std::uint64_t offset) {
  const symbolize::Symbol* symbol = file.find(offset);
  return symbol == nullptr ? "" : std::string(symbol->name);
}

}  // namespace perfsift::test
