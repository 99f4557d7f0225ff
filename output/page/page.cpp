#include "output/page/page.h"

#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "base/hash.h"
#include "output/markup.h"
#include "output/page/web.h"

namespace perfsift::output {
namespace {

std::string gzip(std::string_view data) {
  z_stream stream{};
  constexpr int with_gzip_header = 15 + 16;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, with_gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string packed(deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));  // zlib only reads
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U; };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (const int shift : {18, 12, 6, 0}) text.push_back(digits[word >> shift & 63]);
  }
  if (const std::size_t over = bytes.size() % 3; over != 0)
    text.replace(text.size() - (3 - over), 3 - over, 3 - over, '=');
  return text;
}

std::string scripts() {
  using namespace web;
  std::string all;
  for (const std::string_view script :
       {theme_js,      dom_js,           format_js,     columns_js,        model_js,
        selection_js,  trees_js,         colours_js,    search_js,         state_js,
        layout_js,     flame_js,         live_js,       expression_js,     save_js,
        overview_js,   selection_bar_js, flame_view_js, functions_view_js, function_view_js,
        lanes_view_js, heat_view_js,     waits_view_js, summary_view_js,   main_js}) {
    all += script;
  }
  return all;
}

using Fillings = std::array<std::pair<std::string_view, std::string>, 7>;

// The template with {{NAME}} replaced. What is filled in may contain braces.
std::string filled(const Fillings& fillings) {
  std::string page;
  std::string_view rest = web::page_html;
  for (std::size_t at; (at = rest.find("{{")) != std::string_view::npos;) {
    page += rest.substr(0, at);
    const std::size_t end = rest.find("}}", at);
    const std::string_view name = rest.substr(at + 2, end - at - 2);
    for (const auto& [filling, text] : fillings) {
      if (filling == name) page += text;
    }
    rest.remove_prefix(end + 2);
  }
  return page += rest;
}

// For a file, which nobody changes once it is written, it is enough that a recording cannot know the nonce of the page
// in which it will be.
std::string nonce_of(std::string_view data) {
  std::uint64_t hash = odd_1;
  for (const char c : data) hash = mix(hash ^ static_cast<unsigned char>(c), odd_2);
  return fmt::format("{:016x}", mix(hash, odd_3));
}

}  // namespace

std::string report_page(const PageContents& contents) {
  const std::string packed = base64(gzip(page_data(contents)));
  return filled({{{"TITLE", markup_text(contents.title)},
                  {"NONCE", nonce_of(packed)},
                  {"CONNECT", "'none'"},
                  {"STYLE", std::string(web::page_css)},
                  {"SCRIPT", scripts()},
                  {"LIVE", ""},
                  {"DATA", packed}}});
}

std::string live_page(std::string_view title, std::string_view nonce) {
  return filled({{{"TITLE", markup_text(title)},
                  {"NONCE", std::string(nonce)},
                  {"CONNECT", "'self'"},
                  {"STYLE", std::string(web::page_css)},
                  {"SCRIPT", scripts()},
                  {"LIVE", " data-live"},
                  {"DATA", ""}}});
}

std::string live_page_policy(std::string_view nonce) {
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      nonce);
}

}  // namespace perfsift::output
