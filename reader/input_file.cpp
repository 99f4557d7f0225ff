#include "reader/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <lzma.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "reader/packed_input.h"

namespace perfsift::reader {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

class DescriptorSource : public ByteSource {
 public:
  DescriptorSource(FileDescriptor file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  std::size_t read(std::span<std::byte> out) override {
    while (true) {
      const ssize_t got = ::read(file_.get(), out.data(), out.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw InputError(path_ + ": cannot read: " + std::strerror(errno));
    }
  }

 private:
  FileDescriptor file_;
  std::string path_;
};

// Returns again the bytes that peek() has read.
class PeekedSource : public ByteSource {
 public:
  PeekedSource(std::vector<std::byte> peeked, std::unique_ptr<ByteSource> rest)
      : peeked_(std::move(peeked)), rest_(std::move(rest)) {}

  std::size_t read(std::span<std::byte> out) override {
    if (given_ == peeked_.size()) return rest_->read(out);
    const std::size_t size = std::min(out.size(), peeked_.size() - given_);
    std::memcpy(out.data(), peeked_.data() + given_, size);
    given_ += size;
    return size;
  }
  std::string damage() const override { return rest_->damage(); }

 private:
  std::vector<std::byte> peeked_;
  std::size_t given_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

// The common part of the three decompressors: an input buffer that is refilled, and one step that consumes input and
// produces output.
class DecompressingSource : public ByteSource {
 public:
  DecompressingSource(std::string form, std::unique_ptr<ByteSource> compressed)
      : form_(std::move(form)), compressed_(std::move(compressed)) {}

  std::size_t read(std::span<std::byte> out) override {
    while (!ended_) {
      if (at_ == end_) refill();
      if (const std::size_t produced = step(out)) return produced;
      if (at_ == end_ && at_end_of_input_) ended_ = true;
    }
    return 0;
  }
  std::string damage() const override {
    if (ended_ && broken_) return "the " + form_ + " data are damaged";
    if (ended_ && !complete_) return "the " + form_ + " data end too early: the file was cut";
    return compressed_->damage();
  }

 protected:
  // Advances at_, and returns the number of bytes written to `out`; keeps complete_, broken_ and ended_ up to date.
  virtual std::size_t step(std::span<std::byte> out) = 0;
  void give_up() { ended_ = broken_ = true; }

  std::size_t at_ = 0, end_ = 0;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(buffer_size);
  bool at_end_of_input_ = false;
  bool complete_ = false;  // the compressed data may end here
  bool broken_ = false;    // the data is not of the container's format
  bool ended_ = false;     // no more output can come

 private:
  void refill() {
    at_ = 0;
    end_ = at_end_of_input_ ? 0 : compressed_->read(buffer_);
    at_end_of_input_ = end_ == 0;
  }

  std::string form_;  // "gzip"
  std::unique_ptr<ByteSource> compressed_;
};

class GzipSource : public DecompressingSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> compressed) : DecompressingSource("gzip", std::move(compressed)) {
    constexpr int gzip_only = 15 + 16;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw InputError("zlib cannot be started");
  }
  ~GzipSource() override { inflateEnd(&stream_); }

 private:
  std::size_t step(std::span<std::byte> out) override {
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data() + at_);
    stream_.avail_in = static_cast<uInt>(end_ - at_);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(out.size(), 1u << 30));
    const uInt given = stream_.avail_in, room = stream_.avail_out;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    at_ = end_ - stream_.avail_in;
    const std::size_t produced = room - stream_.avail_out;
    if (given != 0 || produced != 0) complete_ = status == Z_STREAM_END;
    if (status == Z_STREAM_END) inflateReset(&stream_);  // another member may follow
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) give_up();
    return produced;
  }

  z_stream stream_{};
};

class XzSource : public DecompressingSource {
 public:
  explicit XzSource(std::unique_ptr<ByteSource> compressed) : DecompressingSource("xz", std::move(compressed)) {
    constexpr std::uint64_t memory_limit = std::uint64_t{1} << 30;
    if (lzma_stream_decoder(&stream_, memory_limit, LZMA_CONCATENATED) != LZMA_OK) {
      throw InputError("liblzma cannot be started");
    }
  }
  ~XzSource() override { lzma_end(&stream_); }

 private:
  std::size_t step(std::span<std::byte> out) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(buffer_.data() + at_);
    stream_.avail_in = end_ - at_;
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream_, at_end_of_input_ ? LZMA_FINISH : LZMA_RUN);
    at_ = end_ - stream_.avail_in;
    if (status == LZMA_STREAM_END) {
      complete_ = ended_ = true;
    } else if (status != LZMA_OK && status != LZMA_BUF_ERROR) {
      give_up();
    }
    return out.size() - stream_.avail_out;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdSource : public DecompressingSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> compressed) : DecompressingSource("zstd", std::move(compressed)) {}

 private:
  std::size_t step(std::span<std::byte> out) override {
    ZSTD_inBuffer from{buffer_.data() + at_, end_ - at_, 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_.get(), &to, &from);
    if (from.size != 0 || to.pos != 0) complete_ = status == 0;
    if (ZSTD_isError(status) != 0) give_up();
    at_ += from.pos;
    return to.pos;
  }

  Owned<ZSTD_DStream, ZSTD_freeDStream> stream_{ZSTD_createDStream()};
};

bool starts_with(Bytes bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// The decompressor for `magic`, the first bytes of `source`; `source` itself for other bytes.
std::unique_ptr<ByteSource> decompressed(Bytes magic, std::unique_ptr<ByteSource> source) {
  using namespace std::string_view_literals;
  if (starts_with(magic, "\x1f\x8b"sv)) return std::make_unique<GzipSource>(std::move(source));
  if (starts_with(magic, "\x28\xb5\x2f\xfd"sv)) return std::make_unique<ZstdSource>(std::move(source));
  if (starts_with(magic, "\xfd\x37zXZ\0"sv)) return std::make_unique<XzSource>(std::move(source));
  return source;
}

bool is_compressed(Bytes magic) {
  using namespace std::string_view_literals;
  return starts_with(magic, "\x1f\x8b"sv) || starts_with(magic, "\x28\xb5\x2f\xfd"sv) ||
         starts_with(magic, "\xfd\x37zXZ\0"sv);
}

Mapped map_whole(int fd, std::size_t size, const std::string& path) {
  if (size == 0) return {};
  void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (start == MAP_FAILED) throw InputError(path + ": cannot map: " + std::strerror(errno));
  return {start, size};
}

InputFile open_container(const std::string& path) {
  InputFile input{.path = path};
  FileDescriptor file(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) throw InputError(path + ": cannot open: " + std::strerror(errno));
  struct stat about {};
  if (fstat(file.get(), &about) != 0) throw InputError(path + ": " + std::strerror(errno));
  if (S_ISDIR(about.st_mode)) throw InputError(path + ": is a directory without a recording in it");

  if (S_ISREG(about.st_mode) && lseek(file.get(), 0, SEEK_CUR) == 0) {
    input.modified_seconds = about.st_mtime;
    Mapped mapped = map_whole(file.get(), static_cast<std::size_t>(about.st_size), path);
    if (!is_compressed(mapped.bytes())) {
      input.mapped = std::move(mapped);
      return input;
    }
  }
  auto source = std::make_unique<DescriptorSource>(std::move(file), path);
  std::vector<std::byte> magic(8);
  magic.resize(read_fully(*source, magic));
  auto whole = std::make_unique<PeekedSource>(magic, std::move(source));
  input.source = decompressed(magic, std::move(whole));
  return input;
}

}  // namespace

InputFile open_input(const std::string& path) {
  InputFile input = open_container(path);
  // In two steps, so that a slow stream is not waited for longer than its own header takes.
  constexpr std::size_t first_look = 16;
  const bool is_packed = may_be_packed(peek(input, first_look)) && is_packed_recording(peek(input, packed_header_size));
  return is_packed ? unpacked(std::move(input)) : std::move(input);
}

std::string nothing_in(const std::string& path) {
  if (path != "-") return path + ": the file is empty: was perf record stopped before it wrote anything? Record again";
  return "standard input: the pipe was empty; was perf record stopped before it wrote anything? To read a file, name "
         "it";
}

Bytes peek(InputFile& input, std::size_t size) {
  if (input.source == nullptr) return input.mapped.bytes().first(std::min(size, input.mapped.bytes().size()));
  if (input.peeked.size() < size) {
    std::vector<std::byte> start(size);
    start.resize(read_fully(*input.source, start));
    input.peeked = start;
    input.source = std::make_unique<PeekedSource>(std::move(start), std::move(input.source));
  }
  return Bytes(input.peeked).first(std::min(size, input.peeked.size()));
}

std::size_t read_fully(ByteSource& source, std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const std::size_t got = source.read(out.subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

Mapped read_all(ByteSource& source) {
  constexpr std::size_t most_in_memory = std::size_t{16} << 20;
  Mapped memory = new_memory(most_in_memory);
  const std::size_t size = read_fully(source, memory.writable());
  if (size < most_in_memory) return std::move(memory).first(size);
  TemporaryFile file;
  file.append(memory.bytes());
  std::vector<std::byte> buffer(buffer_size);
  while (const std::size_t got = source.read(buffer)) file.append(Bytes(buffer).first(got));
  return file.map();
}

}  // namespace perfsift::reader
