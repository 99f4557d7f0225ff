#include "output/page/page.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "output/flame/palette_shades.h"
#include "output/gzip/gzip_pieces.h"
#include "output/markup.h"
#include "output/page/base64.h"
#include "output/web/bundles.h"

namespace perfsift::output {
namespace {

using Fillings = std::array<std::pair<std::string_view, std::string_view>, 7>;

constexpr std::string_view data_place = "{{DATA}}";

// The parts of the template before and behind the place of the data.
std::pair<std::string_view, std::string_view> around_data() {
  const std::string_view all = web::page_html;
  const std::size_t at = all.find(data_place);
  return {all.substr(0, at), all.substr(at + data_place.size())};
}

// Writes a part of the template, with {{NAME}} replaced by its filling. Fillings may contain braces.
void write_filled(std::string_view part, const Fillings& fillings, const PageSink& write) {
  for (std::size_t at; (at = part.find("{{")) != std::string_view::npos;) {
    write(part.substr(0, at));
    const std::size_t end = part.find("}}", at);
    const std::string_view name = part.substr(at + 2, end - at - 2);
    for (const auto& [filling, text] : fillings) {
      if (filling == name) write(text);
    }
    part.remove_prefix(end + 2);
  }
  write(part);
}

// Compresses and writes at the same time.
void write_data(const PageData& data, unsigned threads, const PageSink& write) {
  Base64Writer text(write);
  write_gzip(data.parts(), threads, [&](std::string_view bytes) { text.write(bytes); });
  text.end();
}

// A nonce from the page's own texts. Nobody changes a written file, so one property is enough: the recording cannot
// know the nonce of its future page. `content` has all texts of the page.
std::string nonce_of(std::string_view content) {
  std::uint64_t hash = mix(odd_1, content.size());
  for (; !content.empty(); content.remove_prefix(std::min(content.size(), sizeof(std::uint64_t)))) {
    std::uint64_t word = 0;
    std::memcpy(&word, content.data(), std::min(content.size(), sizeof(word)));
    hash = mix(hash ^ word, odd_2);
  }
  return fmt::format("{:016x}", mix(hash, odd_3));
}

}  // namespace

void write_report_page(const PageContents& contents, unsigned threads, const PageSink& write) {
  const PageData data(contents, threads);
  const std::string title = markup_text(contents.title), nonce = nonce_of(data.description()),
                    palettes = palette_shades().dump();
  const Fillings fillings = {{{"TITLE", title},
                              {"NONCE", nonce},
                              {"CONNECT", "'none'"},
                              {"STYLE", web::page_css},
                              {"PALETTES", palettes},
                              {"SCRIPT", web::page_js},
                              {"LIVE", ""}}};
  const auto [before, behind] = around_data();
  write_filled(before, fillings, write);
  write_data(data, threads, write);
  write_filled(behind, fillings, write);
}

std::string live_page(std::string_view title, std::string_view nonce) {
  const std::string title_text = markup_text(title), palettes = palette_shades().dump();
  const Fillings fillings = {{{"TITLE", title_text},
                              {"NONCE", nonce},
                              {"CONNECT", "'self'"},
                              {"STYLE", web::page_css},
                              {"PALETTES", palettes},
                              {"SCRIPT", web::page_js},
                              {"LIVE", " data-live"}}};
  std::string page;
  const auto append = [&](std::string_view part) { page += part; };
  const auto [before, behind] = around_data();
  write_filled(before, fillings, append);
  write_filled(behind, fillings, append);
  return page;
}

std::string live_page_policy(std::string_view nonce) {
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      nonce);
}

}  // namespace perfsift::output
