#include "tests/support/recording_builder.h"

#include <algorithm>
#include <stdexcept>

#include <lzma.h>
#include <zlib.h>

#include "reader/format/event.h"

namespace perfsift::test {
namespace {

using reader::RecordType;

constexpr std::size_t compressed2_header = 16;  // the record header and data_size

}  // namespace

std::vector<std::byte> ZstdStream::piece(Bytes content) {
  std::vector<std::byte> out(ZSTD_compressBound(content.size()) + 64);
  ZSTD_inBuffer from{content.data(), content.size(), 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  if (ZSTD_compressStream2(stream_.get(), &to, &from, ZSTD_e_flush) != 0) throw std::runtime_error("zstd");
  out.resize(to.pos);
  return out;
}

RecordingBuilder& RecordingBuilder::event(const Attr& attr, std::vector<std::uint64_t> ids) {
  events_.push_back({attr, std::move(ids)});
  return *this;
}

RecordingBuilder& RecordingBuilder::feature(reader::Feature number, const BytesBuilder& section) {
  const auto view = section.view();
  features_.emplace_back(static_cast<std::uint32_t>(number), std::vector<std::byte>(view.begin(), view.end()));
  std::ranges::sort(features_);
  return *this;
}

RecordingBuilder& RecordingBuilder::record(RecordType type, const BytesBuilder& payload, std::uint16_t misc) {
  const std::size_t begin = records_.size();
  records_.record(static_cast<std::uint32_t>(type), misc, payload.view());
  placed_.push_back({type, begin, records_.size()});
  return *this;
}

RecordingBuilder& RecordingBuilder::record_and_data(RecordType type, const BytesBuilder& payload, Bytes data) {
  record(type, payload).raw(data);
  placed_.back().end = records_.size();
  return *this;
}

RecordingBuilder& RecordingBuilder::raw(Bytes any) {
  records_.bytes(any);
  return *this;
}

RecordingBuilder& RecordingBuilder::timed_event(std::uint64_t flags) {
  namespace bit = reader::sample_bit;
  return event({.sample_type = bit::ip | bit::tid | bit::time, .flags = flags});
}

RecordingBuilder& RecordingBuilder::sample_at(std::uint64_t time, std::uint64_t ip) {
  return record(RecordType::sample, bytes().u64(ip).u32(7).u32(7).u64(time), 2);
}

RecordingBuilder& RecordingBuilder::record_at(std::uint64_t time, RecordType type, BytesBuilder payload,
                                              std::uint16_t misc) {
  return record(type, payload.u32(7).u32(7).u64(time), misc);
}

RecordingBuilder& RecordingBuilder::comm_at(std::uint64_t time, std::uint32_t tid, std::string_view name) {
  return record_at(time, RecordType::comm, bytes().u32(tid).u32(tid).padded(name));
}

RecordingBuilder& RecordingBuilder::kernel_map_at(std::uint64_t time, std::uint64_t start, std::uint64_t size,
                                                  std::uint64_t page_offset, std::string_view name) {
  constexpr std::uint32_t process = ~0u;
  return record_at(time, RecordType::mmap,
                   bytes().u32(process).u32(0).u64(start).u64(size).u64(page_offset).padded(name), kernel_mode);
}

RecordingBuilder& RecordingBuilder::compressed(const std::vector<std::vector<std::byte>>& pieces) {
  for (const auto& piece : pieces) record(RecordType::compressed, bytes().bytes(piece));
  return *this;
}

// See record__pushfn() and process_comp_header() in tools/perf/builtin-record.c, 6.16. The first header has the size of
// all pieces. The other headers have their own size, and an uninitialized data_size.
RecordingBuilder& RecordingBuilder::compressed2(const std::vector<std::vector<std::byte>>& pieces) {
  std::size_t total = 0;
  for (const auto& piece : pieces) total += compressed2_header + piece.size();
  const std::size_t aligned = (total + 7) / 8 * 8;
  const std::size_t begin = records_.size();

  records_.u32(83).u16(0).u16(static_cast<std::uint16_t>(aligned)).u64(total - compressed2_header);
  for (const auto& piece : pieces) {
    if (&piece != &pieces.front()) {
      records_.u32(83).u16(0).u16(static_cast<std::uint16_t>(compressed2_header + piece.size()));
      records_.u64(0xdddddddddddddddd);
    }
    records_.bytes(piece);
  }
  if (aligned <= 0xffff) records_.zeros(aligned - total);
  placed_.push_back({RecordType::compressed2, begin, records_.size()});
  return *this;
}

void RecordingBuilder::write_attr(BytesBuilder& out, const Attr& attr) const {
  const reader::EventAttr event{.type = attr.type,
                                .config = attr.config,
                                .sample_period = attr.sample_period,
                                .sample_type = attr.sample_type,
                                .read_format = attr.read_format,
                                .flags = attr.flags,
                                .bp_type = attr.bp_type,
                                .branch_sample_type = attr.branch_sample_type,
                                .sample_regs_user = attr.regs_user,
                                .sample_stack_user = attr.stack_user,
                                .sample_regs_intr = attr.regs_intr};
  auto bytes = encode_event_attr(event, attr.size, order_);
  if (bytes.size() > reader::known_attr_size)
    std::fill(bytes.begin() + reader::known_attr_size, bytes.end(), std::byte{0xff});
  out.bytes(bytes);
}

// struct perf_file_header and the data behind it: see perf_session__do_write_header() in tools/perf/util/header.c.
std::vector<std::byte> RecordingBuilder::file(FileForm form) const {
  const std::size_t header_size = form.version_1 ? 72 : 104;
  const std::size_t attr_size = events_.empty() ? 136 : events_.front().attr.size;
  std::size_t ids_size = 0;
  for (const Event& event : events_) ids_size += 8 * event.ids.size();
  const std::size_t attrs_offset = header_size + ids_size;
  const std::size_t attrs_size = events_.size() * (attr_size + 16);
  const std::size_t data_offset = attrs_offset + attrs_size;
  const std::size_t data_size = records_.size();

  BytesBuilder out(order_);
  if (form.version_1) {
    out.text("PERFFILE");
  } else {
    out.u64(0x32454c4946524550);  // "PERFILE2" on a little-endian machine
  }
  out.u64(header_size).u64(attr_size + 16).u64(attrs_offset).u64(attrs_size);
  out.u64(data_offset).u64(form.data_size == ~0u ? data_size : form.data_size).u64(0).u64(0);
  if (!form.version_1) {
    std::uint64_t bits[4] = {};
    for (const auto& [number, section] : features_) bits[number / 64] |= std::uint64_t{1} << number % 64;
    for (const std::uint64_t word : bits) out.u64(word);
  }

  for (const Event& event : events_) {
    for (const std::uint64_t id : event.ids) out.u64(id);
  }
  std::size_t ids_offset = header_size;
  for (const Event& event : events_) {
    write_attr(out, event.attr);
    out.u64(ids_offset).u64(8 * event.ids.size());
    ids_offset += 8 * event.ids.size();
  }
  out.bytes(records_.view());
  if (form.version_1) return out.take();

  std::size_t section_offset = data_offset + data_size + 16 * features_.size();
  for (const auto& [number, section] : features_) {
    out.u64(section_offset).u64(section.size());
    section_offset += section.size();
  }
  for (const auto& [number, section] : features_) out.bytes(section);
  return out.take();
}

std::vector<std::byte> RecordingBuilder::pipe() const {
  BytesBuilder out(order_);
  out.u64(0x32454c4946524550).u64(16);
  for (const Event& event : events_) {
    BytesBuilder payload(order_);
    write_attr(payload, event.attr);
    for (const std::uint64_t id : event.ids) payload.u64(id);
    out.record(static_cast<std::uint32_t>(RecordType::header_attr), 0, payload.view());
  }
  for (const auto& [number, section] : features_) {
    out.record(static_cast<std::uint32_t>(RecordType::header_feature), 0,
               BytesBuilder(order_).u64(number).bytes(section).view());
  }
  if (!features_.empty()) {  // the marker behind the last feature
    out.record(static_cast<std::uint32_t>(RecordType::header_feature), 0, BytesBuilder(order_).u64(32).view());
  }
  return out.bytes(records_.view()).take();
}

std::vector<std::byte> gzip(Bytes content) {
  z_stream stream{};
  constexpr int gzip_form = 15 + 16;
  if (deflateInit2(&stream, 6, Z_DEFLATED, gzip_form, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::runtime_error("zlib");
  std::vector<std::byte> out(deflateBound(&stream, content.size()));
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::vector<std::byte> xz(Bytes content) {
  std::vector<std::byte> out(lzma_stream_buffer_bound(content.size()));
  std::size_t size = 0;
  const lzma_ret status =
      lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(content.data()),
                              content.size(), reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  if (status != LZMA_OK) throw std::runtime_error("liblzma");
  out.resize(size);
  return out;
}

std::vector<std::byte> zstd(Bytes content) {
  std::vector<std::byte> out(ZSTD_compressBound(content.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), content.data(), content.size(), 3));
  return out;
}

}  // namespace perfsift::test
