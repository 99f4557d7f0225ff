#include "output/script/bpf_output.h"

#include <algorithm>

namespace perfsift::output {
namespace {

constexpr std::size_t bytes_per_line = 8;

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

void print_line(TextWriter& out, std::size_t offset, Bytes bytes) {
  out.right(offset == 0 ? "BPF output:" : "", 17);
  out.format(" {:04x}:", offset);
  for (const std::byte byte : bytes) out.format(" {:02x}", static_cast<unsigned>(byte));
  out.spaces((bytes_per_line - bytes.size()) * 3);
  out.text("  ");
  for (const std::byte byte : bytes) {
    const char c = static_cast<char>(byte);
    out.character(is_printable(c) ? c : '.');
  }
  out.spaces(bytes_per_line - bytes.size());
  out.character('\n');
}

// Whether the data is one string, followed only by NULs.
bool is_string(Bytes raw, std::string_view text) {
  const auto is_nul = [](std::byte byte) { return byte == std::byte{0}; };
  return text.size() < raw.size() && std::ranges::all_of(text, is_printable) &&
         std::ranges::all_of(raw.subspan(text.size()), is_nul);
}

}  // namespace

void print_bpf_output(TextWriter& out, Bytes raw) {
  out.character('\n');
  for (std::size_t offset = 0; offset < raw.size(); offset += bytes_per_line) {
    print_line(out, offset, raw.subspan(offset, std::min(bytes_per_line, raw.size() - offset)));
  }
  if (const std::string_view text = c_string(raw); is_string(raw, text)) {
    out.right("BPF string:", 17);
    out.format(" \"{}\"\n", text);
  }
}

}  // namespace perfsift::output
