#include "reader/writer/recording_writer.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "reader/file_header.h"
#include "reader/records/header_records.h"
#include "reader/writer/build_id_record.h"
#include "reader/writer/byte_writer.h"

namespace perfsift::reader {
namespace {

constexpr std::uint64_t magic_of_version_2 = 0x32454c4946524550;  // "PERFILE2" of a little-endian machine
constexpr std::size_t most_payload = std::numeric_limits<std::uint16_t>::max() - record_header_size;

// Sets the `size` field of an attr, which must be the number of the attr's bytes. In pipe form ids follow the attr. In
// file form perf reads `size` bytes (read_attr()), although all entries have the same size.
std::vector<std::byte> attr_of_size(Bytes attr, std::size_t size, ByteOrder order) {
  constexpr std::size_t type_size = 4, after_size = 8;
  const Bytes rest = attr.first(std::min(attr.size(), size)).subspan(after_size);
  ByteWriter resized(order);
  resized.bytes(attr.first(type_size))
      .u32(static_cast<std::uint32_t>(size))
      .bytes(rest)
      .zeros(size - after_size - rest.size());
  return resized.take();
}

std::size_t attr_size(const EventEntry& event, ByteOrder order) {
  const auto decoded = decode_event_attr(event.attr, order);
  return decoded ? std::min<std::size_t>(decoded->size, event.attr.size()) : event.attr.size();
}

// The size of all attrs of a file: that of the longest attr. When no attr uses fields that perf 6.1 does not know, the
// size is that of perf 6.1, which refuses files, though not pipes, with longer attrs (perf_file_header__read()).
std::size_t common_attr_size(const std::vector<EventEntry>& events) {
  constexpr std::size_t size_6_1 = 128;
  std::size_t longest = 0;
  bool fits_6_1 = true;
  for (const EventEntry& event : events) {
    longest = std::max(longest, event.attr.size());
    const Bytes newer = Bytes(event.attr).subspan(std::min(event.attr.size(), size_6_1));
    fits_6_1 &= std::ranges::all_of(newer, [](std::byte byte) { return byte == std::byte{0}; });
  }
  return fits_6_1 ? std::min(longest, size_6_1) : longest;
}

// perf stops reading features at one that it cannot read (perf_header__process_sections()). An empty feature cannot be
// read, unless its presence is its only content.
bool says_something(std::uint32_t feature, const std::vector<std::byte>& content) {
  return !content.empty() || feature == static_cast<std::uint32_t>(Feature::branch_stack) ||
         feature == static_cast<std::uint32_t>(Feature::stat);
}

constexpr std::array about_form_or_samples = {static_cast<std::uint64_t>(Feature::compressed),
                                              static_cast<std::uint64_t>(Feature::dir_format),
                                              static_cast<std::uint64_t>(Feature::sample_time)};

bool has_own_record_type(std::uint32_t feature) {
  return feature == static_cast<std::uint32_t>(Feature::tracing_data) ||
         feature == static_cast<std::uint32_t>(Feature::build_id);
}

Bytes whole(const Record& record) {
  const std::byte* start = record.payload.data() - record_header_size;
  return {start, record_header_size + record.payload.size() + record.trailing.size()};
}

// Records that may be inside COMPRESSED records. perf looks for no data behind a record inside, so other records stay
// where perf record puts them: between COMPRESSED records. FINISHED_ROUND may be inside: a filtered recording may
// consist mostly of rounds.
bool belongs_into_stream(RecordType type) {
  return static_cast<std::uint32_t>(type) < first_user_record || type == RecordType::finished_round;
}

std::vector<std::byte> compression_feature(ByteOrder order, int level, std::uint32_t ratio) {
  constexpr std::uint32_t version = 1, zstd = 1;
  ByteWriter section(order);
  section.u32(version).u32(zstd).u32(static_cast<std::uint32_t>(level)).u32(ratio).u32(RecordCompressor::mmap_len);
  return section.take();
}

// write_dir_format() in tools/perf/util/header.c.
std::vector<std::byte> directory_feature(ByteOrder order) {
  constexpr std::uint64_t version = 1;  // PERF_DIR_VERSION
  return ByteWriter(order).u64(version).take();
}

}  // namespace

RecordingWriter::RecordingWriter(HeaderContent header, const WriteOptions& options, ByteSink& sink)
    : header_(std::move(header)), options_(options), sink_(sink), out_(sink) {
  header_.drop(Feature::dir_format);
  header_.drop(Feature::compressed);
  header_.drop(Feature::auxtrace);  // where AUX data lies; the file form gets a new table
  // Bytes of a table entry behind the attr's own size do not belong to the attr, and must not become part of a longer
  // one.
  for (EventEntry& event : header_.events) event.attr.resize(attr_size(event, header_.order));
  std::erase_if(header_.features, [](const auto& entry) { return !says_something(entry.first, entry.second); });
  if (options_.in_folder) header_.feature(Feature::dir_format) = directory_feature(header_.order);
  if (options_.compression_level) {
    header_.feature(Feature::compressed) = compression_feature(header_.order, *options_.compression_level, 1);
    compressor_ = std::make_unique<RecordCompressor>(header_.order, *options_.compression_level, out_);
    compressed_ = std::make_unique<RecordOutput>(*compressor_);
  }
  switch (options_.form) {
    case WriteForm::file:
      start_file();
      break;
    case WriteForm::pipe:
      start_pipe();
      break;
    case WriteForm::live:
      start_live();
      break;
  }
}

RecordingWriter::~RecordingWriter() = default;

bool RecordingWriter::is_said(const Record& record) const {
  if (options_.form == WriteForm::live) return is_outdated(record);
  return header_.from_records && is_header_record(record.header.type);
}

// Whether a header record is about the form in which the recording was made, or about samples that may be dropped.
bool RecordingWriter::is_outdated(const Record& record) const {
  if (record.header.type != RecordType::header_feature) return false;
  const auto feature = decode_header_feature(record);
  return feature && std::ranges::find(about_form_or_samples, feature->number) != about_form_or_samples.end();
}

// Records overwrite the features of a checkpoint, so the header must not promise them any longer.
void RecordingWriter::before_records() {
  if (features_in_the_way_) write_file_header({});
  features_in_the_way_ = false;
}

void RecordingWriter::write(const Record& record) {
  if (is_said(record)) return;
  before_records();
  if (!compressor_ && record.header.type != RecordType::auxtrace) return out_.write(whole(record));
  if (compressor_ && belongs_into_stream(record.header.type)) return compressed_->write(whole(record));
  write_past_compressor(record);
}

void RecordingWriter::write_copy(const Record& record) {
  if (is_said(record)) return;
  before_records();
  if (compressor_ && belongs_into_stream(record.header.type)) return compressed_->write_copy(whole(record));
  if (compressor_ || record.header.type == RecordType::auxtrace) return write_past_compressor(record);
  out_.write_copy(whole(record));
}

void RecordingWriter::write_past_compressor(const Record& record) {
  flush_compressed();
  if (record.header.type == RecordType::auxtrace) note_auxtrace(record.header.size);
  out_.write_copy(whole(record));
}

// Before the record is written.
void RecordingWriter::note_auxtrace(std::size_t size) {
  auxtrace_index_.push_back({.file_offset = out_.size(), .size = size});
}

// record__process_auxtrace() in tools/perf/builtin-record.c
void RecordingWriter::write_auxtrace(Bytes record, Bytes first, Bytes second) {
  constexpr std::array<std::byte, 8> zeros{};
  const std::size_t padding = (zeros.size() - (first.size() + second.size()) % zeros.size()) % zeros.size();
  before_records();
  flush_compressed();
  note_auxtrace(record.size());
  for (const Bytes part : {record, first, second, Bytes(zeros).first(padding)}) out_.write_copy(part);
}

void RecordingWriter::write_records(Bytes records) {
  before_records();
  (compressor_ ? *compressed_ : out_).write_copy(records);
}

void RecordingWriter::flush() {
  flush_compressed();
  out_.flush();
}

void RecordingWriter::checkpoint() {
  flush();
  if (options_.form != WriteForm::file) return;
  data_size_ = out_.size() - data_offset_;
  const FeatureSections features = feature_sections();
  sink_.write_at(out_.size(), features.bytes);
  write_file_header(features.bitmap);
  features_in_the_way_ = true;
}

void RecordingWriter::flush_compressed() {
  if (!compressor_) return;
  compressed_->flush();
  compressor_->flush();
}

void RecordingWriter::finish() {
  flush_compressed();
  if (options_.form == WriteForm::file) finish_file();
  out_.flush();
}

// --- file form: struct perf_file_header in tools/perf/util/header.h

// Writes room for the header, the ids, and the attrs with the places of the ids. perf steps through the entries by the
// size of each attr, so all attrs get the same size.
void RecordingWriter::start_file() {
  const std::size_t size = common_attr_size(header_.events);
  ByteWriter out(header_.order);
  out.zeros(file_header_size);
  ByteWriter attrs(header_.order);
  for (EventEntry& event : header_.events) {
    if (event.attr.size() != size) event.attr = attr_of_size(event.attr, size, header_.order);
    attrs.bytes(event.attr).u64(out.size()).u64(8 * event.ids.size());
    for (const std::uint64_t id : event.ids) out.u64(id);
  }
  attr_entry_size_ = size + section_size;
  attrs_offset_ = out.size();
  attrs_size_ = attrs.size();
  out.bytes(attrs.view()).align();
  data_offset_ = out.size();
  out_.write_copy(out.view());
}

void RecordingWriter::finish_file() {
  before_records();
  // perf takes a recording without records for one that was never finished.
  if (out_.size() == data_offset_) write_record(RecordType::finished_round, {});
  data_size_ = out_.size() - data_offset_;
  const FeatureSections features = feature_sections();
  out_.write_copy(features.bytes);
  out_.flush();
  write_file_header(features.bitmap);
}

RecordingWriter::FeatureSections RecordingWriter::feature_sections() {
  if (compressor_) {
    header_.feature(Feature::compressed) =
        compression_feature(header_.order, *options_.compression_level, compressor_->ratio());
  }
  if (!auxtrace_index_.empty()) {
    ByteWriter index(header_.order);
    index.u64(auxtrace_index_.size());
    for (const AuxtraceIndexEntry& entry : auxtrace_index_) index.u64(entry.file_offset).u64(entry.size);
    header_.feature(Feature::auxtrace) = index.take();
  }
  // On a foreign byte order perf guesses the width of the bitmap's words from this bit (perf_file_header__read()).
  if (header_.order == ByteOrder::swapped && !header_.has(Feature::hostname)) {
    header_.feature(Feature::hostname) = ByteWriter(header_.order).u32(8).zeros(8).take();
  }

  FeatureSections result;
  ByteWriter table(header_.order), sections(header_.order);
  const std::uint64_t sections_offset = out_.size() + header_.features.size() * section_size;
  for (const auto& [number, content] : header_.features) {
    result.bitmap[number / 64] |= std::uint64_t{1} << number % 64;
    table.u64(sections_offset + sections.size()).u64(content.size());
    sections.bytes(content);
  }
  result.bytes = table.bytes(sections.view()).take();
  return result;
}

void RecordingWriter::write_file_header(const std::array<std::uint64_t, 4>& features) {
  ByteWriter header(header_.order);
  header.u64(magic_of_version_2).u64(file_header_size).u64(attr_entry_size_).u64(attrs_offset_).u64(attrs_size_);
  header.u64(data_offset_).u64(data_size_).u64(0).u64(0);
  for (const std::uint64_t word : features) header.u64(word);
  sink_.write_at(0, header.view());
}

// --- pipe form: struct perf_pipe_file_header, and records in the order of perf_event__synthesize_for_pipe()

void RecordingWriter::write_pipe_header() {
  out_.write_copy(ByteWriter(header_.order).u64(magic_of_version_2).u64(16).view());
}

void RecordingWriter::start_pipe() {
  write_pipe_header();
  for (const EventEntry& event : header_.events) {
    ByteWriter payload(header_.order);
    payload.bytes(attr_of_size(event.attr, event.attr.size(), header_.order));
    for (const std::uint64_t id : event.ids) payload.u64(id);
    if (payload.size() > most_payload) {
      throw Error("an event has " + std::to_string(event.ids.size()) +
                  " ids, more than a recording in pipe form can hold; write a file");
    }
    write_record(RecordType::header_attr, payload.view());
  }
  if (!header_.from_records && header_.has(Feature::event_description)) write_event_names();

  if (header_.end_of_features == 0) {
    const bool newer = std::ranges::any_of(header_.features, [](const auto& feature) {
      return feature.first >= end_of_features_6_1 && feature.first <= last_known_feature;
    });
    header_.end_of_features = newer ? last_known_feature + 1 : end_of_features_6_1;
  }
  for (const auto& [number, content] : header_.features) write_feature_record(number, content);
  write_record(RecordType::header_feature, ByteWriter(header_.order).u64(header_.end_of_features).view());

  if (header_.has(Feature::tracing_data)) write_tracing_data(header_.feature(Feature::tracing_data));
  if (header_.has(Feature::build_id)) {
    for (const BuildIdEntry& entry : build_ids_in(header_.feature(Feature::build_id), header_.order)) {
      out_.write_copy(build_id_record(entry, header_.order));
    }
  }
}

void RecordingWriter::start_live() {
  write_pipe_header();
  constexpr auto compressed = static_cast<std::uint32_t>(Feature::compressed);
  header_.end_of_features = end_of_features_6_1;
  if (compressor_) write_feature_record(compressed, header_.features.at(compressed));
}

// Readers take a feature without content for the end of the features.
void RecordingWriter::write_feature_record(std::uint32_t number, Bytes content) {
  if (has_own_record_type(number) || content.empty()) return;
  if (number >= header_.end_of_features || sizeof(std::uint64_t) + content.size() > most_payload) {
    left_out_.push_back(number);
    return;
  }
  write_record(RecordType::header_feature, ByteWriter(header_.order).u64(number).bytes(content).view());
}

// EVENT_DESC also has the names. But EVENT_DESC has all ids, and many events on many CPUs have more ids than a record
// holds. And if an event lacks a field that is printed by default, perf script 6.1 makes up a name before EVENT_DESC
// comes.
void RecordingWriter::write_event_names() {
  constexpr std::uint64_t name_update = 2;  // PERF_EVENT_UPDATE__NAME
  constexpr auto event_desc = Feature::event_description;
  Features features;
  decode_feature(static_cast<std::uint32_t>(event_desc), header_.feature(event_desc), header_.order, features);
  for (const EventDescription& event : features.event_descriptions) {
    if (event.ids.empty()) continue;
    const ByteWriter payload = ByteWriter(header_.order).u64(name_update).u64(event.ids.front()).padded(event.name);
    write_record(RecordType::event_update, payload.view());
  }
}

// The data is padded, and the record's size includes the padding (perf_event__synthesize_tracing_data()).
void RecordingWriter::write_tracing_data(Bytes data) {
  const ByteWriter padded = std::move(ByteWriter(header_.order).bytes(data).align());
  write_record(RecordType::header_tracing_data,
               ByteWriter(header_.order).u32(static_cast<std::uint32_t>(padded.size())).zeros(4).view());
  out_.write_copy(padded.view());
}

void RecordingWriter::write_record(RecordType type, Bytes payload) {
  ByteWriter record(header_.order);
  record.u32(static_cast<std::uint32_t>(type)).u16(0);
  record.u16(static_cast<std::uint16_t>(record_header_size + payload.size())).bytes(payload);
  out_.write_copy(record.view());
}

}  // namespace perfsift::reader
