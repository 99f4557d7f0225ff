// The tables to which Perfetto's samples refer by number: names, mappings, frames and stacks of a call tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "output/lanes/frame_numbers.h"

namespace perfsift::output {

// Immutable once made. The tree must live longer.
class InternedFrames {
 public:
  explicit InternedFrames(const analysis::CallTree& tree);

  // InternedData with everything but stacks.
  const std::string& frames() const { return data_; }
  // Appends the stack that ends in a node to InternedData. Its number is that of the node. Thread-safe.
  void append_stack(analysis::CallTree::Node node, std::string& data) const;

 private:
  std::uint64_t string_number(std::uint32_t field, std::string_view text,
                              std::unordered_map<std::string, std::uint64_t>& known);
  std::uint64_t mapping_of(std::uint32_t binary);
  void add_frame(analysis::FrameId frame, std::uint64_t iid);

  const analysis::CallTree& tree_;
  const FrameNumbers numbers_;
  std::string data_;
  std::unordered_map<std::string, std::uint64_t> functions_, paths_, build_ids_, sources_;
  std::unordered_map<std::uint32_t, std::uint64_t> mappings_;  // by binary
};

}  // namespace perfsift::output
