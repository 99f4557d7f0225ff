#include "symbolize/dwarf/line_table.h"

#include <algorithm>
#include <array>
#include <limits>

#include <dwarf.h>

namespace perfsift::symbolize::dwarf {

namespace {

constexpr std::size_t longest_path = 4096;
// A name of five bytes stands for a path of a hundred. A hostile table repeats a long folder a million times.
constexpr std::size_t paths_limit(std::uint64_t header_size) { return (1 << 20) + 128 * header_size; }

std::string joined(std::string_view folder, std::string_view name) {
  if (folder.empty() || name.starts_with('/')) return std::string(name);
  std::string path(folder);
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

// A line table while it grows.
struct LineLists {
  std::vector<LineRow> rows;
  std::vector<LineSequence> sequences;
  std::vector<LineTable::Path> files;
  std::vector<char> paths;
};

// The header of a line table and the program that writes its rows.
class LineProgram {
 public:
  LineProgram(const Unit& unit, const CodeSections& code, LineLists& table)
      : unit_(unit), code_(code), sections_(unit.program->sections()), table_(table) {}

  void read(std::uint64_t offset);

 private:
  // The registers of the standard's state machine that are needed.
  struct Registers {
    std::uint64_t address = 0;
    std::uint64_t operation = 0;  // within an instruction, on machines that pack several into one
    std::uint64_t file = 1;
    std::uint64_t line = 1;
    std::uint64_t column = 0;
  };
  struct ContentFormat {
    std::uint64_t content;  // DW_LNCT_…
    std::uint64_t form;
  };

  bool read_header(DwarfReader& in);
  void read_names_before_5(DwarfReader& in);
  void read_names_of_5(DwarfReader& in);
  std::vector<ContentFormat> read_formats(DwarfReader& in);
  std::string_view text(const Value& value) const;
  void add_file(std::string_view name, std::uint64_t folder);
  void read_old_file(DwarfReader& in, std::string_view name);

  void run(DwarfReader& in);
  void run_standard(DwarfReader& in, std::uint8_t opcode);
  void run_extended(DwarfReader& in);
  void advance(std::uint64_t operations);
  void add_row();
  void end_sequence();

  const Unit& unit_;
  const CodeSections& code_;
  const DebugSections& sections_;
  LineLists& table_;

  UnitSizes sizes_;
  std::uint64_t header_size_ = 0;
  std::uint8_t minimum_instruction_ = 1, maximum_operations_ = 1;
  std::int8_t line_base_ = 0;
  std::uint8_t line_range_ = 1, opcode_base_ = 1;
  std::array<std::uint8_t, 256> operand_counts_ = {};
  std::vector<std::string_view> folders_;

  Registers registers_;
  bool in_sequence_ = false;
  bool sorted_ = true;
  LineSequence sequence_;
};

void LineProgram::read(std::uint64_t offset) {
  DwarfReader start(sections_.line, sections_.order, offset);
  const auto [length, offset_size] = start.unit_length();
  if (length > start.remaining() || !unit_.program->line_budget().pay(length)) return;
  DwarfReader in(sections_.line.first(start.position() + length), sections_.order, start.position());
  sizes_.offset_size = offset_size;
  sizes_.address_size = unit_.header.sizes.address_size;
  if (read_header(in)) run(in);
}

bool LineProgram::read_header(DwarfReader& in) {
  const std::uint64_t start = in.position();
  sizes_.version = in.u16();
  if (sizes_.version < 2 || sizes_.version > 5) return false;
  if (sizes_.version == 5) {
    sizes_.address_size = in.u8();
    in.skip(1);  // of segment selectors, which no machine here has
  }
  const std::uint64_t header_length = in.number(sizes_.offset_size);
  const std::uint64_t program = in.position() + header_length;
  if (header_length > in.remaining()) return false;
  header_size_ = program - start;

  minimum_instruction_ = in.u8();
  if (sizes_.version >= 4) maximum_operations_ = std::max<std::uint8_t>(in.u8(), 1);
  in.skip(1);  // default_is_stmt: all rows count
  line_base_ = static_cast<std::int8_t>(in.u8());
  line_range_ = in.u8();
  opcode_base_ = in.u8();
  for (unsigned opcode = 1; opcode < opcode_base_; ++opcode) operand_counts_[opcode] = in.u8();
  if (!in.ok() || line_range_ == 0) return false;

  if (sizes_.version == 5)
    read_names_of_5(in);
  else
    read_names_before_5(in);
  in = DwarfReader(sections_.line.first(in.position() + in.remaining()), sections_.order, program);
  return in.ok();
}

// Folder 0 is the unit's folder; files are counted from 1.
void LineProgram::read_names_before_5(DwarfReader& in) {
  folders_.emplace_back();
  table_.files.emplace_back();
  for (auto folder = in.cstring(); !folder.empty(); folder = in.cstring()) folders_.push_back(folder);
  for (auto name = in.cstring(); !name.empty(); name = in.cstring()) read_old_file(in, name);
}

void LineProgram::read_old_file(DwarfReader& in, std::string_view name) {
  const std::uint64_t folder = in.uleb128();
  in.skip_leb128();  // when it was changed
  in.skip_leb128();  // its size
  if (in.ok()) add_file(name, folder);
}

// Folder 0 and file 0 are the unit's.
void LineProgram::read_names_of_5(DwarfReader& in) {
  const auto read_entries = [&](auto&& add) {
    const auto formats = read_formats(in);
    const std::uint64_t count = in.uleb128();
    if (count > in.remaining()) return in.fail();
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
      std::string_view name;
      std::uint64_t folder = 0;
      for (const auto [content, form] : formats) {
        const Value value = read_value(in, form, 0, sizes_);
        if (content == DW_LNCT_path) name = text(value);
        if (content == DW_LNCT_directory_index) folder = value.number;
      }
      add(name, folder);
    }
  };
  read_entries([&](std::string_view name, std::uint64_t) { folders_.push_back(name); });
  read_entries([&](std::string_view name, std::uint64_t folder) { add_file(name, folder); });
}

std::vector<LineProgram::ContentFormat> LineProgram::read_formats(DwarfReader& in) {
  std::vector<ContentFormat> formats(in.u8());
  for (auto& [content, form] : formats) {
    content = in.uleb128();
    form = in.uleb128();
  }
  return formats;
}

std::string_view LineProgram::text(const Value& value) const {
  if (value.kind != ValueKind::info_string) return unit_.text(value);
  return value.number < sections_.line.size() ? c_string(sections_.line.subspan(value.number)) : std::string_view{};
}

void LineProgram::add_file(std::string_view name, std::uint64_t folder_number) {
  const std::string_view folder = folder_number < folders_.size() ? folders_[folder_number] : std::string_view{};
  LineTable::Path path{.begin = static_cast<std::uint32_t>(table_.paths.size())};
  if (name.size() + folder.size() < longest_path) {
    const std::string whole = joined(joined(unit_.text(unit_.root.directory), folder), name);
    if (whole.size() < longest_path && table_.paths.size() + whole.size() < paths_limit(header_size_)) {
      path.size = static_cast<std::uint32_t>(whole.size());
      table_.paths.insert(table_.paths.end(), whole.begin(), whole.end());
    }
  }
  table_.files.push_back(path);
}

void LineProgram::run(DwarfReader& in) {
  while (in.remaining() != 0) {
    const std::uint8_t opcode = in.u8();
    if (opcode >= opcode_base_) {
      const unsigned adjusted = opcode - opcode_base_;
      advance(adjusted / line_range_);
      registers_.line += static_cast<std::uint64_t>(line_base_ + static_cast<int>(adjusted % line_range_));
      add_row();
    } else if (opcode == 0) {
      run_extended(in);
    } else {
      run_standard(in, opcode);
    }
  }
}

void LineProgram::run_standard(DwarfReader& in, std::uint8_t opcode) {
  switch (opcode) {
    case DW_LNS_copy:
      return add_row();
    case DW_LNS_advance_pc:
      return advance(in.uleb128());
    case DW_LNS_advance_line:
      registers_.line += static_cast<std::uint64_t>(in.sleb128());
      return;
    case DW_LNS_set_file:
      registers_.file = in.uleb128();
      return;
    case DW_LNS_set_column:
      registers_.column = in.uleb128();
      return;
    case DW_LNS_const_add_pc:
      return advance((255U - opcode_base_) / line_range_);
    case DW_LNS_fixed_advance_pc:
      registers_.address += in.u16();
      registers_.operation = 0;
      return;
    default:  // flags of no interest, and opcodes of a later time
      for (unsigned i = 0; i < operand_counts_[opcode]; ++i) in.skip_leb128();
  }
}

void LineProgram::run_extended(DwarfReader& in) {
  const std::uint64_t length = in.uleb128();
  DwarfReader operand(in.bytes(length), in.order());
  switch (operand.u8()) {
    case DW_LNE_end_sequence:
      return end_sequence();
    case DW_LNE_set_address:
      registers_.address = operand.number(static_cast<unsigned>(operand.remaining()));
      registers_.operation = 0;
      return;
    case DW_LNE_define_file:
      return read_old_file(operand, operand.cstring());
    default:
      return;
  }
}

void LineProgram::advance(std::uint64_t operations) {
  if (maximum_operations_ == 1) {
    registers_.address += minimum_instruction_ * operations;
    return;
  }
  const std::uint64_t total = registers_.operation + operations;
  registers_.address += minimum_instruction_ * (total / maximum_operations_);
  registers_.operation = total % maximum_operations_;
}

void LineProgram::add_row() {
  if (!in_sequence_) {
    in_sequence_ = sorted_ = true;
    sequence_ = {.start = registers_.address, .first_row = static_cast<std::uint32_t>(table_.rows.size())};
  }
  const std::uint64_t offset = registers_.address - sequence_.start;
  if (offset > std::numeric_limits<std::uint32_t>::max()) return;  // no piece of code is that long
  const LineRow row{.offset = static_cast<std::uint32_t>(offset),
                    .file = at_most_32_bits(registers_.file),
                    .line = static_cast<std::uint32_t>(registers_.line),
                    .column = at_most_32_bits(registers_.column)};
  if (table_.rows.size() > sequence_.first_row) {
    LineRow& last = table_.rows.back();
    if (last.offset == row.offset) return (void)(last = row);  // of several at one address the last one counts
    if (last.offset > row.offset) sorted_ = false;
  }
  table_.rows.push_back(row);
}

void LineProgram::end_sequence() {
  sequence_.end = registers_.address;
  sequence_.row_count = static_cast<std::uint32_t>(table_.rows.size()) - sequence_.first_row;
  if (in_sequence_ && sequence_.start < sequence_.end && code_.contains(sequence_.start)) {
    if (!sorted_) {
      const auto first = table_.rows.begin() + sequence_.first_row;
      std::ranges::stable_sort(first, table_.rows.end(), {}, &LineRow::offset);
    }
    table_.sequences.push_back(sequence_);
  } else if (in_sequence_) {
    table_.rows.resize(sequence_.first_row);
  }
  in_sequence_ = false;
  registers_ = {};
}

}  // namespace

LineTable::LineTable(const Unit& unit, const CodeSections& code) {
  const Value& offset = unit.root.line_table;
  if (!offset) return;
  LineLists lists;
  LineProgram(unit, code, lists).read(offset.number);
  std::vector<OwnedRange> ranges;
  ranges.reserve(lists.sequences.size());
  for (const LineSequence& sequence : lists.sequences)
    ranges.push_back({sequence.start, sequence.end, static_cast<std::uint32_t>(ranges.size())});
  rows_ = FlatArray(std::move(lists.rows));
  sequences_ = FlatArray(std::move(lists.sequences));
  cover_ = Cover(std::move(ranges));
  files_ = FlatArray(std::move(lists.files));
  paths_ = FlatArray(std::move(lists.paths));
}

const LineRow* LineTable::find(std::uint64_t address) const {
  const std::uint32_t index = cover_.find(address);
  if (index == Cover::nothing) return nullptr;
  const LineSequence& sequence = sequences_[index];
  const std::span rows = rows_.all().subspan(sequence.first_row, sequence.row_count);
  const auto after = std::ranges::upper_bound(rows, address - sequence.start, {}, &LineRow::offset);
  return after == rows.begin() ? nullptr : &*std::prev(after);
}

std::string_view LineTable::path(std::uint32_t file) const {
  if (file >= files_.size()) return {};
  return {paths_.data() + files_[file].begin, files_[file].size};
}

bool LineTable::is_sound() const {
  const auto has_rows = [&](const LineSequence& sequence) {
    return std::uint64_t{sequence.first_row} + sequence.row_count <= rows_.size();
  };
  const auto has_text = [&](const Path& path) { return std::uint64_t{path.begin} + path.size <= paths_.size(); };
  return std::ranges::all_of(sequences_, has_rows) && std::ranges::all_of(files_, has_text) &&
         cover_.is_sound(static_cast<std::uint32_t>(sequences_.size()));
}

}  // namespace perfsift::symbolize::dwarf
