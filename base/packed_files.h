// The files that travel in a packed recording, for the addresses of the recording: see reader/packed/manifest.h.
//
// A Binary of a packed recording leads to them, so that the symbolizer finds them wherever the recording is opened.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace perfsift {

// A file, or as much of it as was packed.
struct PackedFile {
  std::string path;                  // on the machine that packed the file
  std::span<const std::byte> bytes;  // live as long as the PackedFiles
};

// Immutable, so thread-safe.
class PackedFiles {
 public:
  virtual ~PackedFiles() = default;

  // The file that the machine that packed it used for a purpose (symbolize/search/used_files.h); nullptr: none.
  virtual const PackedFile* find(std::string_view purpose) const = 0;
  // Why that machine had no file for a purpose, as it was noted when the recording was packed; empty: not noted.
  virtual std::string_view why_missing(std::string_view purpose) const = 0;
};

}  // namespace perfsift
