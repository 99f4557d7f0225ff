// The answers of DebugInfo in a form that is easy to compare: "name at file:line:column", innermost first.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "symbolize/dwarf/debug_info.h"
#include "tests/support/dwarf_program.h"

namespace perfsift::test {

inline std::string text_of(const symbolize::SourceFrame& frame) {
  return (frame.inlined ? "inlined " : "") + std::string(frame.name) + " at " + std::string(frame.place.file) + ":" +
         std::to_string(frame.place.line) + ":" + std::to_string(frame.place.column);
}

inline std::vector<std::string> texts_of(const std::vector<symbolize::SourceFrame>& frames) {
  std::vector<std::string> texts;
  for (const auto& frame : frames) texts.push_back(text_of(frame));
  return texts;
}

// The options read no other file of this machine.
inline std::shared_ptr<const symbolize::dwarf::DebugInfo> debug_info_of(std::shared_ptr<symbolize::ElfFile> file) {
  symbolize::SymbolizeOptions options;
  options.debug_dirs = {};
  const std::string path = file ? file->path() : "";
  return symbolize::dwarf::DebugInfo::open(std::move(file), path, options);
}

inline std::vector<std::string> frames_at(const symbolize::dwarf::DebugInfo& info, std::uint64_t address) {
  std::vector<symbolize::SourceFrame> frames;
  info.append_frames(address, frames);
  return texts_of(frames);
}

inline std::vector<std::string> frames_at(const DwarfProgram& program, std::uint64_t address) {
  const auto info = debug_info_of(symbolize::ElfFile::from_memory(program.elf(), "/nowhere/program"));
  return info ? frames_at(*info, address) : std::vector<std::string>{"no debug information"};
}

}  // namespace perfsift::test
