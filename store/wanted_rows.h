// SQL that questions about a selection have in common, and how their sums are read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "store/engine/engine.h"
#include "store/engine/kept_rows.h"
#include "store/engine/row_binary.h"
#include "store/selection.h"

namespace perfsift::store {

// Conditions on the table samples, and on others of its kind (waits): the rows of wanted recordings, and those that the
// selection chooses.
std::string wanted_loads(const Selection& selection);
std::string wanted_samples(const Selection& selection);
// SQL: the loads that count, in parentheses.
inline constexpr const char* counted_loads = "(SELECT load FROM recordings FINAL WHERE NOT removed)";
// A condition on the table stacks: those of the wanted rows of a table.
std::string wanted_stacks(std::string_view table, const Selection& selection);

// A selection for several questions: an engine in this process looks up its recordings once.
class KeptSelection {
 public:
  // The engine must live longer. Throws InputError.
  KeptSelection(Engine& engine, const Selection& selection);
  const Selection& selection() const { return selection_; }

 private:
  KeptRows recordings_;
  Selection selection_;
};

// A sum in 128 bits, of which 64 must suffice. Throws InputError.
std::uint64_t small_sum(RowReader& row);

// Recordings were added or removed while they were read. What was read is a mixture: a new try may succeed.
struct StoreChanged : InputError {
  using InputError::InputError;
};
// Throws StoreChanged if `state`, see state_of(), is no longer that of the selection.
void check_unchanged(Engine& engine, const Selection& selection, const std::string& state);
// Calls read() again while it throws StoreChanged, some times: others may add recordings to a server meanwhile.
void read_unchanged(const std::function<void()>& read);
// The same with a kept selection.
void read_unchanged(Engine& engine, const Selection& selection, const std::function<void(const Selection&)>& read);

}  // namespace perfsift::store
