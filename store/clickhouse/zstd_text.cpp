#include "store/clickhouse/zstd_text.h"

#include <new>

#include <zstd.h>

#include "base/owned.h"

namespace perfsift::store::clickhouse {

std::string compressed(std::string_view text) {
  constexpr int fast = 1;
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), fast);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the only error for a buffer of this size
  bytes.resize(size);
  return bytes;
}

// The sizes in the bytes are not trusted: memory grows with what was really expanded.
std::optional<std::string> expanded(std::string_view bytes, std::size_t most) {
  const Owned<ZSTD_DStream, ZSTD_freeDStream> stream(ZSTD_createDStream());
  if (stream == nullptr) throw std::bad_alloc();
  std::string text, piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t rest = 0;  // 0: at the end of a frame
  bool may_have_more = true;
  while (in.pos < in.size || (may_have_more && rest != 0)) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    rest = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(rest) != 0 || text.size() + out.pos > most) return std::nullopt;
    text.append(piece.data(), out.pos);
    may_have_more = out.pos == out.size;
  }
  return rest == 0 ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace perfsift::store::clickhouse
