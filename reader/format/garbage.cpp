#include "reader/format/garbage.h"

#include <optional>

namespace perfsift::reader {

namespace {

constexpr std::size_t size_of_word = 8;

std::size_t in_whole_words(std::size_t size) { return (size + size_of_word - 1) / size_of_word * size_of_word; }

// The bytes of the payload in front of the trailer, of the records that may have garbage. Nothing: other records, and
// records that are too short for their fields.
std::optional<std::size_t> content_size(const Record& record) {
  ByteReader in = record.reader();
  switch (record.header.type) {
    case RecordType::ksymbol:
      in.skip(sizeof(std::uint64_t) + sizeof(std::uint32_t) + 2 * sizeof(std::uint16_t));
      in.cstring();
      break;
    case RecordType::bpf_event:
      in.skip(2 * sizeof(std::uint16_t) + sizeof(std::uint32_t) + 8);  // 8: the tag
      break;
    case RecordType::text_poke: {
      in.skip(sizeof(std::uint64_t));
      const std::size_t before = in.u16(), after = in.u16();
      in.skip(before + after);
      break;
    }
    default:
      return std::nullopt;
  }
  return in.ok() ? std::optional(in_whole_words(record.payload.size() - in.remaining())) : std::nullopt;
}

}  // namespace

std::size_t garbage_size(const Record& record, std::size_t trailer) {
  if (trailer == 0 || !may_have_garbage(record.header.type)) return 0;
  const auto content = content_size(record);
  const std::size_t size = record.payload.size();
  // A recorder of another kind may leave out the trailer, or write more than the kernel knows today.
  if (!content || *content + trailer >= size || (size - *content) % trailer != 0) return 0;
  return size - *content - trailer;
}

}  // namespace perfsift::reader
