// The seeds of a fuzz target: files in a folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include <zlib.h>

#include "base/byte_reader.h"

namespace perfsift::test {

namespace fs = std::filesystem;

class Corpus {
 public:
  Corpus(const fs::path& root, const std::string& target) : folder_(root / target) { fs::create_directories(folder_); }

  void add(const std::string& name, std::string_view content) const {
    std::ofstream file(folder_ / name, std::ios::binary);
    if (!file.write(content.data(), static_cast<std::streamsize>(content.size()))) {
      throw std::runtime_error((folder_ / name).string() + ": cannot write");
    }
  }
  void add(const std::string& name, Bytes content) const {
    add(name, std::string_view(reinterpret_cast<const char*>(content.data()), content.size()));
  }

 private:
  fs::path folder_;
};

inline std::string content_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string unpacked(const fs::path& path) {
  std::string content(std::size_t{1} << 20, '\0');
  const gzFile file = gzopen(path.c_str(), "rb");
  content.resize(static_cast<std::size_t>(gzread(file, content.data(), static_cast<unsigned>(content.size()))));
  gzclose(file);
  return content;
}

}  // namespace perfsift::test
