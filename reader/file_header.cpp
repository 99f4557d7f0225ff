#include "reader/file_header.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "reader/input_file.h"

namespace perfsift::reader {
namespace {

constexpr std::size_t old_file_header_size = 72;  // before the feature bitmap existed

constexpr std::string_view magic_v2 = "PERFILE2";
constexpr std::string_view magic_v2_swapped = "2ELIFREP";
constexpr std::string_view magic_v1 = "PERFFILE";

std::string_view magic_of(Bytes start) {
  return {reinterpret_cast<const char*>(start.data()), std::min<std::size_t>(start.size(), 8)};
}

// The magic is written as a number: a writer of this machine's byte order leaves the text readable on a little-endian
// machine, and reversed on a big-endian machine.
std::string_view native_magic() { return std::endian::native == std::endian::little ? magic_v2 : magic_v2_swapped; }
std::string_view foreign_magic() { return std::endian::native == std::endian::little ? magic_v2_swapped : magic_v2; }

// Sizes that struct perf_file_attr had over time. They show the byte order of a version 1 file, whose magic does not.
bool is_known_attr_size(std::uint64_t size) {
  constexpr std::array<std::uint64_t, 9> attr_sizes = {64, 72, 80, 96, 104, 112, 120, 128, 136};
  return std::ranges::find(attr_sizes, size - section_size) != attr_sizes.end();
}

std::optional<ByteOrder> order_of_version_1(Bytes start, std::uint64_t header_size) {
  ByteReader in(start);
  in.skip(8);
  const std::uint64_t size = in.u64();
  const std::uint64_t attr_size = in.u64();
  const bool pipe = header_size == pipe_header_size;
  if (pipe ? size == pipe_header_size : is_known_attr_size(attr_size)) return ByteOrder::native;
  if (pipe ? byte_swap(size) == pipe_header_size : is_known_attr_size(byte_swap(attr_size))) return ByteOrder::swapped;
  return std::nullopt;
}

std::bitset<256> bitmap_of_words(ByteReader in) {
  std::bitset<256> bits;
  for (std::size_t word = 0; word < 4; ++word) {
    const std::uint64_t value = in.u64();
    for (std::size_t bit = 0; bit < 64; ++bit) bits[word * 64 + bit] = ((value >> bit) & 1) != 0;
  }
  return bits;
}

std::bitset<256> bitmap_of_half_words(ByteReader in) {
  std::bitset<256> bits;
  for (std::size_t word = 0; word < 8; ++word) {
    const std::uint32_t value = in.u32();
    for (std::size_t bit = 0; bit < 32; ++bit) bits[word * 32 + bit] = ((value >> bit) & 1) != 0;
  }
  return bits;
}

// The bitmap is an array of the writer's `unsigned long`, so on a foreign byte order its width must be guessed.
// HOSTNAME is in practically every recording, so HOSTNAME decides. Without HOSTNAME only BUILD_ID is accepted
// (perf_file_header__read()).
std::bitset<256> feature_bitmap(Bytes bytes, ByteOrder order) {
  constexpr auto hostname = static_cast<std::size_t>(Feature::hostname);
  constexpr auto build_id = static_cast<std::size_t>(Feature::build_id);
  const auto words = bitmap_of_words(ByteReader(bytes, order));
  if (order == ByteOrder::native || words[hostname]) return words;
  const auto half_words = bitmap_of_half_words(ByteReader(bytes, order));
  if (half_words[hostname]) return half_words;
  std::bitset<256> only_build_id;
  only_build_id[build_id] = words[build_id] || half_words[build_id];
  return only_build_id;
}

struct Section {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

Section read_section(ByteReader& in) {
  Section section;
  section.offset = in.u64();
  section.size = in.u64();
  return section;
}

std::optional<Bytes> inside(Bytes file, const Section& section) {
  if (section.offset > file.size() || section.size > file.size() - section.offset) return std::nullopt;
  return file.subspan(static_cast<std::size_t>(section.offset), static_cast<std::size_t>(section.size));
}

}  // namespace

bool is_pipe_header(Bytes start) {
  const auto magic = magic_of(start);
  if (magic != magic_v2 && magic != magic_v2_swapped && magic != magic_v1) return false;
  ByteReader in(start);
  in.skip(8);
  const std::uint64_t size = in.u64();
  return in.ok() && (size == pipe_header_size || byte_swap(size) == pipe_header_size);
}

FileHeader parse_file_header(Bytes file, const std::string& path) {
  if (file.empty()) throw InputError(nothing_in(path));
  FileHeader header;
  const auto magic = magic_of(file);
  if (magic == native_magic()) {
    header.order = ByteOrder::native;
  } else if (magic == foreign_magic()) {
    header.order = ByteOrder::swapped;
  } else if (magic == magic_v1) {
    header.version = 1;
    const auto order = order_of_version_1(file, is_pipe_header(file) ? pipe_header_size : file_header_size);
    if (!order) throw InputError(path + ": an old recording (PERFFILE) of unknown byte order");
    header.order = *order;
  } else {
    throw InputError(path + ": not a perf.data file (it does not start with PERFILE2); was it written by perf record?");
  }

  ByteReader in(file, header.order);
  in.skip(8);
  header.size = in.u64();
  if (!in.ok())
    throw InputError(path + ": cut inside the perf.data header (" + std::to_string(file.size()) + " bytes)");
  if (header.size == pipe_header_size) {
    header.pipe = true;
    header.data_offset = pipe_header_size;
    return header;
  }
  if (header.size != file_header_size && header.size != old_file_header_size) {
    throw InputError(path + ": a perf.data header of " + std::to_string(header.size) +
                     " bytes; known are 104, 72 and 16 (pipe): the header is damaged");
  }
  header.attr_size = in.u64();
  const Section attrs = read_section(in);
  const Section data = read_section(in);
  header.attrs_offset = attrs.offset;
  header.attrs_size = attrs.size;
  header.data_offset = data.offset;
  header.data_size = data.size;
  in.skip(section_size);  // event types: not used since 2010
  if (header.size == file_header_size) header.features = feature_bitmap(in.bytes(32), header.order);
  if (!in.ok()) {
    throw InputError(path + ": cut inside the perf.data header (" + std::to_string(file.size()) + " bytes)");
  }
  return header;
}

std::vector<AttrEntry> read_attr_table(Bytes file, const FileHeader& header, bool& complete) {
  std::vector<AttrEntry> entries;
  const auto table = inside(file, {header.attrs_offset, header.attrs_size});
  complete = table.has_value() && header.attr_size > section_size;
  if (!complete) return entries;

  // The stride is the header's: a newer perf_event_attr has a tail that is unknown here. Lists of ids lie one after the
  // other, so all lists together are no longer than the file.
  std::uint64_t ids_left = file.size() / 8;
  ByteReader in(*table, header.order);
  while (in.remaining() >= header.attr_size) {
    ByteReader entry(in.bytes(header.attr_size), header.order);
    const auto attr = decode_event_attr(entry.bytes(header.attr_size - section_size), header.order);
    auto ids = inside(file, read_section(entry));
    if (ids && ids->size() / 8 > ids_left) ids.reset();
    if (!attr || !ids) complete = false;
    if (!attr) continue;
    AttrEntry& added = entries.emplace_back(AttrEntry{.attr = *attr, .ids = {}});
    ByteReader id(ids.value_or(Bytes{}), header.order);
    while (id.remaining() >= 8) added.ids.push_back(id.u64());
    ids_left -= added.ids.size();
  }
  if (in.remaining() != 0) complete = false;
  return entries;
}

bool read_feature_sections(Bytes file, const FileHeader& header, Features& features) {
  const std::uint64_t table_offset = header.data_offset + header.data_size;
  const auto table = inside(file, {table_offset, header.features.count() * section_size});
  if (table_offset < header.data_offset || !table) return header.features.none();

  // One entry per set bit, bits of unknown features included. Sections do not overlap, so all sections together are no
  // longer than the file.
  std::uint64_t bytes_left = file.size();
  ByteReader in(*table, header.order);
  bool complete = true;
  for (std::uint32_t number = 0; number < header.features.size(); ++number) {
    if (!header.features[number]) continue;
    const auto section = inside(file, read_section(in));
    if (section && section->size() <= bytes_left) {
      decode_feature(number, *section, header.order, features);
      bytes_left -= section->size();
    } else {
      complete = false;
    }
  }
  return complete;
}

}  // namespace perfsift::reader
