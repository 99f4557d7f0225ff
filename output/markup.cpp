#include "output/markup.h"

#include "base/printable_utf8.h"

namespace perfsift::output {

std::string markup_text(std::string_view text) {
  std::string result;
  for (const char c : printable_utf8(text)) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : printable_utf8(text)) {
    switch (c) {
      case '<':
        result += "\\u003c";
        break;
      case '>':
        result += "\\u003e";
        break;
      case '&':
        result += "\\u0026";
        break;
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      default:
        result += c;
    }
  }
  return result + '"';
}

}  // namespace perfsift::output
