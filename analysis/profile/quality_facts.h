// A Quality as facts, each with a stable word and a count: the form of files and stores. Facts of several recordings
// add up to the Quality of all of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/quality.h"

namespace perfsift::analysis {

struct QualityFact {
  std::string fact;    // "lost_samples", "unresolved"
  std::string reason;  // of "unresolved" and "incomplete": "file_missing", "copy_short"
  std::string place;   // of these: the binary; of "lost_caller": the function; of "told": the sentence
  std::uint64_t count = 0;
  auto operator<=>(const QualityFact&) const = default;
};

// Facts with a count of 0 are left out. Interrupts that an option left out are no fact of the recording.
std::vector<QualityFact> quality_facts(const Quality& quality);
// Adds a fact. A fact of a later version, which has another word, is passed over.
void add(const QualityFact& fact, Quality& quality);
// Whether the fact has neither a reason nor a place.
bool is_quality_number(std::string_view fact);

}  // namespace perfsift::analysis
