#include "tools/script/frame_text.h"

namespace perfsift::tools {
namespace {

std::uint64_t mix(std::uint64_t value) {
  value *= 0x9e3779b97f4a7c15;  // Fibonacci hashing: 2^64 divided by the golden ratio
  return value ^ (value >> 32);
}

std::string render_tail(CodeNames& names, const CodeLocation& location, FieldSet fields) {
  TextWriter text;
  if (fields.has(Field::sym)) {
    text.character(' ');
    names.print_symbol(text, location, fields.has(Field::symoff));
  }
  if (fields.has(Field::dso)) {
    text.text(" (");
    text.text(names.binary_name(location));
    text.character(')');
  }
  return std::string(text.view());
}

void print_line(TextWriter& out, std::uint64_t address, std::string_view tail) {
  out.character('\t');
  out.hex(address, 16);
  out.text(tail);
  out.character('\n');
}

std::string render_inlined(CodeNames& names, const CodeLocation& location, std::string_view call, FieldSet fields) {
  TextWriter text;
  if (fields.has(Field::sym)) {
    text.character(' ');
    names.print_inlined(text, location, call, fields.has(Field::symoff));
  }
  text.text(" (inlined)");
  return std::string(text.view());
}

}  // namespace

std::size_t FrameText::PlaceHash::operator()(const Place& place) const {
  return mix(place.at.offset ^ (std::uint64_t{place.at.binary} << 40) ^ (std::uint64_t{place.parts} << 60) ^
             (std::uint64_t{place.code_version} << 32));
}

void FrameText::print_frame(TextWriter& out, const reader::ThreadState& thread, const Frame& frame, FieldSet fields) {
  const Rendered& text = rendered(thread, frame, fields);
  const bool as_offset = names_.style() == PerfStyle::perf_6_1 && text.mapped && !text.in_kernel;
  const std::uint64_t address = as_offset ? text.offset : frame.address;
  for (const std::string& inlined : text.tails.inlined) print_line(out, address, inlined);
  print_line(out, address, text.tails.frame);
}

void FrameText::print_address(TextWriter& out, const reader::ThreadState& thread, const Frame& frame, FieldSet fields) {
  out.hex(frame.address, 16);
  out.text(rendered(thread, frame, fields).tails.frame);
}

// Which parts of the text are asked for.
std::uint16_t FrameText::parts_of(const Frame& frame, FieldSet fields) const {
  return static_cast<std::uint16_t>((fields.has(Field::sym) ? 1 : 0) | (fields.has(Field::symoff) ? 2 : 0) |
                                    (fields.has(Field::dso) ? 4 : 0) | (shows_inlines(frame) ? 8 : 0) |
                                    (frame.return_address ? 16 : 0));
}

// perf 6.1 looks for inlined calls in unwound frames alone (append_inlines() is called by unwind_entry()).
bool FrameText::shows_inlines(const Frame& frame) const {
  return inlines_ && (frame.unwound || names_.style() != PerfStyle::perf_6_1);
}

const FrameText::Rendered& FrameText::rendered(const reader::ThreadState& thread, const Frame& frame, FieldSet fields) {
  const std::uint16_t parts = parts_of(frame, fields);
  const bool user = frame.mode == reader::CpuMode::user;
  const reader::MapsVersion maps = user ? thread.maps : thread.kernel_maps;
  const std::uint32_t version = user ? names_.code_version() : 0;
  const auto key = static_cast<std::uint16_t>(1 + (parts | static_cast<unsigned>(frame.mode) << 5));
  Recent& recent = recent_[mix(frame.address ^ (std::uint64_t{maps} << 32) ^ key) % recent_size];
  if (recent.key != key || recent.address != frame.address || recent.maps != maps || recent.code_version != version) {
    recent = {.address = frame.address,
              .maps = maps,
              .code_version = version,
              .key = key,
              .rendered = render(thread, frame, fields, parts)};
  }
  return recent.rendered;
}

FrameText::Rendered FrameText::render(const reader::ThreadState& thread, const Frame& frame, FieldSet fields,
                                      std::uint16_t parts) {
  const CodeLocation location = names_.locate(thread, frame.mode, frame.address);
  return {.offset = location.offset,
          .in_kernel = names_.in_kernel(location),
          .mapped = location.mapped(),
          .tails = tails(location, frame, fields, parts)};
}

FrameText::Tails FrameText::tails(const CodeLocation& location, const Frame& frame, FieldSet fields,
                                  std::uint16_t parts) {
  // In perf 6.1 the text of a symbol of unknown size depends on where it was mapped.
  if (names_.style() == PerfStyle::perf_6_1 && location.symbol != nullptr && location.offset >= location.symbol->end) {
    return render_tails(location, frame, fields);
  }
  // Where there is no name the text is the same for the whole binary.
  constexpr std::uint64_t unnamed = ~std::uint64_t{0};
  const Place place{.at = {.binary = location.binary, .offset = location.symbol != nullptr ? location.offset : unnamed},
                    .code_version = location.code_version,
                    .parts = parts};
  const auto [found, is_new] = tails_.try_emplace(place);
  if (is_new) found->second = render_tails(location, frame, fields);
  return found->second;
}

FrameText::Tails FrameText::render_tails(const CodeLocation& location, const Frame& frame, FieldSet fields) {
  Tails tails{.frame = texts_.emplace_back(render_tail(names_, location, fields)), .inlined = {}};
  if (!shows_inlines(frame) || location.symbol == nullptr) return tails;
  std::vector<std::string> calls = names_.inlined_calls(location, frame.return_address);
  if (calls.empty()) return tails;
  for (std::string& call : calls) call = render_inlined(names_, location, call, fields);
  tails.inlined = inlined_texts_.emplace_back(std::move(calls));
  return tails;
}

}  // namespace perfsift::tools
