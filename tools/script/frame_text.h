// The text of a frame, rendered once for every distinct place.
//
// A recording has millions of frames and some thousand places. So what follows the address,
// " main+0x10 (/usr/bin/ls)", is kept by (binary, offset); and before that, because even finding the
// binary costs a search, by (version of the address space, address) in a small direct-mapped cache.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/script/callchain.h"
#include "tools/script/code_names.h"
#include "tools/script/fields.h"
#include "tools/text_writer.h"

namespace perfsift::tools {

struct FrameTextOptions {
  bool inlines = true;             // not with --no-inline
  bool full_source_paths = false;  // --full-source-path
  // --stop-bt: a callchain is printed up to the first of these functions.
  std::set<std::string, std::less<>> last_functions;
};

// Not thread-safe.
class FrameText {
 public:
  FrameText(CodeNames& names, FrameTextOptions options) : names_(names), options_(options), recent_(recent_size) {}

  // A frame of a callchain: "\t            115f main+0x10 (/usr/bin/ls)\n", and in front of it the calls that were
  // inlined there: "\t            115f work+0x10 (inlined)\n". With srcline each has its line behind it,
  // "\n  main.cpp:12", and the frame, where that is not known, its place: "\n  ls[115f]". What perf 6.1 prints as
  // address of a user frame is its place in the file. Returns whether the callchain goes on.
  bool print_frame(TextWriter& out, const reader::ThreadState& thread, const Frame& frame, FieldSet fields);
  // A sample's address without a callchain: "    55c508e1115f main+0x10 (/usr/bin/ls)"
  void print_address(TextWriter& out, const reader::ThreadState& thread, const Frame& frame, FieldSet fields);

 private:
  // What follows the address.
  struct Tails {
    std::string_view frame;
    std::span<const std::string> inlined;  // innermost first
    bool frame_shown = true;               // the callchain does not end among the inlined calls
    bool last = false;                     // the callchain ends here
  };
  struct Rendered {
    std::uint64_t offset = 0;
    bool in_kernel = false;
    bool mapped = false;
    Tails tails;
  };
  struct Recent {
    std::uint64_t address = 0;
    reader::MapsVersion maps = 0;
    std::uint32_t code_version = 0;
    std::uint16_t key = 0;  // 0: empty
    Rendered rendered;
  };
  struct Place {
    CodeAddress at;
    std::uint32_t code_version = 0;
    std::uint16_t parts = 0;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };

  static constexpr std::size_t recent_size = 1 << 14;

  const Rendered& rendered(const reader::ThreadState& thread, const Frame& frame, FieldSet fields);
  Rendered render(const reader::ThreadState& thread, const Frame& frame, FieldSet fields, std::uint16_t parts);
  Tails tails(const CodeLocation& location, const Frame& frame, FieldSet fields, std::uint16_t parts);
  Tails render_tails(const CodeLocation& location, const Frame& frame, FieldSet fields);
  std::vector<SourceCall> source_calls(const CodeLocation& location, const Frame& frame, FieldSet fields);
  std::string render_inlined(const CodeLocation& location, const SourceCall& call, FieldSet fields);
  std::string render_line(const CodeLocation& location, const SourceCall* call, FieldSet fields);
  bool is_last(std::string_view function) const { return options_.last_functions.contains(function); }
  bool shows_inlines(const Frame& frame) const;
  std::uint16_t parts_of(const Frame& frame, FieldSet fields) const;

  CodeNames& names_;
  const FrameTextOptions options_;
  std::vector<Recent> recent_;
  std::unordered_map<Place, Tails, PlaceHash> tails_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::string>> inlined_texts_;
};

}  // namespace perfsift::tools
