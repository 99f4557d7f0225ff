#include "analysis/rewrite/anonymizer.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "reader/features/strings.h"
#include "reader/records/header_records.h"
#include "reader/records/mmap.h"
#include "reader/records/stat.h"
#include "reader/tracepoint/tracing_data.h"
#include "reader/writer/build_id_record.h"
#include "reader/writer/byte_writer.h"

namespace perfsift::analysis {
namespace {

using reader::ByteWriter;
using reader::Feature;
using reader::HeaderContent;
using reader::Record;
using reader::RecordType;

// The offsets of names in these records: see their decoders.
constexpr std::size_t name_in_comm = 8, name_in_mmap = 32, name_in_mmap2 = 64, name_in_cgroup = 8, name_in_ksymbol = 16,
                      first_in_thread_map = 8, thread_map_entry = 24;

bool is_kernels(reader::CpuMode mode) {
  return mode == reader::CpuMode::kernel || mode == reader::CpuMode::guest_kernel;
}

// do_write_string() in tools/perf/util/header.c: padded to 64 bytes.
void write_string(ByteWriter& out, std::string_view text) {
  constexpr std::size_t alignment = 64;
  const std::size_t size = (text.size() / alignment + 1) * alignment;
  out.u32(static_cast<std::uint32_t>(size)).text(text).zeros(size - text.size());
}

void mask_host(HeaderContent& header, const NameMask& mask) {
  ByteReader in(header.feature(Feature::hostname), header.order);
  ByteWriter masked(header.order);
  write_string(masked, mask.name(reader::read_string(in)));
  header.feature(Feature::hostname) = masked.take();
}

void mask_command_line(HeaderContent& header, const NameMask& mask) {
  ByteReader in(header.feature(Feature::command_line), header.order);
  const auto arguments = reader::read_strings(in);
  ByteWriter masked(header.order);
  masked.u32(static_cast<std::uint32_t>(arguments.size()));
  for (const std::string& argument : arguments) write_string(masked, mask.name(argument));
  header.feature(Feature::command_line) = masked.take();
}

reader::BuildIdEntry masked_entry(reader::BuildIdEntry entry, const NameMask& mask) {
  if (is_kernels(entry.mode)) return entry;
  entry.path = mask.path(entry.path);
  entry.build_id = mask.build_id(entry.build_id);
  return entry;
}

void mask_build_ids(HeaderContent& header, const NameMask& mask) {
  ByteWriter masked(header.order);
  for (auto& entry : reader::build_ids_in(header.feature(Feature::build_id), header.order)) {
    masked.bytes(reader::build_id_record(masked_entry(std::move(entry), mask), header.order));
  }
  header.feature(Feature::build_id) = masked.take();
}

// Tracing data with an empty list of thread names, which comes last. The formats of tracepoints stay. Returns nothing
// for truncated tracing data, because its contents are uncertain.
std::vector<std::byte> without_saved_names(Bytes tracing_data) {
  const auto data = reader::read_tracing_data(tracing_data);
  if (!data || !data->whole) return {};
  if (data->saved_cmdlines.empty()) return {tracing_data.begin(), tracing_data.end()};
  const auto* const start = reinterpret_cast<const std::byte*>(data->saved_cmdlines.data());
  const auto before = static_cast<std::size_t>(start - tracing_data.data()) - sizeof(std::uint64_t);
  ByteWriter without(data->order);
  return without.bytes(tracing_data.first(before)).u64(0).align().take();
}

void mask_tracing_data(HeaderContent& header) {
  auto& section = header.feature(Feature::tracing_data);
  section = without_saved_names(section);
  if (section.empty()) header.drop(Feature::tracing_data);
}

bool is_text(const reader::TracepointField& field) {
  return field.is_string || (field.is_array && field.element_size == 1 && field.type.find("char") != std::string::npos);
}

}  // namespace

void anonymize(HeaderContent& header, const NameMask& mask) {
  if (header.has(Feature::hostname)) mask_host(header, mask);
  if (header.has(Feature::command_line)) mask_command_line(header, mask);
  if (header.has(Feature::build_id)) mask_build_ids(header, mask);
  if (header.has(Feature::tracing_data)) mask_tracing_data(header);
  header.drop(Feature::bpf_prog_info);
  header.drop(Feature::bpf_btf);
  // Unknown sections may contain anything.
  std::erase_if(header.features, [](const auto& feature) { return feature.first > reader::last_known_feature; });
}

Anonymizer::Anonymizer(const reader::Recording& recording, const NameMask& mask)
    : formats_(recording.tracepoints()), mask_(mask) {
  for (const auto& event : recording.events()) events_.add(event->attr, event->ids);
}

Anonymizer::Verdict Anonymizer::judge(const Record& record, Record& changed) {
  switch (record.header.type) {
    case RecordType::comm:
      return mask_name_at(record, name_in_comm, false, changed);
    case RecordType::cgroup:
      return mask_name_at(record, name_in_cgroup, true, changed);
    case RecordType::ksymbol:
      return mask_name_at(record, name_in_ksymbol, false, changed);
    case RecordType::mmap:
      if (is_kernels(record.cpumode())) return Verdict::as_it_is;
      return mask_name_at(record, name_in_mmap, true, changed);
    case RecordType::mmap2:
      return is_kernels(record.cpumode()) ? Verdict::as_it_is : mask_mmap(record, changed);
    case RecordType::header_build_id:
      return mask_build_id(record, changed);
    case RecordType::header_tracing_data:
      return mask_tracing_data(record, changed);
    case RecordType::thread_map:
      return mask_thread_map(record, changed);
    case RecordType::sample:
      return mask_sample(record, changed);
    case RecordType::header_feature:  // perf writes none into files, which have sections instead
    case RecordType::bpf_metadata:
      return Verdict::not_at_all;
    default:
      // Records of unknown types may contain anything.
      return reader::is_known(record.header.type) ? Verdict::as_it_is : Verdict::not_at_all;
  }
}

// The record with its name masked. After the name and its padding comes the sample_id trailer.
Anonymizer::Verdict Anonymizer::mask_name_at(const Record& record, std::size_t offset, bool is_path, Record& changed) {
  if (record.payload.size() < offset) return Verdict::not_at_all;
  const std::string_view name = c_string(record.payload.subspan(offset));
  const std::size_t end = std::min(record.payload.size(), offset + (name.size() / 8 + 1) * 8);
  ByteWriter out(record.order);
  out.zeros(reader::record_header_size).bytes(record.payload.first(offset));
  out.padded(is_path ? mask_.path(name) : mask_.name(name)).bytes(record.payload.subspan(end));
  if (out.size() > std::numeric_limits<std::uint16_t>::max()) return Verdict::not_at_all;
  buffer_ = out.take();
  set_changed(record, changed);
  return Verdict::changed;
}

Anonymizer::Verdict Anonymizer::mask_mmap(const Record& record, Record& changed) {
  const auto mmap = reader::decode_mmap2(record);
  const Verdict verdict = mask_name_at(record, name_in_mmap2, true, changed);
  if (!mmap || verdict != Verdict::changed || mmap->build_id.empty()) return verdict;
  constexpr std::size_t build_id_at = reader::record_header_size + name_in_mmap + 4;
  std::ranges::copy(mask_.build_id(mmap->build_id).bytes, buffer_.begin() + build_id_at);
  return verdict;
}

Anonymizer::Verdict Anonymizer::mask_build_id(const Record& record, Record& changed) {
  auto entry = reader::decode_build_id(record);
  if (!entry) return Verdict::not_at_all;
  buffer_ = reader::build_id_record(masked_entry(std::move(*entry), mask_), record.order);
  set_changed(record, changed);
  return Verdict::changed;
}

// The record and the data after the record. The record's first field is the size of the data.
Anonymizer::Verdict Anonymizer::mask_tracing_data(const Record& record, Record& changed) {
  const auto tracing = reader::decode_header_tracing_data(record);
  const auto data = tracing ? without_saved_names(tracing->data) : std::vector<std::byte>();
  if (data.empty()) return Verdict::not_at_all;
  constexpr std::size_t payload_size = 8;
  ByteWriter out(record.order);
  out.zeros(reader::record_header_size).u32(static_cast<std::uint32_t>(data.size())).zeros(4);
  buffer_ = out.take();
  set_changed(record, changed);
  buffer_.insert(buffer_.end(), data.begin(), data.end());
  changed.payload = Bytes(buffer_).subspan(reader::record_header_size, payload_size);
  changed.trailing = Bytes(buffer_).subspan(reader::record_header_size + payload_size);
  return Verdict::changed;
}

Anonymizer::Verdict Anonymizer::mask_thread_map(const Record& record, Record& changed) {
  set_copy(record, changed);
  const std::span<std::byte> payload = std::span(buffer_).subspan(reader::record_header_size);
  for (std::size_t at = first_in_thread_map; at + thread_map_entry <= payload.size(); at += thread_map_entry) {
    mask_text(payload.subspan(at + 8, thread_map_entry - 8), false);
  }
  return Verdict::changed;
}

// Masks the texts in the data of a tracepoint, in place.
Anonymizer::Verdict Anonymizer::mask_sample(const Record& record, Record& changed) {
  const reader::Event* event = events_.of_sample(record);
  if (formats_ == nullptr || event == nullptr || event->tracepoint_id() < 0) return Verdict::as_it_is;
  const reader::TracepointFormat* format = formats_->find(event->tracepoint_id());
  if (format == nullptr) return Verdict::as_it_is;
  reader::Sample sample;
  if (!decoder_.decode(record, *event, sample) || sample.raw.empty()) return Verdict::as_it_is;

  const auto raw_at = static_cast<std::size_t>(sample.raw.data() - record.payload.data());
  set_copy(record, changed);
  const auto raw = std::span(buffer_).subspan(reader::record_header_size + raw_at, sample.raw.size());
  bool any = false;
  for (const reader::TracepointField& field : format->fields) any |= is_text(field) && mask_field(field, raw);
  return any ? Verdict::changed : Verdict::as_it_is;
}

bool Anonymizer::mask_field(const reader::TracepointField& field, std::span<std::byte> raw) const {
  std::size_t offset = field.offset, size = field.size;
  if (field.is_dynamic) {  // lower 16 bits: offset, upper 16 bits: length
    ByteReader in(raw, formats_->order());
    in.skip(field.offset);
    const std::uint32_t place = in.u32();
    if (!in.ok()) return false;
    offset = (place & 0xffff) + (field.is_relative ? field.offset + field.size : 0);
    size = place >> 16;
  }
  if (offset > raw.size() || size > raw.size() - offset) return false;
  mask_text(raw.subspan(offset, size), !field.name.ends_with("comm"));
  return true;
}

// Overwrites `text` with its mask, cut to the size of `text`.
void Anonymizer::mask_text(std::span<std::byte> text, bool is_path) const {
  const std::string_view old = c_string(text);
  std::string masked = is_path ? mask_.path(old) : mask_.name(old);
  if (text.empty()) return;
  masked.resize(std::min(masked.size(), text.size() - 1));
  std::ranges::fill(text, std::byte{0});
  std::memcpy(text.data(), masked.data(), masked.size());
}

void Anonymizer::set_copy(const Record& record, Record& changed) {
  const std::byte* start = record.payload.data() - reader::record_header_size;
  buffer_.assign(start, record.payload.data() + record.payload.size());
  set_changed(record, changed);
}

// Sets `changed` to the contents of the buffer, with a header for their size.
void Anonymizer::set_changed(const Record& record, Record& changed) {
  const auto size = static_cast<std::uint16_t>(buffer_.size());
  changed = record;
  changed.header.size = size;
  changed.trailing = {};
  changed.payload = Bytes(buffer_).subspan(reader::record_header_size);
  const ByteWriter header = std::move(
      ByteWriter(record.order).u32(static_cast<std::uint32_t>(record.header.type)).u16(record.header.misc).u16(size));
  std::ranges::copy(header.view(), buffer_.begin());
}

std::string unmasked(const reader::Recording& recording) {
  namespace bit = reader::sample_bit;
  bool stacks = false, data = false;
  for (const auto& event : recording.events()) {
    stacks |= event->attr.has(bit::stack_user);
    data |= event->attr.has(bit::raw) && event->attr.is_bpf_output();
  }
  if (stacks && data) return "copies of stacks, and the data of BPF programs";
  if (stacks) return "copies of stacks";
  return data ? "the data of BPF programs" : "";
}

}  // namespace perfsift::analysis
