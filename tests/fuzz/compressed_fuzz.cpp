// COMPRESSED records of a recording with a declared ratio and size: with random bytes, with records, and with more
// records than permitted. The unread data must stay small, however much the records expand to.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/error.h"
#include "reader/record_decompressor.h"
#include "tests/reader/reading.h"
#include "tests/support/allocated.h"
#include "tests/support/recording_builder.h"

using namespace perfsift;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// The input: a ratio and a mmap_len, then pieces, each with a byte that selects the kind of its content.
struct Pieces {
  std::uint32_t ratio = 0, mmap_len = 0;
  std::vector<std::vector<std::byte>> all;
};

// A sequence of equal records. All sequences together are several times as long as the data expanded at once, but not
// longer: so a run takes milliseconds.
std::vector<std::byte> repeated(ByteReader& in, std::size_t& most) {
  constexpr std::size_t most_records = 2048;
  const std::size_t size = std::max<std::size_t>(in.u16(), reader::record_header_size);
  const std::size_t count = std::min<std::size_t>({in.u16(), most / size, most_records});
  const std::uint32_t type = in.u8();
  most -= count * size;
  std::vector<std::byte> record = test::BytesBuilder().u32(type).u16(0).u16(static_cast<std::uint16_t>(size)).take();
  record.resize(size);
  std::vector<std::byte> records;
  records.reserve(count * size);
  for (std::size_t i = 0; i < count; ++i) records.insert(records.end(), record.begin(), record.end());
  return records;
}

Pieces pieces_of(Bytes input) {
  constexpr std::size_t most_pieces = 8;
  ByteReader in(input);
  Pieces pieces{.ratio = in.u32(), .mmap_len = in.u32(), .all = {}};
  test::ZstdStream stream;
  std::size_t most = std::size_t{1} << 20;
  while (in.ok() && in.remaining() != 0 && pieces.all.size() < most_pieces) {
    const std::uint8_t kind = in.u8() % 3;
    if (kind == 2) {
      pieces.all.push_back(stream.piece(repeated(in, most)));
      continue;
    }
    const Bytes some = in.bytes(std::min<std::size_t>(in.u16(), in.remaining()));
    pieces.all.push_back(kind == 1 ? stream.piece(some) : std::vector<std::byte>(some.begin(), some.end()));
  }
  constexpr std::size_t most_content = 65535 - reader::record_header_size;
  for (auto& piece : pieces.all) piece.resize(std::min(piece.size(), most_content));
  return pieces;
}

// Tests each kind of buffer, with limits that the records reach.
template <typename Buffer>
void expand(const Pieces& pieces) {
  std::uint64_t expanded = 0;
  reader::RecordDecompressor decompressor(
      reader::BufferedRecords(std::make_unique<Buffer>(), ByteOrder::native, reader::BufferedRecords::Content::expanded,
                              [](const reader::Skipped&) {}),
      expanded);
  const reader::ExpansionLimits limits{.record = pieces.mmap_len % (1u << 20), .total = pieces.ratio % (1u << 20)};
  std::uint64_t taken = 0;
  const auto take = [&] {
    reader::Record record;
    while (decompressor.next(record)) {
      taken += reader::record_header_size + record.payload.size();
      require(decompressor.unread() <= reader::RecordDecompressor::most_unread());
    }
    require(decompressor.unread() <= reader::RecordDecompressor::most_unread());
  };
  for (const auto& piece : pieces.all) {
    const std::uint64_t before = expanded;
    decompressor.begin({.header = {.type = reader::RecordType::compressed}, .payload = piece, .trailing = {}}, 0,
                       limits);
    take();
    require(expanded - before <= limits.record + ZSTD_DStreamOutSize());
    require(expanded <= limits.total + ZSTD_DStreamOutSize());
  }
  decompressor.end();
  take();
  require(taken <= expanded);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Pieces pieces = pieces_of(Bytes(reinterpret_cast<const std::byte*>(data), size));
  expand<reader::TransientBuffer>(pieces);
  expand<reader::LastingBuffer>(pieces);

  test::RecordingBuilder recording;
  recording.timed_event().feature(reader::Feature::compressed,
                                  recording.bytes().u32(1).u32(1).u32(1).u32(pieces.ratio).u32(pieces.mmap_len));
  recording.compressed(pieces.all).sample_at(1);
  const auto pipe = recording.pipe();
  try {
    test::read_stream(pipe);
    test::read_file(pipe);
    test::read_file(recording.file());
  } catch (const InputError&) {
  }
  return 0;
}
