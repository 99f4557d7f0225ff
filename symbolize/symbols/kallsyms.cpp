#include "symbolize/symbols/kallsyms.h"

#include <algorithm>
#include <utility>

#include "base/text_scanner.h"

namespace perfsift::symbolize {

namespace {

// kallsyms2elf_binding() of perf: a capital letter is a global symbol.
Binding binding_of(char type) {
  if (type == 'W' || type == 'w') return Binding::weak;
  return type >= 'A' && type <= 'Z' ? Binding::global : Binding::local;
}

char lower(char c) { return static_cast<char>(c | 0x20); }
bool is_wanted(char type) { return std::string_view("twdb").find(lower(type)) != std::string_view::npos; }
bool is_code(char type) { return lower(type) == 't' || lower(type) == 'w'; }

struct Line {
  std::uint64_t address;
  char type;
  std::string_view name;
  std::string_view module;  // without brackets; empty for the kernel itself
};

std::optional<Line> parse_line(std::string_view text) {
  const auto address = take_hex(text);
  if (!address || text.size() < 4 || text[0] != ' ' || text[2] != ' ') return std::nullopt;
  Line line{*address, text[1], text.substr(3), {}};
  if (line.name.back() == ']') {
    const std::size_t bracket = line.name.rfind('[');
    if (bracket == std::string_view::npos || bracket == 0) return std::nullopt;
    line.module = line.name.substr(bracket + 1, line.name.size() - bracket - 2);
    line.name = line.name.substr(0, line.name.find_last_not_of(" \t", bracket - 1) + 1);
  }
  // Names with '$' are marks of ARM's assembler.
  if (line.name.empty() || line.name.front() == '$') return std::nullopt;
  return line;
}

}  // namespace

Kallsyms::Kallsyms(std::string text) : text_(std::move(text)) { parse(); }

void Kallsyms::parse() {
  constexpr std::size_t usual_line = 40;
  kernel_.reserve(text_.size() / usual_line);
  bool any = false;
  bool any_address = false;
  std::string_view module_name;  // modules come one after the other
  Module* module = nullptr;
  for (std::string_view rest = text_; !rest.empty();) {
    const auto line = parse_line(take_line(rest));
    if (!line || !is_wanted(line->type)) continue;
    any = true;
    any_address |= line->address != 0;
    const Symbol symbol{line->address, line->address, line->name, binding_of(line->type)};
    if (line->module.empty()) {
      kernel_.push_back(symbol);
      continue;
    }
    if (module == nullptr || module_name != line->module) {
      module_name = line->module;
      module = &modules_[module_name];
    }
    module->symbols.push_back(symbol);
    if (is_code(line->type)) module->first_code = std::min(module->first_code, line->address);
  }
  restricted_ = any && !any_address;
}

const Kallsyms::Module* Kallsyms::module(std::string_view name) const {
  const auto found = modules_.find(name);
  return found == modules_.end() ? nullptr : &found->second;
}

std::optional<std::uint64_t> Kallsyms::address_of(std::string_view name) const {
  const auto found = std::ranges::find(kernel_, name, &Symbol::name);
  return found == kernel_.end() ? std::nullopt : std::optional(found->start);
}

}  // namespace perfsift::symbolize
