// The waits of a recording as rows of a store's table, and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/offcpu/summed_waits.h"
#include "store/recording_rows.h"
#include "store/stack_rows.h"

namespace perfsift::store {

// Writes the waits to to.waits, and their stacks. Sums that are equal in all keys of the table become one row.
void write_waits(const offcpu::SummedWaits& waits, std::string_view service, std::uint64_t load, StackRows& stacks,
                 RecordingRows& to);

// A set of filter::WaitKind as the table has it, and back: "lock futex", the most specific word first. Words of later
// versions are left out.
std::string words_of_kinds(std::uint64_t kinds);
std::uint64_t kinds_of_words(std::string_view words);

}  // namespace perfsift::store
