#include "symbolize/dwarf/compiled_with.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <dwarf.h>

#include "symbolize/dwarf/supplementary.h"
#include "symbolize/dwarf/unit.h"
#include "symbolize/elf/debug_sections.h"

namespace perfsift::symbolize::dwarf {
namespace {

// Debug information, warnings, where files are, and how much memory the compiler takes.
bool changes_code(std::string_view option) {
  constexpr std::string_view starts[] = {"-g", "-W", "-w", "-fdiagnostics", "-fdebug", "-frandom-seed", "--param ggc-"};
  const bool harmless = std::ranges::any_of(starts, [&](std::string_view start) { return option.starts_with(start); });
  return !harmless && option.find("-prefix-map=") == std::string_view::npos;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end != 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// "GNU C++17 12.2.0" is "GNU 12.2.0": a binary may have units in several languages.
std::string name_of_compiler(std::vector<std::string_view> words) {
  if (words.size() > 2 && words.front() == "GNU") words.erase(words.begin() + 1);
  std::string name;
  for (const std::string_view word : words) name.append(name.empty() ? "" : " ").append(word);
  return name;
}

// The sections of a file, and its units. Neither may move: the units refer to the sections.
struct Units {
  explicit Units(std::shared_ptr<ElfFile> file, const Units* supplementary = nullptr)
      : sections(std::move(file), SectionKind::usual),
        info(sections.sections(), supplementary != nullptr ? &supplementary->info : nullptr) {}

  DebugSectionFile sections;
  InfoFile info;
};

}  // namespace

std::string compiler_and_options(std::string_view producer) {
  const std::vector<std::string_view> words = words_of(producer);
  const auto is_option = [](std::string_view word) { return word.starts_with('-'); };
  const auto first_option = std::ranges::find_if(words, is_option);
  const std::vector<std::string_view> compiler(words.begin(), first_option);
  if (compiler.size() > 1 && compiler[0] == "GNU" && compiler[1] == "AS") return {};
  std::set<std::string> options;
  for (auto word = first_option; word != words.end();) {
    std::string option(*word++);
    for (; word != words.end() && !is_option(*word); ++word) option.append(" ").append(*word);  // its value
    if (changes_code(option)) options.insert(std::move(option));
  }
  std::string all = name_of_compiler(compiler);
  for (const std::string& option : options) all.append(all.empty() ? "" : " ").append(option);
  return all;
}

std::string compiled_with(const std::shared_ptr<ElfFile>& file, const SymbolizeOptions& options) {
  if (!file || !has_debug_info(*file)) return {};
  std::optional<Units> supplementary;
  if (auto other = find_supplementary(*file, options)) supplementary.emplace(std::move(other));
  const Units units(file, supplementary ? &*supplementary : nullptr);
  std::map<std::string, std::size_t, std::less<>> counts;  // of the values of DW_AT_producer
  for (const UnitHeader& header : units.info.units()) {
    const Unit unit = units.info.unit(header);
    if (unit.root.tag != DW_TAG_compile_unit) continue;
    const std::string_view producer = unit.text(unit.root.producer);
    if (const auto found = counts.find(producer); found != counts.end()) {
      ++found->second;
    } else {
      counts.emplace(producer, 1);
    }
  }
  std::map<std::string, std::size_t> sums;  // of what differs in words that change no code
  for (const auto& [producer, count] : counts) sums[compiler_and_options(producer)] += count;
  sums.erase(std::string());
  const auto most = std::ranges::max_element(sums, {}, [](const auto& each) { return each.second; });
  return most == sums.end() ? std::string() : most->first;
}

}  // namespace perfsift::symbolize::dwarf
