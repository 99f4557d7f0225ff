#include "symbolize/perf_map.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/jit_files.h"
#include "symbolize/live_process.h"
#include "symbolize/mapped_file.h"
#include "symbolize/text_scanner.h"

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

// The stretches of a file that are stored, in order.
std::vector<Bytes> stored(const FileDescriptor& file, Bytes content) {
  std::vector<Bytes> stretches;
  for (off_t end = 0;;) {
    const off_t begin = lseek(file.get(), end, SEEK_DATA);
    if (begin < 0 && errno == ENXIO) return stretches;  // the rest is a hole
    end = begin < 0 ? -1 : lseek(file.get(), begin, SEEK_HOLE);
    if (end <= begin) return {content};  // a file system that does not tell
    const auto from = static_cast<std::uint64_t>(begin), to = static_cast<std::uint64_t>(end);
    if (from >= content.size()) return stretches;
    stretches.push_back(content.subspan(from, std::min<std::uint64_t>(to, content.size()) - from));
  }
}

// Takes the last line off the end of `text`, without its newline.
std::string_view take_last_line(std::string_view& text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t before = text.rfind('\n');
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view line = text.substr(begin);
  text = text.substr(0, begin);
  return line;
}

// The entries of a text, from its end on.
class EntriesFromTheEnd {
 public:
  explicit EntriesFromTheEnd(const PerfMapLimits& limits) : limits_(limits) {}

  void read(std::string_view text) {
    if (text.size() > limits_.bytes - bytes_) {
      text = text.substr(text.size() - (limits_.bytes - bytes_));
      take_line(text);  // its beginning is missing
      whole_ = false;
    }
    bytes_ += text.size();
    while (!text.empty()) {
      const auto symbol = parse_entry(take_last_line(text));
      if (!symbol) continue;
      if (found_.size() == limits_.entries) {
        whole_ = false;
        return;
      }
      found_.push_back(*symbol);
    }
  }
  bool whole() const { return whole_; }

  void move_to(SymbolTable& table) {
    table.reserve(found_.size());
    for (; !found_.empty(); found_.pop_back()) table.add(found_.back());
    table.finish_later_wins();
  }

 private:
  const PerfMapLimits limits_;
  std::size_t bytes_ = 0;
  std::vector<Symbol> found_;
  bool whole_ = true;
};

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

std::unique_ptr<SymbolTable> parse_perf_map(std::string text) {
  auto table = std::make_unique<SymbolTable>();
  const auto owned = std::make_shared<const std::string>(std::move(text));
  table->own(owned);
  EntriesFromTheEnd entries({});
  entries.read(*owned);
  entries.move_to(*table);
  return table;
}

std::unique_ptr<SymbolTable> read_perf_map(const FileDescriptor& file, const std::string& path,
                                           const PerfMapLimits& limits) {
  struct stat status;
  if (fstat(file.get(), &status) == 0 && status.st_size == 0) return parse_perf_map("");
  const auto mapped = MappedFile::of(file);
  if (!mapped) return without_symbols(Missing::file_unreadable);

  const std::vector<Bytes> stretches = stored(file, mapped->bytes());
  EntriesFromTheEnd entries(limits);
  for (auto stretch = stretches.rbegin(); stretch != stretches.rend() && entries.whole(); ++stretch)
    entries.read(text_of(*stretch));

  auto table = std::make_unique<SymbolTable>();
  table->own(mapped);
  table->set_source(path);
  if (!entries.whole())
    table->add_warning({path, fmt::format("only its end was read: {} MiB and {} entries at most", limits.bytes >> 20,
                                          limits.entries)});
  entries.move_to(*table);
  return table;
}

// dso__find_perf_map() of perf: in a container the map is named by the pid the process itself knows.
std::unique_ptr<SymbolTable> load_perf_map(const Binary& binary, const SymbolizeOptions& options) {
  const JitFile map = open_jit_file(binary, map_path(inner_pid(binary.pid)), map_path(binary.pid), options);
  if (map.file) return read_perf_map(map.file, map.path);
  auto table = without_symbols(map.missing == Missing::file_missing ? Missing::map_missing : map.missing);
  if (map.missing == Missing::foreign_owner) add_foreign_owner(map, *table);
  return table;
}

}  // namespace perfsift::symbolize
