// A file of the symbol cache: numbered parts, each with its checksum.
//
//   header     magic, version, where the list of parts is; checksums of the header and of the list
//   part 0     what the file was made from, see CacheKey
//   part 1 …   the tables of this kind of file
//   list       of each part: where it is, its size, its checksum
//
// A file is written under another name, renamed, and never changed afterwards: processes that have mapped an older file
// go on with it. A part is checked when it is used, so that a few tables of a large file are cheap.
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

// Thread-safe. Results live as long as the object.
class CacheFile {
 public:
  // Raise the version whenever a table changes its layout, or its content for the same file.
  static constexpr std::uint32_t version = 4;

  struct Part {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  // 0: there is none
    std::uint64_t checksum = 0;
  };

  // nullptr if there is no such file, or if the file has another version, is damaged, was not made from `origin`, or
  // may have been written by users other than this one and root.
  static std::shared_ptr<const CacheFile> open(const std::string& path, std::string_view origin);

  std::size_t part_count() const { return parts_.size(); }
  // The part; empty if there is no such part, or if it is damaged. Starts at a multiple of eight.
  Bytes part(std::size_t number) const;
  // The part without a check, with the checksum that it should have: for copying.
  Bytes unchecked(std::size_t number) const;
  std::uint64_t checksum(std::size_t number) const { return parts_[number].checksum; }

 private:
  explicit CacheFile(std::shared_ptr<const MappedFile> file) : file_(std::move(file)) {}
  bool read_list();

  std::shared_ptr<const MappedFile> file_;
  std::span<const Part> parts_;
};

// Writes a CacheFile, part by part. After an error nothing is left of the file.
class CacheFileWriter {
 public:
  // The file is made, beside `path`, with the first part. A file larger than `limit` bytes is given up.
  CacheFileWriter(std::string path, std::string origin, std::uint64_t limit);
  ~CacheFileWriter();  // removes it unless it was committed
  CacheFileWriter(const CacheFileWriter&) = delete;
  CacheFileWriter& operator=(const CacheFileWriter&) = delete;

  void add(Bytes part);
  void add_unchanged(const CacheFile& from, std::size_t number);
  void add_missing();
  bool ok() const { return !failed_; }
  // Gives the file its name.
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

// The suffix of unfinished files of the cache.
inline constexpr std::string_view temporary_suffix = ".new";

}  // namespace perfsift::symbolize
