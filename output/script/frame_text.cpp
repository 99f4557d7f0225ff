#include "output/script/frame_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/path.h"
#include "base/printable.h"

namespace perfsift::output {
namespace {

void print_line(TextWriter& out, std::uint64_t address, std::string_view tail) {
  out.character('\t');
  out.hex(address, 16);
  out.text(tail);
  out.character('\n');
}

}  // namespace

std::size_t FrameText::TailsHash::operator()(const TailsKey& key) const {
  return mix(key.at.offset ^ (std::uint64_t{key.at.binary} << 40) ^ (std::uint64_t{key.parts} << 60) ^
                 (std::uint64_t{key.code_version} << 32),
             golden);
}

bool FrameText::print_frame(TextWriter& out, const reader::ThreadState& thread, const analysis::Frame& frame,
                            FieldSet fields) {
  const Rendered& text = rendered(thread, frame, fields);
  const bool as_offset = style_ == analysis::PerfStyle::perf_6_1 && text.mapped && !text.in_kernel;
  const std::uint64_t address = as_offset ? text.offset : frame.address;
  for (const std::string& inlined : text.tails.inlined) print_line(out, address, inlined);
  if (text.tails.frame_shown) print_line(out, address, text.tails.frame);
  return !text.tails.last;
}

void FrameText::print_address(TextWriter& out, const reader::ThreadState& thread, const analysis::Frame& frame,
                              FieldSet fields) {
  out.hex(frame.address, 16);
  out.text(rendered(thread, frame, fields).tails.frame);
}

// The wanted parts of the text, as bits.
std::uint16_t FrameText::parts_of(const analysis::Frame& frame, FieldSet fields) const {
  return static_cast<std::uint16_t>((fields.has(Field::sym) ? 1 : 0) | (fields.has(Field::symoff) ? 2 : 0) |
                                    (fields.has(Field::dso) ? 4 : 0) | (shows_inlines(frame) ? 8 : 0) |
                                    (frame.return_address ? 16 : 0) | (fields.has(Field::srcline) ? 32 : 0));
}

// perf 6.1 looks for inlined calls in unwound frames alone (append_inlines() is called by unwind_entry()).
bool FrameText::shows_inlines(const analysis::Frame& frame) const {
  return options_.inlines && (frame.unwound || style_ != analysis::PerfStyle::perf_6_1);
}

const FrameText::Rendered& FrameText::rendered(const reader::ThreadState& thread, const analysis::Frame& frame,
                                               FieldSet fields) {
  const std::uint16_t parts = parts_of(frame, fields);
  const bool user = frame.mode == reader::CpuMode::user;
  const reader::MapsVersion maps = user ? thread.maps : thread.kernel_maps;
  const RenderedKey key{.address = frame.address,
                        .maps = maps,
                        .code_version = user ? names_.code_version() : 0,
                        .parts = parts,
                        .mode = frame.mode};
  const std::uint64_t kind = parts | static_cast<unsigned>(frame.mode) << 6;
  return rendered_.get(key, mix(frame.address ^ (std::uint64_t{maps} << 32) ^ kind, golden),
                       [&] { return render(thread, frame, fields, parts); });
}

FrameText::Rendered FrameText::render(const reader::ThreadState& thread, const analysis::Frame& frame, FieldSet fields,
                                      std::uint16_t parts) {
  const analysis::CodeLocation location = names_.locate(thread, frame.mode, frame.address);
  return {.offset = location.offset,
          .in_kernel = names_.in_kernel(location),
          .mapped = location.mapped(),
          .tails = tails(location, frame, fields, parts)};
}

FrameText::Tails FrameText::tails(const analysis::CodeLocation& location, const analysis::Frame& frame, FieldSet fields,
                                  std::uint16_t parts) {
  // In perf 6.1 the text of a symbol of unknown size depends on where it was mapped.
  if (style_ == analysis::PerfStyle::perf_6_1 && location.symbol != nullptr &&
      location.offset >= location.symbol->end) {
    return render_tails(location, frame, fields);
  }
  // Without a name the text is the same for the whole binary.
  constexpr std::uint64_t unnamed = ~std::uint64_t{0};
  const bool one_text = location.symbol == nullptr && !fields.has(Field::srcline);
  const TailsKey key{.at = {.binary = location.binary, .offset = one_text ? unnamed : location.offset},
                     .code_version = location.code_version,
                     .parts = parts};
  const auto [found, is_new] = tails_.try_emplace(key);
  if (is_new) found->second = render_tails(location, frame, fields);
  return found->second;
}

FrameText::Tails FrameText::render_tails(const analysis::CodeLocation& location, const analysis::Frame& frame,
                                         FieldSet fields) {
  std::vector<analysis::SourceCall> calls = source_calls(location, frame, fields);
  const bool with_calls = shows_inlines(frame) && location.symbol != nullptr;
  TextWriter tail;
  location_text_.print_place(tail, location, fields);
  // Without frames for inlined calls, the line of the function is the line of the innermost call.
  const analysis::SourceCall* const own = calls.empty() ? nullptr : with_calls ? &calls.back() : &calls.front();
  tail.text(render_line(location, own, fields));
  Tails tails{.frame = texts_.emplace_back(tail.view()), .inlined = {}};
  tails.last = location.symbol != nullptr && is_last(names_.readable_name(location));
  if (!with_calls || calls.size() < 2) return tails;

  calls.pop_back();  // the function itself, for which there is a symbol
  if (const auto last =
          std::ranges::find_if(calls, [&](const analysis::SourceCall& call) { return is_last(call.name); });
      last != calls.end()) {
    calls.erase(last + 1, calls.end());
    tails.frame_shown = false;
    tails.last = true;
  }
  std::vector<std::string>& texts = inlined_texts_.emplace_back();
  for (const analysis::SourceCall& call : calls) texts.push_back(render_inlined(location, call, fields));
  tails.inlined = texts;
  return tails;
}

// Debug information is read only if a field needs it. perf 6.1 looks for the line of a recorded return address itself,
// not of the call in front of it (sample__fprintf_callchain() in tools/perf/util/evsel_fprintf.c).
std::vector<analysis::SourceCall> FrameText::source_calls(const analysis::CodeLocation& location,
                                                          const analysis::Frame& frame, FieldSet fields) {
  const bool inlines = shows_inlines(frame) && location.symbol != nullptr;
  if (!inlines && !fields.has(Field::srcline)) return {};
  const bool as_recorded = style_ == analysis::PerfStyle::perf_6_1 && !frame.unwound;
  return names_.source_calls(location, frame.return_address && !as_recorded);
}

std::string FrameText::render_inlined(const analysis::CodeLocation& location, const analysis::SourceCall& call,
                                      FieldSet fields) {
  TextWriter text;
  if (fields.has(Field::sym)) {
    text.character(' ');
    location_text_.print_inlined(text, location, call.name, fields.has(Field::symoff));
  }
  return std::string(text.view()) + render_line({}, &call, fields) + " (inlined)";
}

// Without a line, perf prints the address in the binary: get_srcline() in tools/perf/util/srcline.c.
std::string FrameText::render_line(const analysis::CodeLocation& location, const analysis::SourceCall* call,
                                   FieldSet fields) {
  if (!fields.has(Field::srcline)) return {};
  if (call == nullptr || call->place.file.empty() || call->place.line == 0) {
    const std::string place = names_.place_in_binary(location);
    return place.empty() ? place : "\n  " + place;
  }
  const auto& [file, line, column] = call->place;
  return fmt::format("\n  {}:{}", printable(options_.full_source_paths ? file : base_name(file)), line);
}

}  // namespace perfsift::output
