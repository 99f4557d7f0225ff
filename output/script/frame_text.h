// The text of a frame, rendered once for every distinct key.
//
// A recording has millions of frames and some thousand addresses. So the text behind the address,
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
#include <utility>
#include <vector>

#include "analysis/samples/callchain.h"
#include "analysis/samples/code_names.h"
#include "base/recent_cache.h"
#include "output/script/fields.h"
#include "output/script/location_text.h"
#include "output/text_writer.h"

namespace perfsift::output {

struct FrameTextOptions {
  bool inlines = true;             // not with --no-inline
  bool full_source_paths = false;  // --full-source-path
  // --stop-bt: a callchain is printed up to the first of these functions.
  std::set<std::string, std::less<>> last_functions;
};

// Not thread-safe.
class FrameText {
 public:
  FrameText(analysis::CodeNames& names, analysis::PerfStyle style, FrameTextOptions options)
      : names_(names), location_text_(names, style), style_(style), options_(std::move(options)) {}

  // A frame of a callchain: "\t            115f main+0x10 (/usr/bin/ls)\n", and in front of it the calls that were
  // inlined there: "\t            115f work+0x10 (inlined)\n". With srcline each is followed by its line,
  // "\n  main.cpp:12", or, for a frame without a line, by the offset in the binary: "\n  ls[115f]". perf 6.1 prints the
  // offset in the file as the address of a user frame. Returns whether the callchain goes on.
  bool print_frame(TextWriter& out, const reader::ThreadState& thread, const analysis::Frame& frame, FieldSet fields);
  // A sample's address without a callchain: "    55c508e1115f main+0x10 (/usr/bin/ls)"
  void print_address(TextWriter& out, const reader::ThreadState& thread, const analysis::Frame& frame, FieldSet fields);

 private:
  // The text behind the address.
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
  struct RenderedKey {
    std::uint64_t address = 0;
    reader::MapsVersion maps = 0;
    std::uint32_t code_version = 0;
    std::uint16_t parts = 0;
    reader::CpuMode mode = reader::CpuMode::unknown;
    bool operator==(const RenderedKey&) const = default;
  };
  struct TailsKey {
    CodeAddress at;
    std::uint32_t code_version = 0;
    std::uint16_t parts = 0;
    bool operator==(const TailsKey&) const = default;
  };
  struct TailsHash {
    std::size_t operator()(const TailsKey& key) const;
  };

  const Rendered& rendered(const reader::ThreadState& thread, const analysis::Frame& frame, FieldSet fields);
  Rendered render(const reader::ThreadState& thread, const analysis::Frame& frame, FieldSet fields,
                  std::uint16_t parts);
  Tails tails(const analysis::CodeLocation& location, const analysis::Frame& frame, FieldSet fields,
              std::uint16_t parts);
  Tails render_tails(const analysis::CodeLocation& location, const analysis::Frame& frame, FieldSet fields);
  std::vector<analysis::SourceCall> source_calls(const analysis::CodeLocation& location, const analysis::Frame& frame,
                                                 FieldSet fields);
  std::string render_inlined(const analysis::CodeLocation& location, const analysis::SourceCall& call, FieldSet fields);
  std::string render_line(const analysis::CodeLocation& location, const analysis::SourceCall* call, FieldSet fields);
  bool is_last(std::string_view function) const { return options_.last_functions.contains(function); }
  bool shows_inlines(const analysis::Frame& frame) const;
  std::uint16_t parts_of(const analysis::Frame& frame, FieldSet fields) const;

  analysis::CodeNames& names_;
  LocationText location_text_;
  const analysis::PerfStyle style_;
  const FrameTextOptions options_;
  RecentCache<RenderedKey, Rendered, 1 << 14> rendered_;
  std::unordered_map<TailsKey, Tails, TailsHash> tails_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::string>> inlined_texts_;
};

}  // namespace perfsift::output
