// Builds whole recordings as perf record writes them, in file or pipe form, in either byte order.
//
// ```cpp
// RecordingBuilder in;
// in.timed_event().sample_at(100, 0x401000).comm_at(90, 7, "worker").round();
// const auto bytes = in.file();
// ```
//
// A test writes the payloads that matter to it, with bytes(). The builder adds the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <zstd.h>

#include "base/owned.h"
#include "reader/format/abi.h"
#include "tests/support/bytes.h"

namespace perfsift::test {

inline constexpr std::uint64_t millisecond = 1'000'000;  // in nanoseconds

// The fields of struct perf_event_attr that matter for reading.
struct Attr {
  std::uint32_t type = reader::event_type::software;
  std::uint64_t config = 0;  // cpu-clock
  std::uint64_t sample_period = 0;
  std::uint64_t sample_type = 0;
  std::uint64_t read_format = 0;
  std::uint64_t flags = 0;  // bit 0 is `disabled`, as on little-endian machines
  std::uint64_t branch_sample_type = 0;
  std::uint64_t regs_user = 0;
  std::uint32_t stack_user = 0;
  std::uint64_t regs_intr = 0;
  std::uint32_t bp_type = 0;
  std::uint32_t size = 136;  // at least 64; bytes beyond 144 are filled with ones
};
inline constexpr std::uint64_t sample_id_all = std::uint64_t{1} << 18;
inline constexpr std::uint16_t kernel_mode = 1, user_mode = 2;  // PERF_RECORD_MISC_KERNEL, PERF_RECORD_MISC_USER

// One zstd stream as perf record -z writes it: each piece continues the previous piece.
class ZstdStream {
 public:
  std::vector<std::byte> piece(Bytes content);

 private:
  Owned<ZSTD_CStream, ZSTD_freeCStream> stream_{ZSTD_createCStream()};
};

class RecordingBuilder {
 public:
  explicit RecordingBuilder(ByteOrder order = ByteOrder::native) : order_(order), records_(order) {}

  // A builder of payloads in the byte order of this recording.
  BytesBuilder bytes() const { return BytesBuilder(order_); }

  RecordingBuilder& event(const Attr& attr, std::vector<std::uint64_t> ids = {});
  RecordingBuilder& feature(reader::Feature number, const BytesBuilder& section);

  RecordingBuilder& record(reader::RecordType type, const BytesBuilder& payload, std::uint16_t misc = 0);
  // A record followed by data that is not in its size: AUXTRACE, TRACING_DATA.
  RecordingBuilder& record_and_data(reader::RecordType type, const BytesBuilder& payload, Bytes data);
  RecordingBuilder& round() { return record(reader::RecordType::finished_round, bytes()); }
  // Bytes among the records that are not a record, or a record made elsewhere.
  RecordingBuilder& raw(Bytes any);

  // Adds an event whose samples are {ip, pid and tid, time}. Other records end with {pid and tid, time}.
  RecordingBuilder& timed_event(std::uint64_t flags = sample_id_all);
  // Adds a sample of thread 7 for timed_event(). Other records get their trailer here.
  RecordingBuilder& sample_at(std::uint64_t time, std::uint64_t ip = 0x401000);
  RecordingBuilder& comm_at(std::uint64_t time, std::uint32_t tid, std::string_view name);
  // A mapping of the kernel, or of one of its modules.
  RecordingBuilder& kernel_map_at(std::uint64_t time, std::uint64_t start, std::uint64_t size,
                                  std::uint64_t page_offset, std::string_view name);
  RecordingBuilder& record_at(std::uint64_t time, reader::RecordType type, BytesBuilder payload,
                              std::uint16_t misc = 0);

  // Adds one COMPRESSED record per piece.
  RecordingBuilder& compressed(const std::vector<std::vector<std::byte>>& pieces);
  // One COMPRESSED2 record as perf record writes it: padded to 8 bytes. A size beyond 16 bits wraps. Further pieces
  // are sub-records inside it.
  RecordingBuilder& compressed2(const std::vector<std::vector<std::byte>>& pieces);

  // The position in records() of each record added by record() and the functions that call it, with data behind the
  // record.
  struct Placed {
    reader::RecordType type;
    std::size_t begin = 0, end = 0;
  };
  const std::vector<Placed>& placed() const { return placed_; }
  // The features in ascending order of their numbers.
  const std::vector<std::pair<std::uint32_t, std::vector<std::byte>>>& features() const { return features_; }
  // The records without any header, for a file data.N of a directory, or as the content of COMPRESSED records.
  Bytes records() const { return records_.view(); }

  struct FileForm {
    bool version_1 = false;         // PERFFILE, with a header of 72 bytes and without features
    std::uint64_t data_size = ~0u;  // ~0u: the true size
  };
  std::vector<std::byte> file(FileForm form) const;
  std::vector<std::byte> file() const { return file(FileForm{}); }
  std::vector<std::byte> pipe() const;

 private:
  struct Event {
    Attr attr;
    std::vector<std::uint64_t> ids;
  };
  void write_attr(BytesBuilder& out, const Attr& attr) const;

  ByteOrder order_;
  std::vector<Event> events_;
  std::vector<std::pair<std::uint32_t, std::vector<std::byte>>> features_;
  BytesBuilder records_;
  std::vector<Placed> placed_;
};

// `content` in a container that the tools `gzip`, `xz` and `zstd` unpack.
std::vector<std::byte> gzip(Bytes content);
std::vector<std::byte> xz(Bytes content);
std::vector<std::byte> zstd(Bytes content);

}  // namespace perfsift::test
