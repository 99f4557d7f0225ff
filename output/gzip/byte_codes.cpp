#include "output/gzip/byte_codes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

namespace perfsift::output {
namespace {

constexpr unsigned longest = 15;  // bits of a code

// Bits behind each other, the first one lowest in its byte.
class BitWriter {
 public:
  // `to` has room for the bits and 8 bytes more.
  explicit BitWriter(char* to) : to_(to) {}

  // Adds bits: at most 56 until the next flush().
  void add(std::uint64_t bits, unsigned length) {
    waiting_ |= bits << count_;
    count_ += length;
  }
  // Leaves less than 8 bits waiting.
  void flush() {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(to_, &waiting_, sizeof(waiting_));
    to_ += count_ / 8;
    waiting_ >>= count_ / 8 * 8;
    count_ %= 8;
  }
  void fill_byte() {
    count_ = (count_ + 7) / 8 * 8;
    flush();
  }
  char* end() const { return to_; }

 private:
  char* to_;
  std::uint64_t waiting_ = 0;
  unsigned count_ = 0;
};

std::uint32_t reversed(std::uint32_t bits, unsigned length) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < length; ++i) result |= (bits >> i & 1) << (length - 1 - i);
  return result;
}

// A dynamic block, 257 codes for bytes and the end, and two for distances, which nothing uses, because decompressors
// want a complete set. The lengths of codes are written as 4 bits each: that is a complete set of codes for 0 to 15.
void begin_block(BitWriter& out) {
  constexpr unsigned dynamic = 2, codes_of_bytes = 257, distances = 2, lengths = 19, for_repetitions = 3;
  out.add(dynamic << 1, 3);
  out.add(codes_of_bytes - 257, 5);
  out.add(distances - 1, 5);
  out.add(lengths - 4, 4);
  out.flush();
  for (unsigned i = 0; i < lengths; ++i) {
    out.add(i < for_repetitions ? 0 : 4, 3);
    out.flush();
  }
}

void add_length(unsigned length, BitWriter& out) {
  out.add(reversed(length, 4), 4);
  out.flush();
}

// An empty block of bytes as they are, which ends on a byte.
void end_on_byte(BitWriter& out) {
  out.add(0, 3);
  out.fill_byte();
  out.add(0xffff0000, 32);
  out.flush();
}

}  // namespace

ByteCounts counts_of(std::string_view bytes) {
  std::array<ByteCounts, 4> counts{};  // four, so that no count waits for the one before
  for (std::size_t i = 0; i < bytes.size(); ++i) ++counts[i % 4][static_cast<unsigned char>(bytes[i])];
  for (std::size_t byte = 0; byte < 256; ++byte) counts[0][byte] += counts[1][byte] + counts[2][byte] + counts[3][byte];
  return counts[0];
}

ByteCodes::ByteCodes(const ByteCounts& counts) {
  std::array<std::uint32_t, symbols> all{};
  std::ranges::copy(counts, all.begin());
  all[end_of_block] = 1;
  find_lengths(all);
  assign_codes();
  for (std::size_t i = 0; i < symbols; ++i) bits_ += std::uint64_t{all[i]} * codes_[i].length;
}

// Huffman's: the two rarest become one, until one is left. Where codes become too long, all counts are made more alike.
void ByteCodes::find_lengths(std::array<std::uint32_t, symbols> counts) {
  struct Node {
    std::uint64_t count = 0;
    std::size_t parent = 0;
    unsigned depth = 0;
  };
  // A single symbol would have a code without bits.
  if (std::ranges::count(counts, 0U) == symbols - 1) counts[counts[0] == 0 ? 0 : 1] = 1;
  for (unsigned deepest = longest + 1; deepest > longest;) {
    std::array<std::size_t, symbols> order{};
    std::size_t used = 0;
    for (std::size_t i = 0; i < symbols; ++i) {
      if (counts[i] != 0) order[used++] = i;
    }
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(used),
              [&](std::size_t a, std::size_t b) { return std::pair(counts[a], a) < std::pair(counts[b], b); });
    // The symbols that are used, then the nodes above them: both from the rarest to the most frequent.
    std::array<Node, 2 * symbols> nodes{};
    for (std::size_t i = 0; i < used; ++i) nodes[i].count = counts[order[i]];
    const std::size_t root = 2 * used - 2;
    for (std::size_t leaf = 0, inner = used, made = used; made <= root; ++made) {
      for (int child = 0; child < 2; ++child) {
        const bool takes_leaf = leaf < used && (inner == made || nodes[leaf].count <= nodes[inner].count);
        Node& taken = nodes[takes_leaf ? leaf++ : inner++];
        taken.parent = made;
        nodes[made].count += taken.count;
      }
    }
    deepest = 0;
    for (std::size_t i = root; i-- > 0;) {
      nodes[i].depth = nodes[nodes[i].parent].depth + 1;
      deepest = std::max(deepest, nodes[i].depth);
    }
    for (std::size_t i = 0; i < used; ++i) codes_[order[i]].length = static_cast<std::uint16_t>(nodes[i].depth);
    for (std::uint32_t& count : counts) count = (count + 1) / 2;
  }
}

// The codes of one length are consecutive numbers: RFC 1951, section 3.2.2.
void ByteCodes::assign_codes() {
  std::uint32_t next = 0;
  for (unsigned length = 1; length <= longest; ++length, next <<= 1) {
    for (Code& code : codes_) {
      if (code.length == length) code.bits = static_cast<std::uint16_t>(reversed(next++, length));
    }
  }
}

void ByteCodes::append(std::string_view bytes, Text& to) const {
  constexpr std::size_t around = 512;  // the description, and the end
  to.reserve(size() + around);
  BitWriter out(to.begin() + to.size());
  begin_block(out);
  for (const Code& code : codes_) add_length(code.length, out);
  for (int distance = 0; distance < 2; ++distance) add_length(1, out);
  const auto add = [&](std::size_t symbol) { out.add(codes_[symbol].bits, codes_[symbol].length); };
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    for (std::size_t next = i; next < i + 3; ++next) add(byte(next));
    out.flush();
  }
  for (; i < bytes.size(); ++i) add(byte(i)), out.flush();
  add(end_of_block);
  out.flush();
  end_on_byte(out);
  to.resize(static_cast<std::size_t>(out.end() - to.begin()));
}

}  // namespace perfsift::output
