// A file of the symbol cache: numbered parts, each with its checksum.
//
//   header     magic, version, where the list of parts is; checksums of the header and of the list
//   part 0     what the file was made from, see CacheKey
//   part 1 …   tables, whatever the kind of the file has
//   list       of each part: where it is, its size, its checksum
//
// A file is written beside its place and then renamed to it, and never changed after: who has mapped it goes on with
// what it has. A part is checked when it is asked for, so that a few tables of a large file cost no more than a few
// tables.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "base/owned.h"
#include "symbolize/files/mapped_file.h"

namespace perfsift::symbolize {

// Safe to share between threads. What it hands out lives as long as it does.
class CacheFile {
 public:
  // To be raised whenever a table of any kind looks different, or says something different of the same file.
  static constexpr std::uint32_t version = 3;

  struct Part {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  // 0: there is none
    std::uint64_t checksum = 0;
  };

  // nullptr when there is none, or it is of another version, damaged, or made from something else than `origin` says;
  // and when others than the user and root may have written it.
  static std::shared_ptr<const CacheFile> open(const std::string& path, std::string_view origin);

  std::size_t part_count() const { return parts_.size(); }
  // Empty when there is no such part, or it is damaged. Starts at a multiple of eight.
  Bytes part(std::size_t number) const;
  // The same unchecked, with the checksum that it should have: to be copied as it is.
  Bytes unchecked(std::size_t number) const;
  std::uint64_t checksum(std::size_t number) const { return parts_[number].checksum; }

 private:
  explicit CacheFile(std::shared_ptr<const MappedFile> file) : file_(std::move(file)) {}
  bool read_list();

  std::shared_ptr<const MappedFile> file_;
  std::span<const Part> parts_;
};

// Writes such a file, part by part. Errors are remembered, and then nothing is left of the file.
class CacheFileWriter {
 public:
  // Makes a file beside `path` once there is something to write. One that becomes larger than `limit` bytes is given
  // up.
  CacheFileWriter(std::string path, std::string origin, std::uint64_t limit);
  ~CacheFileWriter();  // removes it unless it was committed
  CacheFileWriter(const CacheFileWriter&) = delete;
  CacheFileWriter& operator=(const CacheFileWriter&) = delete;

  void add(Bytes part);
  void add_unchanged(const CacheFile& from, std::size_t number);
  void add_missing();
  bool ok() const { return !failed_; }
  // Puts the file into its place.
  void commit();

 private:
  using File = Owned<std::FILE, std::fclose>;

  void open();
  void write_start();
  void append(Bytes part, std::uint64_t checksum);
  void write(Bytes bytes);
  void give_up();

  const std::string path_, origin_;
  std::string temporary_;  // empty: there is none
  std::uint64_t limit_;
  std::uint64_t size_ = 0;
  File file_;
  bool failed_ = false;
  std::vector<CacheFile::Part> parts_;
};

// What files of the cache that are not in their place yet are called.
inline constexpr std::string_view temporary_suffix = ".new";

}  // namespace perfsift::symbolize
