#include "reader/tracepoint/kernel_names.h"

#include <algorithm>

#include "base/number_in.h"
#include "reader/tracepoint/scanner.h"

namespace perfsift::reader {

namespace {

std::string_view next_word(Scanner& line) {
  line.skip_blanks();
  const auto word = line.rest().substr(0, line.rest().find_first_of(Scanner::blanks));
  line.accept(word);
  return word;
}

// The kernel escapes these texts (t_show() in kernel/trace/trace_printk.c).
std::string unescaped(std::string_view text) {
  std::string result;
  for (Scanner in(text); !in.done();) {
    const char c = in.next();
    if (c != '\\' || in.done()) {
      result += c;
    } else {
      const char escape = in.next();
      result += escape == 'n' ? '\n' : escape == 't' ? '\t' : escape;
    }
  }
  return result;
}

}  // namespace

void KernelNames::add_functions(std::string_view kallsyms) {
  for (Scanner in(kallsyms); !in.done();) {
    Scanner line(in.until('\n'));
    const auto address = number_in<std::uint64_t>(next_word(line), 16);
    next_word(line);
    const auto name = next_word(line);
    if (address && !name.empty()) functions_.try_emplace(*address, name);
  }
}

void KernelNames::add_texts(std::string_view printk_formats) {
  for (Scanner in(printk_formats); !in.done();) {
    Scanner line(in.until('\n'));
    line.accept("0x");
    const auto address = number_in<std::uint64_t>(next_word(line), 16);
    line.skip_blanks();
    if (!address || !line.accept(":")) continue;
    line.skip_blanks();
    if (!line.accept("\"")) continue;
    auto text = line.rest();
    if (text.ends_with('"')) text.remove_suffix(1);
    if (text.ends_with("\\n")) text.remove_suffix(2);  // ends a line of trace_printk(), and is no part of the text
    texts_.try_emplace(*address, unescaped(text));
  }
}

std::optional<KernelFunction> KernelNames::function(std::uint64_t address) const {
  if (resolver_) {
    const std::scoped_lock turn(turn_);
    return resolver_(address);
  }
  const auto after = functions_.upper_bound(address);
  if (after == functions_.begin()) return std::nullopt;
  const auto& [start, name] = *std::prev(after);
  // The end of the last function is unknown.
  if (after == functions_.end() && address != start) return std::nullopt;
  return KernelFunction{.name = name, .address = start};
}

const std::string* KernelNames::text(std::uint64_t address) const {
  const auto found = texts_.find(address);
  return found != texts_.end() ? &found->second : nullptr;
}

}  // namespace perfsift::reader
