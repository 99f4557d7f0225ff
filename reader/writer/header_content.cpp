#include "reader/writer/header_content.h"

#include <algorithm>

#include "reader/file_header.h"
#include "reader/format/counted_list.h"
#include "reader/records/header_records.h"

namespace perfsift::reader {
namespace {

std::vector<std::byte> copy(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// The bytes of the section whose offset and size `in` reads; nothing when the section is not wholly in the file.
std::optional<Bytes> read_section(ByteReader& in, Bytes file) {
  const std::uint64_t offset = in.u64(), size = in.u64();
  ByteReader content(file, in.order());
  content.skip(offset);
  const Bytes section = content.bytes(size);
  return in.ok() && content.ok() ? std::optional(section) : std::nullopt;
}

std::vector<std::uint64_t> read_ids(Bytes bytes, ByteOrder order) {
  ByteReader in(bytes, order);
  return read_u64s(in, in.remaining() / 8);
}

// Lists of ids and feature sections do not overlap, so all of them together are no longer than the file.
class FileSections {
 public:
  FileSections(Bytes file, const FileHeader& header) : file_(file), header_(header), bytes_left_(file.size()) {}

  void read_events(HeaderContent& content) {
    if (header_.attr_size <= section_size) return;
    ByteReader all(file_, header_.order);
    all.skip(header_.attrs_offset);
    ByteReader table(all.bytes(header_.attrs_size), header_.order);
    while (table.remaining() >= header_.attr_size) {
      ByteReader entry(table.bytes(header_.attr_size), header_.order);
      const Bytes attr = entry.bytes(header_.attr_size - section_size);
      if (!decode_event_attr(attr, header_.order)) continue;  // such an attr is no event of the recording either
      content.events.push_back({copy(attr), read_ids(take(entry).value_or(Bytes{}), header_.order)});
    }
  }

  void read_features(HeaderContent& content) {
    if (header_.data_size == 0) return;  // never finished
    ByteReader table(file_, header_.order);
    table.skip(header_.data_offset);
    table.skip(header_.data_size);
    for (std::uint32_t number = 0; number < header_.features.size(); ++number) {
      if (!header_.features[number]) continue;
      if (const auto section = take(table)) {
        content.features[number] = copy(*section);
      } else {
        content.unreadable.push_back(number);
      }
    }
  }

 private:
  std::optional<Bytes> take(ByteReader& table) {
    const auto section = read_section(table, file_);
    if (!section || section->size() > bytes_left_) return std::nullopt;
    bytes_left_ -= section->size();
    return section;
  }

  Bytes file_;
  const FileHeader& header_;
  std::uint64_t bytes_left_;
};

// The entries of the BUILD_ID section are HEADER_BUILD_ID records (dsos__write_buildid_table()).
void add_build_id(const Record& record, HeaderContent& content) {
  const std::byte* start = record.payload.data() - record_header_size;
  auto& section = content.feature(Feature::build_id);
  section.insert(section.end(), start, record.payload.data() + record.payload.size());
}

void add_event(const Record& record, HeaderContent& content) {
  auto attr = decode_header_attr(record);
  if (!attr) return;
  const std::size_t size = std::min<std::size_t>(attr->attr.size, record.payload.size());
  content.events.push_back({copy(record.payload.first(size)), std::move(attr->ids)});
}

void add_feature(const Record& record, HeaderContent& content) {
  const auto feature = decode_header_feature(record);
  if (!feature || feature->number >= FileHeader{}.features.size()) return;
  const auto number = static_cast<std::uint32_t>(feature->number);
  if (feature->last()) {
    content.end_of_features = number;
  } else {
    content.features[number] = copy(feature->data);
  }
}

void add_record(const Record& record, HeaderContent& content) {
  switch (record.header.type) {
    case RecordType::header_attr:
      return add_event(record, content);
    case RecordType::header_feature:
      return add_feature(record, content);
    case RecordType::header_tracing_data:
      if (const auto tracing = decode_header_tracing_data(record)) {
        content.feature(Feature::tracing_data) = copy(tracing->data);
      }
      return;
    case RecordType::header_build_id:
      return add_build_id(record, content);
    default:
      return;
  }
}

}  // namespace

HeaderContent header_content(const Recording& recording) {
  const FileHeader& header = recording.header();
  HeaderContent content{.order = header.order, .from_records = header.pipe};
  if (header.pipe) {
    recording.visit_records([&](const Record& record) { add_record(record, content); });
  } else {
    FileSections sections(recording.header_file(), header);
    sections.read_events(content);
    sections.read_features(content);
  }
  return content;
}

}  // namespace perfsift::reader
