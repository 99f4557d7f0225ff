#include "output/pprof/locations.h"

#include <algorithm>
#include <utility>

#include <protozero/pbf_writer.hpp>

#include "analysis/input/pprof_fields.h"
#include "analysis/profile/lost_frames.h"

namespace perfsift::output {
namespace {

namespace pprof = analysis::pprof;
using analysis::FrameId;
using analysis::FrameOrigin;
using protozero::pbf_writer;

// The address at which perf_data_converter puts lost samples.
constexpr std::uint64_t lost_address = 0x9000000000000000;
// No file has such large offsets. Addresses of the kernel and of memory without a file are above them, and are not
// moved.
constexpr std::uint64_t least_absolute = std::uint64_t{1} << 32;
constexpr std::uint64_t first_start = std::uint64_t{1} << 32, granule = std::uint64_t{1} << 20;
// The page size with which pprof compares mappings and segments of files, on every machine.
constexpr std::uint64_t page_size = 4096;

bool is_lost(std::string_view text) {
  return text == analysis::lost_samples_frame || text == analysis::lost_records_frame;
}

}  // namespace

Locations::Locations(const analysis::CallTree& tree, std::string_view main_binary)
    : tree_(tree),
      frames_(tree.profile().frames()),
      nodes_(tree.size()),
      inlined_(frames_.size()),
      of_frame_(frames_.size()),
      of_binary_(frames_.binaries().size()) {
  // The first mapping is the main binary, whose name pprof shows.
  const auto is_main = [&](const analysis::FrameBinary& binary) { return binary.path == main_binary; };
  const auto& binaries = frames_.binaries();
  const auto main = std::ranges::find_if(binaries, is_main);
  if (main_binary.empty() || main == binaries.end()) {
    Mapping& fake = mappings_[new_mapping({}, {})];
    fake.limit = 1;
  } else {
    of_binary_[static_cast<std::size_t>(main - binaries.begin())] = new_mapping(main->path, main->build_id.hex());
  }
  for (analysis::FrameId frame = 0; frame < frames_.size(); ++frame) inlined_[frame] = frames_.origin(frame).inlined;
  for (Node node = 1; node < tree.size(); ++node) add_node(node);
  place_mappings();
}

// An inlined call is part of the next outer frame of a function.
bool Locations::is_inlined_into_parent(Node node) const {
  if (!inlined_[tree_.frame(node)]) return false;
  const Node parent = tree_.parent(node);
  if (parent == analysis::CallTree::root) return false;
  const FrameOrigin& origin = frames_.origin(tree_.frame(node));
  const FrameOrigin& outer = frames_.origin(tree_.frame(parent));
  return origin.binary == outer.binary && origin.kind == outer.kind && origin.address == outer.address;
}

void Locations::add_node(Node node) {
  const Node parent = tree_.parent(node);
  const bool inlined = is_inlined_into_parent(node);
  const std::uint32_t outer = inlined ? nodes_[parent].location : 0;
  nodes_[node] = {.location = location_of(outer, tree_.frame(node)), .next = inlined ? nodes_[parent].next : parent};
}

std::uint32_t Locations::location_of(std::uint32_t outer, FrameId frame) {
  std::uint32_t& known = outer == 0 ? of_frame_[frame] : of_inlined_[std::uint64_t{outer} << 32 | frame];
  if (known != 0) return known;
  known = static_cast<std::uint32_t>(locations_.size());
  Location location;
  if (outer != 0) location.frames = locations_[outer].frames;
  location.frames.push_back(frame);
  location.mapping = mapping_of(location.frames.front());
  if (location.mapping != none) note_in_mapping(frame, location.mapping);
  locations_.push_back(std::move(location));
  return known;
}

std::uint64_t Locations::mapping_of(FrameId frame) {
  const FrameOrigin& origin = frames_.origin(frame);
  if (origin.binary != FrameOrigin::none) {
    std::uint64_t& mapping = of_binary_[origin.binary];
    const analysis::FrameBinary& binary = frames_.binaries()[origin.binary];
    if (mapping == none) mapping = new_mapping(binary.path, binary.build_id.hex());
    return mapping;
  }
  if (!is_lost(frames_.text(frame))) return none;
  if (!lost_) lost_ = new_mapping(pprof::lost_mapping, {});
  return *lost_;
}

std::uint64_t Locations::new_mapping(std::string path, std::string build_id) {
  mappings_.push_back({.path = std::move(path), .build_id = std::move(build_id)});
  return mappings_.size() - 1;
}

void Locations::note_in_mapping(FrameId frame, std::uint64_t number) {
  Mapping& mapping = mappings_[number];
  const FrameOrigin& origin = frames_.origin(frame);
  if (origin.address != 0) mapping.first = std::min(mapping.first, origin.address);
  mapping.last = std::max(mapping.last, origin.address);
  mapping.functions |= !origin.unnamed;
  mapping.files |= origin.file != FrameOrigin::none;
  mapping.lines |= origin.line != 0;
  mapping.inlines |= origin.inlined;
}

// A binary is mapped from the first to the last used page, as a loader maps the code of a file. Code may have different
// offsets in the file and in memory (lld), so pprof finds the segment by the offset of the mapping.
void Locations::place_mappings() {
  std::uint64_t next = first_start;
  const auto rounded = [](std::uint64_t offset) { return offset / granule * granule; };
  for (std::size_t id = 1; id < mappings_.size(); ++id) {
    Mapping& mapping = mappings_[id];
    if (lost_ == id) {
      mapping.start = mapping.offset = lost_address;
      mapping.limit = lost_address + 1;
    } else if (mapping.last >= least_absolute) {
      mapping.start = mapping.offset = rounded(mapping.first);
      const std::uint64_t end = rounded(mapping.last) + granule;
      mapping.limit = end > mapping.last ? end : ~std::uint64_t{0};
    } else if (mapping.limit == 0) {
      mapping.offset = std::min(mapping.first, mapping.last) / page_size * page_size;
      mapping.start = next + mapping.offset;
      mapping.limit = next + (mapping.last / page_size + 1) * page_size;
      next += rounded(mapping.last) + 2 * granule;
    }
  }
}

std::uint64_t Locations::address_of(const Location& location) const {
  if (lost_ && location.mapping == *lost_) return lost_address;
  const std::uint64_t offset = frames_.origin(location.frames.front()).address;
  if (location.mapping == none || offset == 0) return offset;
  const Mapping& mapping = mappings_[location.mapping];
  return offset - mapping.offset + mapping.start;
}

std::string Locations::encode(StringTable& strings) const {
  std::string all;
  pbf_writer profile(all);
  for (std::size_t id = 1; id < mappings_.size(); ++id)
    profile.add_message(pprof::Profile::mapping, encode_mapping(id, strings));
  std::map<Function, std::uint64_t> functions;
  for (std::size_t id = 1; id < locations_.size(); ++id)
    profile.add_message(pprof::Profile::location, encode_location(id, functions));
  std::vector<const Function*> by_id(functions.size());
  for (const auto& [function, id] : functions) by_id[id - 1] = &function;
  for (std::size_t i = 0; i < by_id.size(); ++i) {
    pbf_writer function(profile, pprof::Profile::function);
    function.add_uint64(pprof::Function::id, i + 1);
    function.add_int64(pprof::Function::name, strings.number(by_id[i]->name));
    function.add_int64(pprof::Function::system_name, strings.number(by_id[i]->name));
    function.add_int64(pprof::Function::filename, strings.number(by_id[i]->file));
  }
  return all;
}

std::string Locations::encode_mapping(std::uint64_t id, StringTable& strings) const {
  const Mapping& mapping = mappings_[id];
  std::string bytes;
  pbf_writer message(bytes);
  message.add_uint64(pprof::Mapping::id, id);
  message.add_uint64(pprof::Mapping::memory_start, mapping.start);
  message.add_uint64(pprof::Mapping::memory_limit, mapping.limit);
  message.add_uint64(pprof::Mapping::file_offset, mapping.offset);
  message.add_int64(pprof::Mapping::filename, strings.number(mapping.path));
  message.add_int64(pprof::Mapping::build_id, strings.number(mapping.build_id));
  if (mapping.functions) message.add_bool(pprof::Mapping::has_functions, true);
  if (mapping.files) message.add_bool(pprof::Mapping::has_filenames, true);
  if (mapping.lines) message.add_bool(pprof::Mapping::has_line_numbers, true);
  if (mapping.inlines) message.add_bool(pprof::Mapping::has_inline_frames, true);
  return bytes;
}

std::string Locations::encode_location(std::uint64_t id, std::map<Function, std::uint64_t>& functions) const {
  const Location& location = locations_[id];
  std::string bytes;
  pbf_writer message(bytes);
  message.add_uint64(pprof::Location::id, id);
  if (location.mapping != none) message.add_uint64(pprof::Location::mapping_id, location.mapping);
  if (const std::uint64_t address = address_of(location); address != 0)
    message.add_uint64(pprof::Location::address, address);
  for (auto frame = location.frames.rbegin(); frame != location.frames.rend(); ++frame) {
    const Function function{.name = frames_.text(*frame), .file = frames_.file_of(*frame)};
    pbf_writer line(message, pprof::Location::line);
    line.add_uint64(pprof::Line::function_id, functions.try_emplace(function, functions.size() + 1).first->second);
    if (const std::uint32_t number = frames_.origin(*frame).line; number != 0)
      line.add_int64(pprof::Line::line, number);
  }
  return bytes;
}

}  // namespace perfsift::output
