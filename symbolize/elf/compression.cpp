#include "symbolize/elf/compression.h"

#include <algorithm>
#include <array>

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "base/owned.h"

namespace perfsift::symbolize {

namespace {

// A buffer that grows in steps while the decoder fills it.
class Output {
 public:
  // Room for more bytes; empty if there are too many already.
  std::span<std::byte> more() {
    if (bytes_.size() == max_unpacked_size) return {};
    const std::size_t used = bytes_.size();
    bytes_.resize(std::min(max_unpacked_size, std::max<std::size_t>(2 * used, 64 << 10)));
    return std::span(bytes_).subspan(used);
  }
  std::vector<std::byte> take(std::size_t unused) {
    bytes_.resize(bytes_.size() - unused);
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
};

std::optional<std::vector<std::byte>> unpack_xz(Bytes packed) {
  lzma_stream stream = LZMA_STREAM_INIT;
  const Owned<lzma_stream, lzma_end> ended(&stream);
  if (lzma_stream_decoder(&stream, max_unpacked_size, 0) != LZMA_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();

  Output output;
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK) {
    if (stream.avail_out == 0) {
      const auto room = output.more();
      if (room.empty()) return std::nullopt;
      stream.next_out = reinterpret_cast<std::uint8_t*>(room.data());
      stream.avail_out = room.size();
    }
    result = lzma_code(&stream, LZMA_FINISH);
  }
  if (result != LZMA_STREAM_END) return std::nullopt;
  return output.take(stream.avail_out);
}

std::optional<std::vector<std::byte>> unpack_gzip(Bytes packed) {
  z_stream stream = {};
  constexpr int gzip_only = 16 + MAX_WBITS;
  if (inflateInit2(&stream, gzip_only) != Z_OK) return std::nullopt;
  const Owned<z_stream, inflateEnd> ended(&stream);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));  // zlib does not write there
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size(), ~uInt{0}));

  Output output;
  int result = Z_OK;
  while (result == Z_OK) {
    if (stream.avail_out == 0) {
      const auto room = output.more();
      if (room.empty()) return std::nullopt;
      stream.next_out = reinterpret_cast<Bytef*>(room.data());
      stream.avail_out = static_cast<uInt>(room.size());
    }
    result = inflate(&stream, Z_NO_FLUSH);
  }
  if (result != Z_STREAM_END) return std::nullopt;
  return output.take(stream.avail_out);
}

std::optional<std::vector<std::byte>> unpack_zstd(Bytes packed) {
  const Owned<ZSTD_DStream, ZSTD_freeDStream> stream(ZSTD_createDStream());
  if (!stream) return std::nullopt;
  ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
  ZSTD_outBuffer out = {nullptr, 0, 0};

  Output output;
  while (true) {
    if (out.pos == out.size) {
      const auto room = output.more();
      if (room.empty()) return std::nullopt;
      out = {room.data(), room.size(), 0};
    }
    const std::size_t result = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(result)) return std::nullopt;
    if (result == 0) return output.take(out.size - out.pos);
    if (in.pos == in.size && out.pos < out.size) return std::nullopt;  // cut
  }
}

bool is_xz(Bytes bytes) { return starts_with(bytes, {0xfd, '7', 'z', 'X', 'Z', 0}); }
bool is_gzip(Bytes bytes) { return starts_with(bytes, {0x1f, 0x8b}); }
bool is_zstd(Bytes bytes) { return starts_with(bytes, {0x28, 0xb5, 0x2f, 0xfd}); }

}  // namespace

bool is_packed(Bytes bytes) { return is_xz(bytes) || is_gzip(bytes) || is_zstd(bytes); }

std::optional<std::vector<std::byte>> unpack(Bytes packed) {
  if (is_xz(packed)) return unpack_xz(packed);
  if (is_gzip(packed)) return unpack_gzip(packed);
  if (is_zstd(packed)) return unpack_zstd(packed);
  return std::nullopt;
}

}  // namespace perfsift::symbolize
