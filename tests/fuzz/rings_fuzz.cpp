// Bytes in a ring that the kernel did not write. The first byte says whether the ring is overwritten. Then passes
// follow: by how far the head moves (4 bytes), how many bytes are written behind the old head (2 bytes), and these
// bytes. An ordinary ring has an AUX area, whose head moves as far.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "record/rings/ring_reader.h"
#include "tests/record/rings/fake_area.h"
#include "tests/record/rings/fake_ring.h"

using namespace perfsift;

namespace {

// What leaves a ring is a sequence of whole records.
class WholeRecords : public record::RecordSink {
 public:
  void records(std::size_t, Bytes some) override {
    const record::Pieces all{some, {}};
    if (record::walk_records(all, [](const reader::RecordHeader&, std::size_t) {}) != some.size()) __builtin_trap();
    bytes += some.size();
  }
  void trace(const record::TracePiece& piece) override {
    for (const Bytes part : {piece.bytes.first, piece.bytes.second}) {
      for (const std::byte byte : part) sum += static_cast<unsigned char>(byte);  // an address outside is found
    }
    traced += piece.bytes.size();
  }
  void round() override {}

  std::uint64_t bytes = 0, traced = 0, sum = 0;
};

// Each byte that the hardware claims to have written is given, or counted as one that is gone.
class FuzzedArea {
 public:
  void pass(std::uint32_t moved) {
    head_ += moved;
    area_.set_head(head_);
    const std::uint64_t given = sink_.traced, damaged = reader_.counts().damaged;
    reader_.look();
    reader_.pass_on(0, sink_);
    if (area_.tail() != head_ || sink_.traced - given > area_.capacity()) __builtin_trap();
    if (sink_.traced - given + reader_.counts().damaged - damaged != moved) __builtin_trap();
  }

 private:
  test::FakeArea area_{4096};
  record::RingReader reader_ = area_.reader();
  WholeRecords sink_;
  std::uint64_t head_ = 0;
};

class FuzzedRing {
 public:
  FuzzedRing(record::Ring::Kind kind) : kind_(kind), reader_(record::Ring::over(fake_.memory(), kind)) {}

  void pass(ByteReader& in) {
    const std::uint32_t moved = in.u32();
    const std::size_t size = std::min<std::size_t>(in.u16(), in.remaining());
    kind_ == record::Ring::Kind::ordinary ? pass_ordinary(moved, in.bytes(size)) : snapshot(moved, in.bytes(size));
  }

 private:
  // Each byte that the kernel claims to have written is given back: it was in a whole record, or it is damaged. A head
  // that moved by more than the ring has leaves the rest for the next pass.
  void pass_ordinary(std::uint32_t moved, Bytes written) {
    fake_.write(written.first(std::min(written.size(), fake_.capacity())));
    head_ += moved;
    fake_.set_head(head_);
    const std::uint64_t unread = std::min<std::uint64_t>(head_ - fake_.tail(), fake_.capacity());
    const std::uint64_t tail = fake_.tail(), given = sink_.bytes, damaged = reader_.counts().damaged;
    area_.pass(moved);
    reader_.look();
    reader_.pass_on(0, sink_);
    if (fake_.tail() - tail != unread) __builtin_trap();
    if (sink_.bytes - given + reader_.counts().damaged - damaged != unread) __builtin_trap();
  }

  void snapshot(std::uint32_t moved, Bytes written) {
    fake_.write_backward(written.first(std::min(written.size(), fake_.capacity())));
    head_ -= moved;
    fake_.set_head(head_);
    const std::uint64_t given = sink_.bytes;
    record::RingCopy copy = reader_.copy(0);
    reader_.settle(copy);
    reader_.give(copy, sink_);
    if (sink_.bytes - given > fake_.capacity()) __builtin_trap();
  }

  test::FakeRing fake_;
  record::Ring::Kind kind_;
  record::RingReader reader_;
  FuzzedArea area_;
  WholeRecords sink_;
  std::uint64_t head_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader in(std::as_bytes(std::span(data, size)));
  FuzzedRing ring(in.u8() % 2 == 0 ? record::Ring::Kind::ordinary : record::Ring::Kind::overwritten);
  while (in.ok() && in.remaining() != 0) ring.pass(in);
  return 0;
}
