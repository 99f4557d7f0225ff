#include "symbolize/jit/perf_map.h"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text_scanner.h"
#include "symbolize/jit/jit_files.h"
#include "symbolize/search/live_process.h"

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

// A part of a file with data, between holes.
struct Stretch {
  off_t begin = 0, end = 0;
};

// The parts with data, in order.
std::vector<Stretch> stored(const FileDescriptor& file, off_t size) {
  std::vector<Stretch> stretches;
  for (off_t end = 0;;) {
    const off_t begin = lseek(file.get(), end, SEEK_DATA);
    if (begin < 0 && errno == ENXIO) return stretches;  // the rest is a hole
    end = begin < 0 ? -1 : lseek(file.get(), begin, SEEK_HOLE);
    if (end <= begin) return {{.begin = 0, .end = size}};  // the file system cannot report holes
    if (begin >= size) return stretches;
    stretches.push_back({.begin = begin, .end = std::min(end, size)});
  }
}

// The last bytes of a stretch, at most so many. Nothing if the file cannot be read.
std::optional<std::string> end_of_stretch(const FileDescriptor& file, const Stretch& stretch, std::size_t most) {
  std::string text(std::min(static_cast<std::size_t>(stretch.end - stretch.begin), most), '\0');
  const off_t begin = stretch.end - static_cast<off_t>(text.size());
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = pread(file.get(), text.data() + size, text.size() - size, begin + static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;  // the process has made the file shorter since
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
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
    if (text.size() > room()) {
      text = text.substr(text.size() - room());
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
  // The number of bytes that may still be read.
  std::size_t room() const { return limits_.bytes - bytes_; }

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
  if (fstat(file.get(), &status) != 0) return without_symbols(Missing::file_unreadable);

  // The texts are copies. The file is not mapped, as a process may truncate it at any time, and reading beyond the end
  // of a mapped file is a SIGBUS.
  const auto texts = std::make_shared<std::deque<std::string>>();
  const std::vector<Stretch> stretches = stored(file, status.st_size);
  EntriesFromTheEnd entries(limits);
  for (auto stretch = stretches.rbegin(); stretch != stretches.rend() && entries.whole(); ++stretch) {
    auto text = end_of_stretch(file, *stretch, entries.room() + 1);  // one more shows that there is more
    if (!text) return without_symbols(Missing::file_unreadable);
    entries.read(texts->emplace_back(std::move(*text)));
  }

  auto table = std::make_unique<SymbolTable>();
  table->own(texts);
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
