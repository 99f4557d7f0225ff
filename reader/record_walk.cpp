#include "reader/record_walk.h"

namespace perfsift::reader {
namespace {

using State = RecordExtent::State;

RecordExtent with_size(std::uint64_t record, std::uint64_t trailing, Bytes bytes) {
  const bool whole = record <= bytes.size() && trailing <= bytes.size() - record;
  return {whole ? State::whole : State::partial, record, trailing};
}

// struct perf_record_compressed2: perf record up to 6.16 stored the aligned total of several sub-records in the 16 bit
// of header.size, which wraps; data_size is right, and no padding follows then.
RecordExtent extent_of_compressed2(const RecordHeader& header, ByteReader in, Bytes bytes) {
  const std::uint64_t data_size = in.u64();
  if (!in.ok()) return {State::partial};
  constexpr std::uint64_t fixed = record_header_size + 8;
  if (data_size > std::uint64_t{1} << 40) return {State::corrupt};
  const std::uint64_t aligned = (fixed + data_size + 7) / 8 * 8;
  return with_size(aligned > header.size ? fixed + data_size : header.size, 0, bytes);
}

// How many records in a row make a place believable.
constexpr int plausible_run = 6;
constexpr std::uint32_t highest_plausible_type = 128;

bool plausible(const RecordHeader& header) {
  const auto type = static_cast<std::uint32_t>(header.type);
  const bool kernel = type >= 1 && type <= 22;
  const bool user = type >= first_user_record && type < highest_plausible_type;
  return (kernel || user) && header.size >= record_header_size && (user || header.size % 8 == 0);
}

bool records_begin_at(Bytes bytes, ByteOrder order) {
  RecordWalk walk(bytes, order, 0);
  Record record;
  for (int i = 0; i < plausible_run; ++i) {
    if (walk.rest().empty()) return i > 0;
    if (walk.rest().size() < record_header_size || !plausible(decode_record_header(walk.at(), order))) return false;
    if (!walk.next(record)) return false;
  }
  return true;
}

}  // namespace

RecordExtent extent_of_special(const RecordHeader& header, Bytes bytes, ByteOrder order) {
  ByteReader in(bytes, order);
  in.skip(record_header_size);
  if (header.type == RecordType::compressed2) return extent_of_compressed2(header, in, bytes);

  // struct perf_record_auxtrace has a u64 size in front, struct perf_record_header_tracing_data a u32.
  const bool aux = header.type == RecordType::auxtrace;
  if (header.size < record_header_size + (aux ? 8 : 4)) return {State::corrupt};
  const std::uint64_t trailing = aux ? in.u64() : in.u32();
  if (!in.ok()) return {State::partial};
  return with_size(header.size, trailing, bytes);
}

std::size_t find_next_record(Bytes bytes, ByteOrder order) {
  // Kernel records are multiples of 8 and begin at one, counted from wherever the last good one ended.
  for (std::size_t skip = 8; skip + record_header_size <= bytes.size(); skip += 8) {
    if (records_begin_at(bytes.subspan(skip), order)) return skip;
  }
  return bytes.size();
}

}  // namespace perfsift::reader
