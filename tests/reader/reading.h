// Reads a recording in memory in any of the possible ways, and stores the data that visitors receive.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <sys/mman.h>

#include "tests/support/instrumented.h"
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size) (static_cast<void>(start), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) (static_cast<void>(start), static_cast<void>(size))
#endif

#include "reader/mapped_recording.h"
#include "reader/streamed_recording.h"

namespace perfsift::test {

// The records and samples that a visit in order has received.
class Seen : public reader::OrderedVisitor {
 public:
  struct OneSample {
    std::uint64_t time = 0, ip = 0, period = 0;
    std::uint32_t event = 0;
    std::int32_t tid = 0;
    std::vector<std::uint64_t> callchain;
    bool operator==(const OneSample&) const = default;
  };
  std::vector<OneSample> samples;
  // The times of samples and of the kernel's other records, in the order of delivery.
  std::vector<std::uint64_t> times;
  std::vector<reader::RecordType> records;
  reader::ReadStats stats;
  std::vector<std::string> events;

  void sample(const reader::Sample& s) override {
    times.push_back(s.time);
    samples.push_back({.time = s.time,
                       .ip = s.ip,
                       .period = s.period,
                       .event = s.event->index,
                       .tid = s.tid,
                       .callchain = {s.callchain.begin(), s.callchain.end()}});
  }
  void record(const reader::Record& r, const reader::SampleId& id, reader::Moment) override {
    records.push_back(r.header.type);
    if (static_cast<std::uint32_t>(r.header.type) < reader::first_user_record) times.push_back(id.time);
  }
  void finish(const reader::Recording& recording) {
    stats = recording.stats();
    for (const auto& event : recording.events()) events.push_back(event->name);
  }
  std::uint64_t damaged_bytes() const {
    std::uint64_t bytes = 0;
    for (const reader::Damage& damage : stats.damage) bytes += damage.bytes;
    return bytes;
  }
};

// A copy of bytes as a mapped file. Under AddressSanitizer the memory behind the copy must not be used.
class MappedCopy {
 public:
  explicit MappedCopy(Bytes bytes) : size_(bytes.size()), room_((size_ + 4095) / 4096 * 4096) {
    if (size_ == 0) return;
    start_ = static_cast<std::byte*>(mmap(nullptr, room_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::memcpy(start_, bytes.data(), size_);
    ASAN_POISON_MEMORY_REGION(start_ + size_, room_ - size_);
  }
  MappedCopy(const MappedCopy&) = delete;
  MappedCopy& operator=(const MappedCopy&) = delete;
  // Must be called before the Recording that owns the mapping is destroyed.
  ~MappedCopy() { ASAN_UNPOISON_MEMORY_REGION(start_, room_); }

  reader::Mapped take() { return {start_, size_}; }

 private:
  std::byte* start_ = nullptr;
  std::size_t size_, room_;
};

// A recording in memory, opened as a file or as the files of a directory.
class FileInMemory {
 public:
  explicit FileInMemory(const std::vector<std::vector<std::byte>>& files, const reader::OpenOptions& options = {}) {
    std::vector<reader::MappedRecording::Part> parts;
    for (const auto& file : files) {
      copies_.push_back(std::make_unique<MappedCopy>(file));
      parts.push_back({.name = "file" + std::to_string(parts.size()), .file = copies_.back()->take(), .damage = {}});
    }
    try {
      recording_ = std::make_unique<reader::MappedRecording>("memory", std::move(parts), options);
    } catch (...) {
      copies_.clear();
      throw;
    }
  }
  explicit FileInMemory(const std::vector<std::byte>& file, const reader::OpenOptions& options = {})
      : FileInMemory(std::vector<std::vector<std::byte>>{file}, options) {}
  ~FileInMemory() { copies_.clear(); }

  reader::Recording& operator*() const { return *recording_; }
  reader::Recording* operator->() const { return recording_.get(); }

 private:
  std::unique_ptr<reader::MappedRecording> recording_;
  std::vector<std::unique_ptr<MappedCopy>> copies_;
};

// Returns bytes in pieces of at most `piece` bytes.
class BytesInMemory : public reader::ByteSource {
 public:
  explicit BytesInMemory(Bytes bytes, std::size_t piece = ~std::size_t{0}) : bytes_(bytes), piece_(piece) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t size = std::min({piece_, bytes_.size(), out.size()});
    if (size != 0) std::memcpy(out.data(), bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    return size;
  }

 private:
  Bytes bytes_;
  std::size_t piece_;
};

// A recording in pipe form, read as from a pipe, `piece` bytes at a time. `bytes` must outlive the recording.
inline std::unique_ptr<reader::Recording> stream_in_memory(Bytes bytes, std::size_t piece = ~std::size_t{0},
                                                           const reader::OpenOptions& options = {}) {
  reader::InputFile input{.path = "memory"};
  input.source = std::make_unique<BytesInMemory>(bytes, piece);
  return std::make_unique<reader::StreamedRecording>(std::move(input), options);
}

inline Seen see(reader::Recording& recording) {
  Seen seen;
  recording.visit_in_order(seen);
  seen.finish(recording);
  return seen;
}
inline Seen read_file(const std::vector<std::byte>& bytes) { return see(*FileInMemory(bytes)); }
inline Seen read_directory(const std::vector<std::vector<std::byte>>& files) { return see(*FileInMemory(files)); }
inline Seen read_stream(const std::vector<std::byte>& bytes, std::size_t piece = ~std::size_t{0}) {
  return see(*stream_in_memory(bytes, piece));
}

}  // namespace perfsift::test
