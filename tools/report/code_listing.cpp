#include "tools/report/code_listing.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/path.h"
#include "symbolize/symbols/demangle.h"
#include "tools/report/disassembly.h"

namespace perfsift::tools {
namespace {

using analysis::AnnotatedCode;
using output::CodeLine;
using output::CodeListing;
using symbolize::SourceFrame;

constexpr std::uint64_t longest_listed = 1 << 18;  // bytes of a function

std::string place_text(const symbolize::SourcePlace& place) {
  return place.file.empty() ? std::string() : fmt::format("{}:{}", base_name(place.file), place.line);
}

std::string name_text(const SourceFrame& frame) {
  if (frame.name.empty()) return "[unknown]";
  return frame.mangled ? symbolize::demangle(frame.name, symbolize::DemangleStyle::plain) : std::string(frame.name);
}

class Lister {
 public:
  Lister(const AnnotatedCode& code, bool whole, symbolize::Symbolizer& symbolizer,
         const symbolize::SymbolizeOptions& options)
      : code_(code),
        whole_(whole),
        names_(symbolizer.file(*code.binary.recorded)),
        disassembly_(*code.binary.recorded, names_, options) {}

  CodeListing list() {
    for (const auto& [offset, amount] : code_.addresses) add_symbol(function_at(offset));
    for (const auto& [offset, amount] : code_.addresses) line_of(offset).amount += amount;
    CodeListing listing{.function = std::string(code_.function),
                        .binary = code_.binary.path,
                        .why_not = disassembly_.why_not(),
                        .lines = {}};
    for (auto& [offset, line] : lines_) {
      if (!lists_all(offset) && line.amount == analysis::Amount()) continue;
      if (function_at(offset) != nullptr) find_place(offset, line);
      listing.lines.push_back(std::move(line));
    }
    return listing;
  }

 private:
  // The function at an offset; nullptr: none, or that of another recording. A kernel may lie elsewhere in each
  // recording, and what is known is where it was in the first.
  const symbolize::Symbol* function_at(std::uint64_t offset) const {
    const symbolize::Symbol* const symbol = names_.find(offset);
    const bool differs =
        symbol != nullptr && code_.kind == analysis::FrameKind::kernel && symbol->name != code_.function;
    return differs ? nullptr : symbol;
  }
  // Whether instructions without samples are listed, too.
  bool lists_all(std::uint64_t offset) const {
    const symbolize::Symbol* const symbol = function_at(offset);
    return whole_ && symbol != nullptr && symbol->end - symbol->start <= longest_listed;
  }

  void add_symbol(const symbolize::Symbol* symbol) {
    if (symbol == nullptr || lengths_.contains(symbol->start)) return;
    for (const Instruction& instruction : disassembly_.instructions(symbol->start, symbol->end)) {
      lines_[instruction.offset] = {
          .address = instruction.address, .instruction = instruction.text, .place = {}, .amount = {}};
      lengths_[instruction.offset] = instruction.length;
    }
  }

  // The instruction at an offset, or the one that the offset is inside of.
  CodeLine& line_of(std::uint64_t offset) {
    const auto after = lengths_.upper_bound(offset);
    if (after != lengths_.begin()) {
      const auto& [start, length] = *std::prev(after);
      if (offset - start < length) return lines_[start];
    }
    const auto [line, is_new] = lines_.try_emplace(offset);
    if (is_new) line->second.address = function_at(offset) != nullptr ? disassembly_.address(offset) : offset;
    return line->second;
  }

  void find_place(std::uint64_t offset, CodeLine& line) const {
    std::vector<SourceFrame> frames;
    names_.append_source_frames(offset, frames);
    if (frames.empty()) return;
    line.inlined = frames.size() > 1;
    line.place = place_text(frames.front().place);
    if (line.inlined) {
      line.place = fmt::format("{} at {}, inlined at {}", name_text(frames.front()), line.place,
                               place_text(frames.back().place));
    }
  }

  const AnnotatedCode& code_;
  const bool whole_;
  const symbolize::SymbolFile& names_;
  const Disassembly disassembly_;
  std::map<std::uint64_t, CodeLine> lines_;        // by offset in the file
  std::map<std::uint64_t, std::uint8_t> lengths_;  // of the instructions
};

CodeListing without_code(const AnnotatedCode& code, std::string why_not) {
  CodeListing listing{.function = std::string(code.function),
                      .binary = code.binary.path.empty() ? "[unknown]" : code.binary.path,
                      .why_not = std::move(why_not),
                      .lines = {}};
  for (const auto& [address, amount] : code.addresses) {
    listing.lines.push_back({.address = address, .instruction = {}, .place = {}, .amount = amount});
  }
  return listing;
}

}  // namespace

CodeListing list_code(const AnnotatedCode& code, bool whole, symbolize::Symbolizer& symbolizer,
                      const symbolize::SymbolizeOptions& options) {
  const Binary* const binary = code.binary.recorded.get();
  if (code.kind == analysis::FrameKind::jit || (binary != nullptr && binary->kind == BinaryKind::kernel_symbol))
    return without_code(code, "code made at run time is in no program file");
  if (binary == nullptr) return without_code(code, "the address is in no file");
  // The file here may not be the recorded one, which only the recording knows: see symbolize::find_files().
  if (code.unnamed) return without_code(code, "the code has no name here: see --unresolved");
  return Lister(code, whole, symbolizer, options).list();
}

}  // namespace perfsift::tools
