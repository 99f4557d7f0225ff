// The shards of a store: which server is which, and whether they agree.
#pragma once

#include <cstdint>

#include "store/engine/engine.h"
#include "store/selection.h"

namespace perfsift::store {

struct Place {
  std::uint32_t shard = 0;  // beginning with 0
  std::uint32_t shards = 1;
};

// A server keeps its place from the first time. Throws InputError if the store has other shards, or another order of
// them: answers would be sums of a part.
void check_place(Engine& server, const Place& place);

// What distinguishes the wanted recordings of a store from those at another time. Throws InputError if the shards
// disagree: a load, or a removal, broke off between them.
std::string state_of(Engine& engine, const Selection& selection);

// The part of a state that is known by its meaning.
struct StateOfRecordings {
  std::uint64_t recordings = 0;
  std::uint64_t samples = 0;
  std::uint64_t duration = 0;  // of all together, in nanoseconds
  std::uint64_t began = 0;     // the first one, in nanoseconds since 1970
};
// Throws InputError if there are none.
StateOfRecordings recordings_in(const std::string& state);

}  // namespace perfsift::store
