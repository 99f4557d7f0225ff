#include "store/wanted_rows.h"

#include <fmt/format.h>

#include "store/shards.h"

namespace perfsift::store {

std::string wanted_loads(const Selection& selection) {
  return fmt::format("load IN (SELECT load FROM {})", selection.wanted_recordings());
}

std::string wanted_samples(const Selection& selection) {
  return wanted_loads(selection) + selection.further_condition_on_samples();
}

KeptSelection::KeptSelection(Engine& engine, const Selection& selection)
    : recordings_(engine, "SELECT * FROM " + selection.wanted_recordings(), selection.parameters()),
      selection_(selection) {
  selection_.kept_recordings = recordings_.source();
}

std::string wanted_stacks(std::string_view table, const Selection& selection) {
  return fmt::format("id IN (SELECT stack FROM {} WHERE {})", table, wanted_samples(selection));
}

std::uint64_t small_sum(RowReader& row) {
  const Hash128 sum = row.id();
  if (sum.high != 0) throw InputError("the sum of its samples is too large: choose fewer by labels or times");
  return sum.low;
}

void check_unchanged(Engine& engine, const Selection& selection, const std::string& state) {
  if (!engine.is_alone() && state_of(engine, selection) != state)
    throw StoreChanged("recordings were added or removed meanwhile: try again, or choose a time that is over (to=)");
}

void read_unchanged(const std::function<void()>& read) {
  constexpr unsigned most_tries = 5;
  for (unsigned tries = 1;; ++tries) {
    try {
      return read();
    } catch (const StoreChanged&) {
      if (tries == most_tries) throw;
    }
  }
}

void read_unchanged(Engine& engine, const Selection& selection, const std::function<void(const Selection&)>& read) {
  read_unchanged([&] {
    const KeptSelection kept(engine, selection);
    read(kept.selection());
  });
}

}  // namespace perfsift::store
