#include "symbolize/unwind/cached_rules.h"

#include "symbolize/cache/flat_tables.h"

namespace perfsift::symbolize {

std::unique_ptr<const CachedRules> CachedRules::open(std::shared_ptr<const CacheFile> file, std::size_t group_size) {
  if (!file) return nullptr;
  std::unique_ptr<CachedRules> rules(new CachedRules(std::move(file)));
  rules->functions_ = rules->file_->part(functions_part);
  const std::size_t groups = (rules->functions().size() + group_size - 1) / group_size;
  const bool complete = !rules->functions_.empty() && rules->file_->part_count() == first_group_part + groups;
  return complete ? std::move(rules) : nullptr;
}

FlatArray<IndexedFunction> CachedRules::functions() const {
  FlatReader in(functions_);
  FlatArray<IndexedFunction> functions;
  in(functions);
  return in.done() ? std::move(functions) : FlatArray<IndexedFunction>();
}

std::optional<RuleTable> CachedRules::group(std::size_t number) const {
  FlatReader in(file_->part(first_group_part + number));
  RuleTable rules;
  RuleTable::visit_arrays(rules, in);
  return in.done() && rules.is_sound() ? std::optional(std::move(rules)) : std::nullopt;
}

void CachedRules::add_functions(const FlatArray<IndexedFunction>& functions, CacheFileWriter& to) {
  FlatWriter out;
  out(functions);
  to.add(out.bytes());
}

void CachedRules::add_group(const RuleTable& rules, CacheFileWriter& to) {
  FlatWriter out;
  RuleTable::visit_arrays(rules, out);
  to.add(out.bytes());
}

void CachedRules::add_unchanged(std::size_t number, CacheFileWriter& to) const {
  to.add_unchanged(*file_, first_group_part + number);
}

}  // namespace perfsift::symbolize
