#include "symbolize/jit/jit_dump.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "symbolize/files/mapped_file.h"
#include "symbolize/jit/jit_files.h"
#include "symbolize/jit/perf_map.h"

namespace perfsift::symbolize {

namespace {

constexpr std::uint32_t jit_magic = 0x4a695444;  // "JiTD", as a number of the machine that writes it
constexpr std::uint32_t jit_version = 1;
constexpr std::uint64_t arch_timestamp_flag = 1;
constexpr std::uint64_t record_header_size = 16;

enum class RecordId : std::uint32_t { load = 0, move = 1, debug_info = 2, close = 3, unwinding_info = 4 };

struct FileHeader {
  ByteOrder order = ByteOrder::native;
  std::uint64_t size = 0;
  std::uint32_t machine = 0;
  std::uint64_t flags = 0;
};

std::optional<FileHeader> parse_header(Bytes bytes) {
  FileHeader header;
  const std::uint32_t found = ByteReader(bytes).u32();
  if (found == byte_swap(jit_magic))
    header.order = ByteOrder::swapped;
  else if (found != jit_magic)
    return std::nullopt;

  ByteReader in(bytes, header.order);
  in.skip(sizeof jit_magic);
  const std::uint32_t version = in.u32();
  header.size = in.u32();
  header.machine = in.u32();
  in.skip(4 + 4 + 8);  // padding, pid, time of creation
  header.flags = in.u64();
  const bool usable = in.ok() && version <= jit_version && header.size >= bytes.size() - in.remaining() &&
                      header.size <= bytes.size() && (header.flags & ~arch_timestamp_flag) == 0;
  return usable ? std::optional(header) : std::nullopt;
}

// Reads records one after the other. Lines and unwinding information come before their code.
class Parser {
 public:
  JitDump parse(Bytes records, ByteOrder order) {
    ByteReader in(records, order);
    while (in.remaining() >= record_header_size) {
      const auto id = static_cast<RecordId>(in.u32());
      const std::uint32_t size = in.u32();
      const std::uint64_t time = in.u64();
      if (size < record_header_size) {  // where the next one begins is not known
        ++dump_.bad_records;
        break;
      }
      const std::uint64_t payload_size = size - record_header_size;
      if (payload_size > in.remaining()) break;
      if (!take(id, time, ByteReader(in.bytes(payload_size), order))) ++dump_.bad_records;
    }
    std::ranges::stable_sort(dump_.codes, {}, &JitCode::since);
    return std::move(dump_);
  }

 private:
  bool take(RecordId id, std::uint64_t time, ByteReader in) {
    switch (id) {
      case RecordId::load:
        return load(time, in);
      case RecordId::move:
        return move(time, in);
      case RecordId::debug_info:
        return debug_info(in);
      case RecordId::unwinding_info:
        return unwinding_info(in);
      case RecordId::close:
        break;
    }
    return true;  // of newer versions
  }

  bool load(std::uint64_t time, ByteReader in) {
    JitCode code = std::exchange(next_, {});
    in.skip(4 + 4 + 8);  // pid, tid, vma
    code.start = in.u64();
    code.size = in.u64();
    const std::uint64_t index = in.u64();
    code.name = in.cstring();
    code.since = time;
    if (!in.ok()) return false;
    if (code.size <= in.remaining()) code.bytes = in.bytes(code.size);
    set_offsets(code);
    loaded_.insert_or_assign(index, code);
    dump_.codes.push_back(code);
    return true;
  }

  // Until the start of the code is known, offsets are addresses.
  void set_offsets(JitCode& code) {
    const auto lines = std::span(dump_.lines).subspan(code.first_line, code.line_count);
    for (JitLine& line : lines) line.offset -= code.start;
    std::ranges::stable_sort(lines, {}, &JitLine::offset);
  }

  bool move(std::uint64_t time, ByteReader in) {
    in.skip(4 + 4 + 8 + 8);  // pid, tid, vma, old address
    const std::uint64_t start = in.u64();
    const std::uint64_t size = in.u64();
    const auto found = loaded_.find(in.u64());
    if (!in.ok() || found == loaded_.end()) return false;
    JitCode& code = found->second;
    code.start = start;
    code.size = size;
    code.since = time;
    dump_.codes.push_back(code);
    return true;
  }

  bool debug_info(ByteReader in) {
    in.skip(8);  // address of the code
    const std::uint64_t count = in.u64();
    const std::size_t first = dump_.lines.size();
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
      JitLine line;
      line.offset = in.u64();
      line.line = in.u32();
      in.skip(4);  // column
      line.file = in.cstring();
      if (line.file == "\xff" && dump_.lines.size() > first) line.file = dump_.lines.back().file;  // the same again
      if (in.ok()) dump_.lines.push_back(line);
    }
    next_.first_line = static_cast<std::uint32_t>(first);
    next_.line_count = static_cast<std::uint32_t>(dump_.lines.size() - first);
    return in.ok();
  }

  // The specification puts the header first. perf, and JIT compilers that write such records for perf, put the header
  // last (jit_add_eh_frame_info() in tools/perf/util/genelf.c).
  bool unwinding_info(ByteReader in) {
    const std::uint64_t size = in.u64();
    const std::uint64_t header_size = in.u64();
    in.skip(8);  // how much of it was mapped
    if (header_size > size) return false;
    next_.unwinding.eh_frame = in.bytes(size - header_size);
    next_.unwinding.eh_frame_hdr = in.bytes(header_size);
    if (!in.ok()) next_.unwinding = {};
    return in.ok();
  }

  JitDump dump_;
  JitCode next_;                                       // what is known of the code that will come
  std::unordered_map<std::uint64_t, JitCode> loaded_;  // by code index
};

}  // namespace

std::optional<JitDump> parse_jit_dump(Bytes bytes) {
  const auto header = parse_header(bytes);
  if (!header) return std::nullopt;
  JitDump dump = Parser().parse(bytes.subspan(header->size), header->order);
  dump.order = header->order;
  dump.machine = static_cast<std::uint16_t>(header->machine);
  dump.arch_timestamps = (header->flags & arch_timestamp_flag) != 0;
  return dump;
}

// Times by a processor's counter cannot be converted to times of the recording: the latest code at an address counts.
CodeHistory history_of(const JitDump& dump) {
  std::vector<CodeHistory::Piece> pieces;
  pieces.reserve(dump.codes.size());
  for (const JitCode& code : dump.codes)
    pieces.push_back({.start = code.start, .end = code.end(), .since = dump.arch_timestamps ? 0 : code.since});
  return CodeHistory(pieces);
}

JitFile find_jit_dump(const Binary& binary, const SymbolizeOptions& options) {
  return open_jit_file(binary, binary.path, binary.path, options);
}

std::optional<OpenedJitDump> open_jit_dump(const JitFile& found) {
  auto file = found.file ? MappedFile::of(found.file) : nullptr;
  auto dump = file ? parse_jit_dump(file->bytes()) : std::nullopt;
  if (!dump) return std::nullopt;
  return OpenedJitDump{.path = found.path, .file = std::move(file), .dump = std::move(*dump)};
}

JitSymbols::JitSymbols(JitDump dump, std::shared_ptr<const void> storage, std::unique_ptr<SymbolTable> fallback)
    : dump_(std::move(dump)), history_(history_of(dump_)), fallback_(std::move(fallback)) {
  own(std::move(storage));
  add_symbols();
  if (!fallback_) return;
  if (fallback_->why_missing() == Missing::foreign_owner) set_missing(Missing::foreign_owner);
  for (const FileWarning& warning : fallback_->warnings()) add_warning(warning);
}

void JitSymbols::add_symbols() {
  std::vector<std::uint32_t> order(dump_.codes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t code) { return dump_.codes[code].start; });
  symbol_of_.resize(order.size());
  reserve(order.size());
  for (const std::uint32_t index : order) {
    const JitCode& code = dump_.codes[index];
    symbol_of_[index] = static_cast<std::uint32_t>(symbols_.size());
    add({.start = code.start, .end = code.end(), .name = code.name, .binding = Binding::global});
  }
}

const Symbol* JitSymbols::find_at(std::uint64_t address, std::uint64_t time) const {
  if (const auto code = history_.find(address, time)) return &symbols_[symbol_of_[*code]];
  return fallback_ ? fallback_->find(address) : nullptr;
}

const JitCode* JitSymbols::code_at(std::uint64_t address, std::uint64_t time) const {
  const auto code = history_.find(address, time);
  return code ? &dump_.codes[*code] : nullptr;
}

const JitLine* JitSymbols::line_at(std::uint64_t address, std::uint64_t time) const {
  const JitCode* code = code_at(address, time);
  if (code == nullptr) return nullptr;
  const auto lines = dump_.lines_of(*code);
  const auto after = std::ranges::upper_bound(lines, address - code->start, {}, &JitLine::offset);
  return after == lines.begin() ? nullptr : &*std::prev(after);
}

void JitSymbols::append_source_frames_at(std::uint64_t address, std::uint64_t time,
                                         std::vector<SourceFrame>& frames) const {
  const JitLine* line = line_at(address, time);
  if (line == nullptr) return;
  frames.push_back({.name = code_at(address, time)->name, .place = {.file = line->file, .line = line->line}});
}

std::unique_ptr<SymbolTable> load_jit_dump(const Binary& binary, const SymbolizeOptions& options) {
  auto map = load_perf_map(binary, options);
  const JitFile found = find_jit_dump(binary, options);
  auto opened = open_jit_dump(found);
  if (!opened) {
    if (found.missing == Missing::foreign_owner) add_foreign_owner(found, *map);
    return map;
  }
  auto symbols = std::make_unique<JitSymbols>(std::move(opened->dump), std::move(opened->file), std::move(map));
  symbols->set_source(opened->path);
  return symbols;
}

}  // namespace perfsift::symbolize
