// A BPF ring buffer that the kernel did not write. The first byte says whether it is read beside another reader. Then
// passes follow: the position of the writer (4 bytes), that of the other reader (4 bytes), where bytes change (2
// bytes), how many (2 bytes), and these bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "record/bpf/ring_buffer.h"
#include "tests/record/bpf/fake_ring_buffer.h"

using namespace perfsift;

namespace {

// A payload lies in the data, which are there twice.
void read_all(record::RingBuffer& ring, const test::FakeRingBuffer& fake) {
  const std::byte* const begin = fake.memory().data() + fake.memory().size() - 2 * fake.capacity();
  for (int i = 0; i < 1000; ++i) {
    const auto payload = ring.next();
    if (!payload) return;
    if (payload->data() < begin || payload->data() + payload->size() > begin + 2 * fake.capacity()) __builtin_trap();
    ring.release();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Access = record::RingBuffer::Access;
  ByteReader in(std::as_bytes(std::span(data, size)));
  const bool peeks = in.u8() % 2 == 1;
  test::FakeRingBuffer fake;
  record::RingBuffer ring = record::RingBuffer::over(fake.memory(), peeks ? Access::peek : Access::consume);
  while (in.ok() && in.remaining() != 0) {
    fake.set_producer(in.u32());
    const std::uint32_t reader = in.u32();
    if (peeks) fake.consume(reader);
    const std::uint16_t place = in.u16();
    fake.copy(place, in.bytes(std::min<std::size_t>(in.u16(), in.remaining())));
    read_all(ring, fake);
  }
  return 0;
}
