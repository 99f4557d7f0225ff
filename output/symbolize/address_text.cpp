#include "output/symbolize/address_text.h"

#include "base/path.h"
#include "base/printable.h"
#include "output/json.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::output {

using symbolize::SourceFrame;

void AddressText::append(std::uint64_t address, std::span<const SourceFrame> frames, TextWriter& to) {
  if (options_.json) return append_json(address, frames, to);
  if (options_.addresses) to.format("0x{:016x}{}", address, options_.pretty ? ": " : "\n");
  if (frames.empty()) return append_unknown(to);
  bool first = true;
  for (const SourceFrame& frame : options_.inlines ? frames : frames.first(1)) {
    if (options_.pretty && !first) to.text(" (inlined by) ");
    append_frame(frame, to);
    first = false;
  }
}

void AddressText::append_unknown(TextWriter& to) const {
  if (options_.functions) to.text(options_.pretty ? "?? " : "??\n");
  to.text("??:0\n");
}

void AddressText::append_frame(const SourceFrame& frame, TextWriter& to) {
  if (options_.functions) {
    to.text(frame.name.empty() ? "??" : printable(readable(frame), escaped_));
    to.text(options_.pretty ? " at " : "\n");
  }
  to.text(frame.place.file.empty() ? "??" : printable(shown(frame.place.file), escaped_));
  to.character(':');
  if (frame.place.line != 0)
    to.decimal(frame.place.line);
  else
    to.character('?');
  to.character('\n');
}

void AddressText::append_json(std::uint64_t address, std::span<const SourceFrame> frames, TextWriter& to) {
  Json list = Json::array();
  for (const SourceFrame& frame : frames) {
    Json& object = list.emplace_back(Json::object());
    if (!frame.name.empty()) object["function"] = readable(frame);
    if (!frame.name.empty() && frame.mangled) object["symbol"] = frame.name;
    if (!frame.place.file.empty()) object["file"] = shown(frame.place.file);
    if (frame.place.line != 0) object["line"] = frame.place.line;
    if (frame.place.column != 0) object["column"] = frame.place.column;
    object["inlined"] = frame.inlined;
  }
  Json object = Json::object();
  object["address"] = fmt::format("0x{:x}", address);
  object["frames"] = std::move(list);
  to.text(object.dump(-1, ' ', false, Json::error_handler_t::replace));
  to.character('\n');
}

std::string_view AddressText::readable(const SourceFrame& frame) {
  if (!frame.mangled || (!options_.demangle && !options_.json)) return frame.name;
  const auto [known, added] = demangled_.try_emplace(frame.name.data());
  if (added) known->second = symbolize::demangle(frame.name, symbolize::DemangleStyle::full);
  return known->second;
}

std::string_view AddressText::shown(std::string_view path) const {
  return options_.base_names ? base_name(path) : path;
}

}  // namespace perfsift::output
