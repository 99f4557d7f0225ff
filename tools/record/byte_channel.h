// Bytes from one thread to another.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

#include "reader/input_file.h"
#include "reader/writer/byte_sink.h"

namespace perfsift::tools {

// What one thread writes, another reads as a stream. The writer waits while the reader is far behind. Thread-safe.
class ByteChannel {
 public:
  void write(Bytes bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return bytes_.size() < most_waiting || closed_; });
    if (closed_) return;
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    changed_.notify_all();
  }

  // Waits for at least one byte; 0: closed, and all is read.
  std::size_t read(std::span<std::byte> out) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return read_ < bytes_.size() || closed_; });
    const std::size_t size = std::min(out.size(), bytes_.size() - read_);
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(read_), size, out.begin());
    read_ += size;
    if (read_ < bytes_.size()) return size;
    bytes_.clear();
    read_ = 0;
    changed_.notify_all();
    return size;
  }

  // Either side ends: nothing is written any more.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr std::size_t most_waiting = std::size_t{32} << 20;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::byte> bytes_;
  std::size_t read_ = 0;  // bytes at the beginning that are read already
  bool closed_ = false;
};

// The ends of a channel, which must live longer.
class ChannelSink : public reader::ByteSink {
 public:
  explicit ChannelSink(ByteChannel& channel) : channel_(channel) {}
  void write(Bytes bytes) override { channel_.write(bytes); }
  void write_at(std::uint64_t, Bytes) override {}  // not called in pipe form

 private:
  ByteChannel& channel_;
};

class ChannelSource : public reader::ByteSource {
 public:
  explicit ChannelSource(ByteChannel& channel) : channel_(channel) {}
  std::size_t read(std::span<std::byte> out) override { return channel_.read(out); }

 private:
  ByteChannel& channel_;
};

}  // namespace perfsift::tools
