// The tables of a Firefox profile that all its threads refer to, made from a call tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "output/export_source.h"
#include "output/lanes/frame_numbers.h"
#include "output/text_writer.h"

namespace perfsift::output {

// The categories of frames, by their numbers.
enum class FirefoxCategory : std::uint8_t { other, user, kernel, jit };

// Immutable once made, except its strings. The source and the tree must live longer.
class SharedTables {
 public:
  SharedTables(const ExportSource& source, const analysis::CallTree& tree);

  // Node n of the tree is stack n - 1.
  static std::uint32_t stack_of(analysis::CallTree::Node node) { return node - 1; }

  // The number of a string. Call it before write().
  std::uint32_t string(std::string_view text);
  // "libs":[…],
  void write_libs(TextWriter& text) const;
  // "shared":{…},
  void write(TextWriter& text) const;

 private:
  using Function = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;  // name, resource, source

  std::uint32_t function_of(analysis::FrameId frame);
  std::int64_t resource_of(analysis::FrameId frame);
  std::int64_t source_of(analysis::FrameId frame);
  void write_stacks(TextWriter& text) const;
  void write_frames(TextWriter& text) const;
  void write_functions(TextWriter& text) const;
  void write_resources(TextWriter& text) const;
  void write_sources(TextWriter& text) const;
  void write_strings(TextWriter& text) const;

  const ExportSource& source_;
  const analysis::CallTree& tree_;
  const analysis::FrameTable& frames_;
  const FrameNumbers numbers_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint32_t> string_numbers_;
  std::vector<std::uint32_t> functions_of_frames_;  // by number of the frame
  std::vector<Function> functions_;
  std::map<Function, std::uint32_t> function_numbers_;
  std::vector<std::uint32_t> resources_;  // binaries
  std::map<std::uint32_t, std::int64_t> resource_numbers_;
  std::vector<std::uint32_t> sources_;  // strings
  std::map<std::uint32_t, std::int64_t> source_numbers_;
};

}  // namespace perfsift::output
