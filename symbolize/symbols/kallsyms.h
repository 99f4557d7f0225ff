// The kernel's own list of its symbols: /proc/kallsyms, or a saved copy of it.
//
//   ffffffff81000000 T _text
//   ffffffffc0a01000 t ext4_fill_super	[ext4]
//
// The list has no sizes, and zeros for addresses if kptr_restrict hides them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbolize/symbols/symbol_file.h"

namespace perfsift::symbolize {

// Immutable once parsed. The symbols are those of the types T, W, D and B, in the order of the text, without ends, with
// aliases.
class Kallsyms {
 public:
  struct Module {
    std::vector<Symbol> symbols;
    std::uint64_t first_code = ~std::uint64_t{0};  // the lowest address of a function
  };

  explicit Kallsyms(std::string text);
  Kallsyms(const Kallsyms&) = delete;
  Kallsyms& operator=(const Kallsyms&) = delete;

  // The whole list.
  const std::string& text() const { return text_; }
  const std::vector<Symbol>& kernel() const { return kernel_; }
  // "ext4", without brackets; nullptr if the list has none. BPF programs are the module "bpf".
  const Module* module(std::string_view name) const;
  // Whether addresses are hidden: there are symbols, all at 0.
  bool restricted() const { return restricted_; }
  // The start of the kernel symbol of this name.
  std::optional<std::uint64_t> address_of(std::string_view name) const;

 private:
  void parse();

  std::string text_;
  std::vector<Symbol> kernel_;
  std::map<std::string_view, Module> modules_;
  bool restricted_ = false;
};

}  // namespace perfsift::symbolize
