#include "output/firefox/shared_tables.h"

#include <algorithm>

#include "base/path.h"
#include "base/printable_utf8.h"
#include "output/firefox/columns.h"
#include "output/json.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;
using analysis::FrameId;
using analysis::FrameKind;
using analysis::FrameOrigin;

FirefoxCategory category_of(FrameKind kind) {
  switch (kind) {
    case FrameKind::user:
      return FirefoxCategory::user;
    case FrameKind::kernel:
      return FirefoxCategory::kernel;
    case FrameKind::jit:
      return FirefoxCategory::jit;
    default:
      return FirefoxCategory::other;
  }
}

// The build id as Breakpad writes it: a GUID of its first 16 bytes, whose first three groups are numbers of a
// little-endian machine, and an age of 0.
std::string breakpad_id(const BuildId& build_id) {
  constexpr std::size_t order[] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string id;
  for (const std::size_t i : order) {
    const auto byte = std::to_integer<unsigned>(build_id.bytes[i]);
    id += digits[byte >> 4];
    id += digits[byte & 15];
  }
  return id + '0';
}

}  // namespace

SharedTables::SharedTables(const ExportSource& source, const CallTree& tree)
    : source_(source), tree_(tree), frames_(source.profile.frames()), numbers_(tree) {
  for (const FrameId frame : numbers_.frames()) functions_of_frames_.push_back(function_of(frame));
}

std::uint32_t SharedTables::string(std::string_view text) {
  const auto [known, is_new] =
      string_numbers_.try_emplace(printable_utf8(text), static_cast<std::uint32_t>(strings_.size()));
  if (is_new) strings_.push_back(known->first);
  return known->second;
}

std::uint32_t SharedTables::function_of(FrameId frame) {
  const Function function{string(frames_.text(frame)), resource_of(frame), source_of(frame)};
  const auto [known, is_new] = function_numbers_.try_emplace(function, static_cast<std::uint32_t>(functions_.size()));
  if (is_new) functions_.push_back(function);
  return known->second;
}

// -1 for code outside of binaries.
std::int64_t SharedTables::resource_of(FrameId frame) {
  const std::uint32_t binary = frames_.origin(frame).binary;
  if (binary == FrameOrigin::none) return -1;
  const auto [known, is_new] = resource_numbers_.try_emplace(binary, static_cast<std::int64_t>(resources_.size()));
  if (is_new) {
    resources_.push_back(binary);
    string(base_name(frames_.binaries()[binary].path));
  }
  return known->second;
}

// -1: not known.
std::int64_t SharedTables::source_of(FrameId frame) {
  const std::string_view file = frames_.file_of(frame);
  if (file.empty()) return -1;
  const std::uint32_t name = string(file);
  const auto [known, is_new] = source_numbers_.try_emplace(name, static_cast<std::int64_t>(sources_.size()));
  if (is_new) sources_.push_back(name);
  return known->second;
}

void SharedTables::write_libs(TextWriter& text) const {
  text.text("\"libs\":[");
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    const analysis::FrameBinary& binary = frames_.binaries()[resources_[i]];
    const std::string path = printable_utf8(binary.path), name(base_name(path));
    Json lib = {{"arch", source_.machine},
                {"name", name},
                {"path", path},
                {"debugName", name},
                {"debugPath", path},
                {"breakpadId", breakpad_id(binary.build_id)},
                {"codeId", binary.build_id.hex()}};
    if (binary.build_id.empty()) lib["codeId"] = nullptr;
    if (i != 0) text.text(",\n");
    text.text(lib.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  text.text("],\n");
}

void SharedTables::write(TextWriter& text) const {
  text.text("\"shared\":{");
  write_stacks(text);
  write_frames(text);
  write_functions(text);
  write_resources(text);
  write_sources(text);
  text.text("\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0},\n");
  write_strings(text);
  text.text("},\n");
}

void SharedTables::write_stacks(TextWriter& text) const {
  const std::size_t length = tree_.size() - 1;
  const auto node = [](std::size_t stack) { return static_cast<CallTree::Node>(stack + 1); };
  text.text("\"stackTable\":{");
  write_column(text, "frame", length, [&](std::size_t i) { text.decimal(numbers_[tree_.frame(node(i))]); });
  write_column(text, "prefix", length, [&](std::size_t i) {
    const CallTree::Node parent = tree_.parent(node(i));
    if (parent == CallTree::root) {
      text.text("null");
    } else {
      text.decimal(stack_of(parent));
    }
  });
  write_length(text, length);
  text.text(",\n");
}

// Writes no addresses: these would be for symbols, and the frames have names.
void SharedTables::write_frames(TextWriter& text) const {
  const std::vector<FrameId>& frames = numbers_.frames();
  text.text("\"frameTable\":{");
  write_equal_column(text, "address", frames.size(), "-1");
  write_column(text, "inlineDepth", frames.size(),
               [&](std::size_t i) { text.character(frames_.origin(frames[i]).inlined ? '1' : '0'); });
  write_column(text, "category", frames.size(), [&](std::size_t i) {
    text.decimal(static_cast<std::uint64_t>(category_of(frames_.origin(frames[i]).kind)));
  });
  write_equal_column(text, "subcategory", frames.size(), "0");
  write_column(text, "func", frames.size(), [&](std::size_t i) { text.decimal(functions_of_frames_[i]); });
  write_equal_column(text, "nativeSymbol", frames.size(), "null");
  write_equal_column(text, "innerWindowID", frames.size(), "0");
  write_column(text, "line", frames.size(), [&](std::size_t i) {
    const std::uint32_t line = frames_.origin(frames[i]).line;
    text.text(line == 0 ? "null" : std::to_string(line));
  });
  write_equal_column(text, "column", frames.size(), "null");
  write_length(text, frames.size());
  text.text(",\n");
}

void SharedTables::write_functions(TextWriter& text) const {
  const std::size_t length = functions_.size();
  text.text("\"funcTable\":{");
  write_column(text, "name", length, [&](std::size_t i) { text.decimal(std::get<0>(functions_[i])); });
  write_equal_column(text, "isJS", length, "false");
  write_equal_column(text, "relevantForJS", length, "false");
  write_column(text, "resource", length, [&](std::size_t i) { text.signed_decimal(std::get<1>(functions_[i])); });
  write_column(text, "source", length, [&](std::size_t i) {
    const std::int64_t file = std::get<2>(functions_[i]);
    text.text(file < 0 ? "null" : std::to_string(file));
  });
  write_equal_column(text, "lineNumber", length, "null");
  write_equal_column(text, "columnNumber", length, "null");
  write_length(text, length);
  text.text(",\n");
}

void SharedTables::write_resources(TextWriter& text) const {
  constexpr std::string_view library = "1";
  const std::size_t length = resources_.size();
  text.text("\"resourceTable\":{");
  write_equal_column(text, "type", length, library);
  write_column(text, "lib", length, [&](std::size_t i) { text.decimal(i); });
  write_column(text, "name", length, [&](std::size_t i) {
    const std::string_view name = base_name(frames_.binaries()[resources_[i]].path);
    text.decimal(string_numbers_.at(printable_utf8(name)));
  });
  write_equal_column(text, "host", length, "null");
  write_length(text, length);
  text.text(",\n");
}

void SharedTables::write_sources(TextWriter& text) const {
  const std::size_t length = sources_.size();
  text.text("\"sources\":{");
  write_equal_column(text, "id", length, "null");
  write_column(text, "filename", length, [&](std::size_t i) { text.decimal(sources_[i]); });
  write_equal_column(text, "startLine", length, "1");
  write_equal_column(text, "startColumn", length, "1");
  write_equal_column(text, "sourceMapURL", length, "null");
  write_length(text, length);
  text.text(",\n");
}

void SharedTables::write_strings(TextWriter& text) const {
  text.text("\"stringArray\":[");
  for (std::size_t i = 0; i < strings_.size(); ++i) {
    if (i != 0) text.text(",\n");
    text.text(json_string(strings_[i]));
  }
  text.character(']');
}

}  // namespace perfsift::output
