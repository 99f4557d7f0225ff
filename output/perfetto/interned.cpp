#include "output/perfetto/interned.h"

#include <protozero/pbf_writer.hpp>

#include "base/printable_utf8.h"
#include "output/perfetto/fields.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;
using analysis::FrameKind;
using analysis::FrameOrigin;
using protozero::pbf_writer;

std::uint32_t kind_of(FrameKind kind) {
  if (kind == FrameKind::kernel) return perfetto::Frame::of_kernel;
  return kind == FrameKind::jit ? perfetto::Frame::jit : perfetto::Frame::native;
}

}  // namespace

InternedFrames::InternedFrames(const CallTree& tree) : tree_(tree), numbers_(tree) {
  for (std::size_t i = 0; i < numbers_.frames().size(); ++i) add_frame(numbers_.frames()[i], i + 1);
}

std::uint64_t InternedFrames::string_number(std::uint32_t field, std::string_view text,
                                            std::unordered_map<std::string, std::uint64_t>& known) {
  const auto [place, is_new] = known.try_emplace(std::string(text), known.size() + 1);
  if (is_new) {
    pbf_writer data(data_);
    pbf_writer string(data, field);
    string.add_uint64(perfetto::InternedString::iid, place->second);
    string.add_bytes(perfetto::InternedString::str, place->first);
  }
  return place->second;
}

std::uint64_t InternedFrames::mapping_of(std::uint32_t number) {
  const auto [known, is_new] = mappings_.try_emplace(number, mappings_.size() + 1);
  if (!is_new) return known->second;
  const analysis::FrameBinary& binary = tree_.profile().frames().binaries()[number];
  const std::uint64_t path = string_number(perfetto::InternedData::mapping_paths, printable_utf8(binary.path), paths_);
  const std::string_view id(reinterpret_cast<const char*>(binary.build_id.bytes.data()), binary.build_id.size);
  const std::uint64_t build_id = string_number(perfetto::InternedData::build_ids, id, build_ids_);
  pbf_writer data(data_);
  pbf_writer mapping(data, perfetto::InternedData::mappings);
  mapping.add_uint64(perfetto::Mapping::iid, known->second);
  mapping.add_uint64(perfetto::Mapping::build_id, build_id);
  mapping.add_uint64(perfetto::Mapping::path_string_ids, path);
  return known->second;
}

void InternedFrames::add_frame(analysis::FrameId number, std::uint64_t iid) {
  const analysis::FrameTable& frames = tree_.profile().frames();
  const FrameOrigin& origin = frames.origin(number);
  const std::uint64_t function =
      string_number(perfetto::InternedData::function_names, printable_utf8(frames.text(number)), functions_);
  const bool mapped = origin.binary != FrameOrigin::none;
  const std::uint64_t mapping = mapped ? mapping_of(origin.binary) : 0;
  const std::string_view file = frames.file_of(number);
  const std::uint64_t source =
      file.empty() ? 0 : string_number(perfetto::InternedData::source_paths, printable_utf8(file), sources_);
  pbf_writer data(data_);
  pbf_writer frame(data, perfetto::InternedData::frames);
  frame.add_uint64(perfetto::Frame::iid, iid);
  frame.add_uint64(perfetto::Frame::function_name_id, function);
  if (mapped) {
    frame.add_uint64(perfetto::Frame::mapping_id, mapping);
    frame.add_uint64(perfetto::Frame::rel_pc, origin.address);
  }
  if (source != 0) frame.add_uint64(perfetto::Frame::source_path_iid, source);
  if (origin.line != 0) frame.add_uint32(perfetto::Frame::line_number, origin.line);
  frame.add_uint32(perfetto::Frame::kind, kind_of(origin.kind));
}

void InternedFrames::append_stack(CallTree::Node node, std::string& bytes) const {
  std::vector<std::uint64_t> frames(tree_.depth(node));
  CallTree::Node at = node;
  for (std::size_t i = frames.size(); i-- > 0; at = tree_.parent(at)) frames[i] = numbers_[tree_.frame(at)] + 1;
  pbf_writer data(bytes);
  pbf_writer stack(data, perfetto::InternedData::callstacks);
  stack.add_uint64(perfetto::Callstack::iid, node);
  for (const std::uint64_t frame : frames) stack.add_uint64(perfetto::Callstack::frame_ids, frame);
}

}  // namespace perfsift::output
