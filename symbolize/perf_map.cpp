#include "symbolize/perf_map.h"

#include <optional>
#include <utility>

#include "symbolize/live_process.h"
#include "symbolize/text_scanner.h"
#include "symbolize/whole_file.h"

namespace perfsift::symbolize {

namespace {

std::optional<std::uint64_t> take_number(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.starts_with("0x") || line.starts_with("0X")) line.remove_prefix(2);
  return take_hex(line);
}

std::optional<Symbol> parse_entry(std::string_view line) {
  const auto start = take_number(line);
  const auto size = start ? take_number(line) : std::nullopt;
  if (!size || line.empty() || line.front() != ' ') return std::nullopt;
  line.remove_prefix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return std::nullopt;
  return Symbol{*start, end_of(*start, *size), line, Binding::global};
}

std::string map_path(std::int32_t pid) { return "/tmp/perf-" + std::to_string(pid) + ".map"; }

}  // namespace

std::unique_ptr<SymbolTable> parse_perf_map(std::string text) {
  auto table = std::make_unique<SymbolTable>();
  const auto owned = std::make_shared<const std::string>(std::move(text));
  table->own(owned);
  for (std::string_view rest = *owned; !rest.empty();)
    if (const auto symbol = parse_entry(take_line(rest))) table->add(*symbol);
  table->finish_later_wins();
  return table;
}

std::unique_ptr<SymbolTable> load_perf_map(const Binary& binary, const SymbolizeOptions& options) {
  std::string path = options.symfs + map_path(binary.pid);
  std::optional<std::string> text;
  // dso__find_perf_map() of perf: in a container the map is named by the pid the process itself knows.
  if (const std::string root = foreign_root(binary, options); !root.empty()) {
    const std::string inside = root + map_path(inner_pid(binary.pid));
    if ((text = read_whole_file(inside))) path = inside;
  }
  if (!text) text = read_whole_file(path);
  if (!text) return without_symbols(Missing::map_missing);
  auto table = parse_perf_map(std::move(*text));
  table->set_source(path);
  return table;
}

}  // namespace perfsift::symbolize
