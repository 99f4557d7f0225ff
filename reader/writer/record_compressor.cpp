#include "reader/writer/record_compressor.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "reader/format/record.h"
#include "reader/writer/byte_writer.h"

namespace perfsift::reader {
namespace {

constexpr std::size_t most_content = std::numeric_limits<std::uint16_t>::max() - record_header_size;
constexpr std::uint64_t most_unflushed = RecordCompressor::mmap_len / 2;

void check(std::size_t result) {
  if (ZSTD_isError(result) != 0) throw Error(std::string("zstd: ") + ZSTD_getErrorName(result));
}

}  // namespace

RecordCompressor::RecordCompressor(ByteOrder order, int level, RecordOutput& out)
    : order_(order), out_(out), buffer_(most_content) {
  check(ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, level));
}

void RecordCompressor::write(Bytes records) {
  taken_ += records.size();
  while (!records.empty()) {
    const Bytes some = records.first(std::min<std::size_t>(records.size(), most_unflushed - unflushed_));
    compress(some, ZSTD_e_continue);
    records = records.subspan(some.size());
    if (unflushed_ == most_unflushed) flush();
  }
}

void RecordCompressor::write_at(std::uint64_t, Bytes) { throw std::logic_error("a compressed stream is not changed"); }

void RecordCompressor::flush() {
  if (unflushed_ != 0) compress({}, ZSTD_e_flush);
  unflushed_ = 0;
}

void RecordCompressor::compress(Bytes bytes, ZSTD_EndDirective directive) {
  unflushed_ += bytes.size();
  ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
  std::size_t waiting = 0;  // in the stream, as far as it knows
  do {
    ZSTD_outBuffer to{buffer_.data(), buffer_.size(), 0};
    waiting = ZSTD_compressStream2(stream_.get(), &to, &from, directive);
    check(waiting);
    if (to.pos != 0) write_record(Bytes(buffer_).first(to.pos));
  } while (from.pos != from.size || (directive == ZSTD_e_flush && waiting != 0));
}

void RecordCompressor::write_record(Bytes content) {
  ByteWriter record(order_);
  record.u32(static_cast<std::uint32_t>(RecordType::compressed)).u16(0);
  record.u16(static_cast<std::uint16_t>(record_header_size + content.size())).bytes(content);
  out_.write_copy(record.view());
  written_ += content.size();
}

std::uint32_t RecordCompressor::ratio() const {
  const std::uint64_t ratio = written_ != 0 ? taken_ / written_ : 1;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(ratio, 1, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace perfsift::reader
