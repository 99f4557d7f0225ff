#include "output/page/page.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/large_vector.h"
#include "base/share_work.h"
#include "output/flame/palette_shades.h"
#include "output/gzip/gzip_pieces.h"
#include "output/markup.h"
#include "output/page/web.h"

namespace perfsift::output {
namespace {

// Three bytes become four digits, two at a time.
class Base64Digits {
 public:
  Base64Digits() {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (unsigned bits = 0; bits < pairs_.size(); ++bits) pairs_[bits] = {digits[bits >> 6], digits[bits & 63]};
  }
  // `text` has room for four digits.
  void write(unsigned char a, unsigned char b, unsigned char c, char* text) const {
    const unsigned word = unsigned{a} << 16 | unsigned{b} << 8 | c;
    std::memcpy(text, pairs_[word >> 12].data(), 2);
    std::memcpy(text + 2, pairs_[word & 0xfff].data(), 2);
  }

 private:
  std::array<std::array<char, 2>, 4096> pairs_;
};

UnsetVector<char> base64(std::string_view bytes, unsigned threads) {
  static const Base64Digits digits;
  UnsetVector<char> text((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : '\0'; };
  constexpr std::size_t range = 3 << 16;
  for_each_task(threads, (bytes.size() + range - 1) / range, [&](std::size_t number) {
    const std::size_t begin = number * range, end = std::min(bytes.size(), begin + range);
    char* to = text.data() + begin / 3 * 4;
    for (std::size_t i = begin; i < end; i += 3, to += 4) digits.write(byte(i), byte(i + 1), byte(i + 2), to);
  });
  if (const std::size_t over = bytes.size() % 3; over != 0) std::fill_n(text.rbegin(), 3 - over, '=');
  return text;
}

std::string scripts() {
  using namespace web;
  std::string all = "const paletteShades = " + palette_shades().dump() + ";\n";
  for (const std::string_view script :
       {theme_js,         dom_js,        format_js,        columns_js,    model_js,
        selection_js,     trees_js,      change_js,        colours_js,    search_js,
        state_js,         layout_js,     flame_js,         live_js,       expression_js,
        save_js,          overview_js,   selection_bar_js, flame_view_js, functions_view_js,
        function_view_js, lanes_view_js, heat_view_js,     waits_view_js, summary_view_js,
        main_js}) {
    all += script;
  }
  return all;
}

using Fillings = std::array<std::pair<std::string_view, std::string_view>, 7>;

// Writes the template with {{NAME}} replaced. What is filled in may contain braces.
void write_filled(const Fillings& fillings, const PageSink& write) {
  std::string_view rest = web::page_html;
  for (std::size_t at; (at = rest.find("{{")) != std::string_view::npos;) {
    write(rest.substr(0, at));
    const std::size_t end = rest.find("}}", at);
    const std::string_view name = rest.substr(at + 2, end - at - 2);
    for (const auto& [filling, text] : fillings) {
      if (filling == name) write(text);
    }
    rest.remove_prefix(end + 2);
  }
  write(rest);
}

// For a file, which nobody changes once it is written, it is enough that a recording cannot know the nonce of the page
// in which it will be.
std::string nonce_of(std::string_view data) {
  std::uint64_t hash = mix(odd_1, data.size());
  for (; !data.empty(); data.remove_prefix(std::min(data.size(), sizeof(std::uint64_t)))) {
    std::uint64_t word = 0;
    std::memcpy(&word, data.data(), std::min(data.size(), sizeof(word)));
    hash = mix(hash ^ word, odd_2);
  }
  return fmt::format("{:016x}", mix(hash, odd_3));
}

}  // namespace

void write_report_page(const PageContents& contents, unsigned threads, const PageSink& write) {
  const std::string packed = gzip(PageData(contents, threads).parts(), threads);
  const UnsetVector<char> text = base64(packed, threads);
  write_filled({{{"TITLE", markup_text(contents.title)},
                 {"NONCE", nonce_of(packed)},
                 {"CONNECT", "'none'"},
                 {"STYLE", web::page_css},
                 {"SCRIPT", scripts()},
                 {"LIVE", ""},
                 {"DATA", {text.data(), text.size()}}}},
               write);
}

std::string live_page(std::string_view title, std::string_view nonce) {
  std::string page;
  write_filled({{{"TITLE", markup_text(title)},
                 {"NONCE", nonce},
                 {"CONNECT", "'self'"},
                 {"STYLE", web::page_css},
                 {"SCRIPT", scripts()},
                 {"LIVE", " data-live"},
                 {"DATA", ""}}},
               [&](std::string_view part) { page += part; });
  return page;
}

std::string live_page_policy(std::string_view nonce) {
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      nonce);
}

}  // namespace perfsift::output
