#include "reader/record_walk.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace perfsift::reader {
namespace {

using State = RecordExtent::State;

// Formats of tracepoints, and what one flush of a ring buffer compresses to, are much smaller. AUX areas are not.
constexpr std::uint64_t largest_trailing = std::uint64_t{256} << 20;

RecordExtent with_size(std::uint64_t record, std::uint64_t trailing, Bytes bytes) {
  const bool whole = record <= bytes.size() && trailing <= bytes.size() - record;
  return {whole ? State::whole : State::partial, record, trailing};
}

// struct perf_record_compressed2: up to perf 6.16 perf record stored the aligned total of several sub-records in the 16
// bits of header.size, which wraps. data_size is right, and no padding follows in that case.
RecordExtent extent_of_compressed2(const RecordHeader& header, ByteReader in, Bytes bytes) {
  const std::uint64_t data_size = in.u64();
  if (!in.ok()) return {State::partial};
  constexpr std::uint64_t fixed = record_header_size + 8;
  if (data_size > largest_trailing) return {State::corrupt};
  const std::uint64_t aligned = (fixed + data_size + 7) / 8 * 8;
  return with_size(aligned > header.size ? fixed + data_size : header.size, 0, bytes);
}

// simpleperf stores inside the record the data that perf stores behind the record (TracingDataRecord in
// system/extras/simpleperf/record.cpp). The data begins with a magic: tracing_data_header() in trace-event-info.c.
RecordExtent extent_of_tracing_data(const RecordHeader& header, ByteReader in, Bytes bytes) {
  constexpr std::size_t fixed = record_header_size + 4;
  constexpr std::string_view magic = "\x17\x08\x44tracing";
  if (header.size < fixed) return {State::corrupt};
  const std::uint64_t size = in.u32();
  if (!in.ok()) return {State::partial};
  if (size >= magic.size() && size <= header.size - fixed) {
    const Bytes start = in.bytes(magic.size());
    if (!in.ok()) return {State::partial};
    if (std::memcmp(start.data(), magic.data(), magic.size()) == 0) return with_size(header.size, 0, bytes);
  }
  return size > largest_trailing ? RecordExtent{State::corrupt} : with_size(header.size, size, bytes);
}

// How many records in a row make a place acceptable.
constexpr int believable_run = 6;
constexpr std::uint32_t highest_plausible_type = 128;

// `ends`: nothing follows `bytes`, so records that reach the end of the bytes count as enough records.
bool records_begin_at(Bytes bytes, ByteOrder order, bool ends) {
  RecordWalk walk(bytes, order, 0);
  Record record;
  for (int i = 0; i < believable_run; ++i) {
    if (walk.rest().empty()) return ends && i > 0;
    if (walk.rest().size() < record_header_size || !is_plausible(decode_record_header(walk.at(), order))) return false;
    if (!walk.next(record)) return false;
  }
  return true;
}

}  // namespace

RecordExtent extent_of_special(const RecordHeader& header, Bytes bytes, ByteOrder order) {
  ByteReader in(bytes, order);
  in.skip(record_header_size);
  if (header.type == RecordType::compressed2) return extent_of_compressed2(header, in, bytes);

  if (header.type == RecordType::header_tracing_data) return extent_of_tracing_data(header, in, bytes);

  // struct perf_record_auxtrace begins with a u64 size.
  if (header.size < record_header_size + 8) return {State::corrupt};
  const std::uint64_t trailing = in.u64();
  if (!in.ok()) return {State::partial};
  return with_size(header.size, trailing, bytes);
}

bool is_plausible(const RecordHeader& header) {
  const auto type = static_cast<std::uint32_t>(header.type);
  const bool kernel = type >= 1 && type <= 22;
  const bool user = type >= first_user_record && type < highest_plausible_type;
  return (kernel || user) && header.size >= record_header_size && (user || header.size % 8 == 0);
}

// COMPRESSED records have any size, so the records after them may lie at any address. Multiples of 8 are the likely
// addresses: at other addresses a short run of records is not accepted, however well the run fits.
NextRecord find_next_record(Bytes bytes, std::size_t from, ByteOrder order, bool ended) {
  std::size_t skip = from;
  for (; skip + record_header_size <= bytes.size(); ++skip) {
    const std::size_t left = bytes.size() - skip;
    if (!ended && left <= search_ahead) break;
    const bool to_the_end = left <= search_ahead && skip % 8 == 0;
    if (records_begin_at(bytes.subspan(skip, std::min(search_ahead, left)), order, to_the_end)) return {skip, true};
  }
  return {ended ? bytes.size() : skip / 8 * 8, false};
}

}  // namespace perfsift::reader
