#include "symbolize/symbols/symbol_table.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "symbolize/symbols/demangle.h"

namespace perfsift::symbolize {

namespace {

std::size_t leading_underscores(std::string_view name) { return std::min(name.find_first_not_of('_'), name.size()); }

// Whether `b` is a better name than `a` for the address where both start: the rules of choose_best_symbol() in perf's
// symbol.c, in their order. It compares demangled names, without parameters. Its newest versions ask for labels, too
// (STT_NOTYPE).
//
// perf gives symbols of unknown size an end before it compares, by the start of the next one in its list. Then of
// several symbols at one address (all of kallsyms!) only the last has a size, and always wins: a weak name
// beats the global one. Aliases::best compares first and extends the winner.
bool is_better(const Symbol& b, const Symbol& a, bool mangled, Aliases rule) {
  if (a.has_unknown_size() != b.has_unknown_size()) return a.has_unknown_size();
  if (rule == Aliases::newest_perf && a.label != b.label) return a.label;
  if ((a.binding == Binding::weak) != (b.binding == Binding::weak)) return a.binding == Binding::weak;
  if ((a.binding == Binding::global) != (b.binding == Binding::global)) return b.binding == Binding::global;
  if (a.name == b.name) return false;

  const auto readable = [&](std::string_view name) {
    return mangled ? demangle(name, DemangleStyle::perf_6_1) : std::string(name);
  };
  const std::string name_a = readable(a.name);
  const std::string name_b = readable(b.name);
  if (const auto under_a = leading_underscores(name_a), under_b = leading_underscores(name_b); under_a != under_b)
    return under_b < under_a;
  if (name_a.size() != name_b.size()) return name_b.size() > name_a.size();
  return name_a.starts_with("SyS") || name_a.starts_with("compat_SyS");  // old kernels' names of system calls
}

}  // namespace

void SymbolTable::finish(Aliases rule) {
  // Stable: among equals the first in the file stays.
  if (!std::ranges::is_sorted(symbols_, {}, &Symbol::start)) std::ranges::stable_sort(symbols_, {}, &Symbol::start);
  if (rule != Aliases::best) extend_to_next();
  keep_one_of_each_start(rule);
  extend_to_next();
  symbols_.shrink_to_fit();
  find_cover({});
}

void SymbolTable::finish_later_wins() {
  std::vector<std::uint32_t> order(symbols_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t index) { return symbols_[index].start; });

  std::vector<Symbol> sorted;
  sorted.reserve(symbols_.size());
  for (const std::uint32_t index : order) sorted.push_back(symbols_[index]);
  symbols_ = std::move(sorted);
  find_cover(order);
}

void SymbolTable::keep_one_of_each_start(Aliases rule) {
  auto kept = symbols_.begin();
  for (auto at = symbols_.begin(); at != symbols_.end(); ++at) {
    if (at == symbols_.begin()) continue;
    if (at->start != kept->start)
      *++kept = *at;
    else if (is_better(*at, *kept, mangled_, rule))
      *kept = *at;
  }
  if (kept != symbols_.end()) symbols_.erase(std::next(kept), symbols_.end());
}

void SymbolTable::extend_to_next() {
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    Symbol& symbol = symbols_[i];
    if (!symbol.has_unknown_size()) continue;
    // The last one: to the end of its page and one page more, as perf's symbols__fixup_end().
    const std::uint64_t into_page = symbol.start % page_size;
    symbol.end = i + 1 < symbols_.size() ? symbols_[i + 1].start
                                         : end_of(symbol.start, (page_size - into_page) % page_size + page_size);
  }
}

// Walks over all starts and ends in order. `active` holds what covers the current position, the one that answers on
// top; what has ended is taken off when it gets there. `priorities` says who answers, default: who starts last.
void SymbolTable::find_cover(const std::vector<std::uint32_t>& priorities) {
  const auto overlap = [](const Symbol& a, const Symbol& b) { return a.reach() > b.start; };
  if (std::ranges::adjacent_find(symbols_, overlap) == symbols_.end()) return;

  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>> active;  // priority, index
  const auto answer = [&](std::uint64_t position) {
    while (!active.empty() && symbols_[active.top().second].reach() <= position) active.pop();
    const std::uint32_t index = active.empty() ? Cover::nothing : active.top().second;
    if (cover_.empty() || cover_.back().symbol != index) cover_.push_back({position, index});
  };

  std::uint32_t next = 0;
  const auto count = static_cast<std::uint32_t>(symbols_.size());
  while (next < count || !active.empty()) {
    const std::uint64_t end = active.empty() ? ~std::uint64_t{0} : symbols_[active.top().second].reach();
    const std::uint64_t start = next < count ? symbols_[next].start : ~std::uint64_t{0};
    const std::uint64_t position = std::min(start, end);
    for (; next < count && symbols_[next].start == position; ++next)
      active.emplace(priorities.empty() ? next : priorities[next], next);
    answer(position);
  }
}

std::unique_ptr<SymbolTable> without_symbols(Missing reason) {
  auto table = std::make_unique<SymbolTable>();
  table->set_missing(reason);
  return table;
}

}  // namespace perfsift::symbolize
