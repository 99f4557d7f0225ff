// --filter of perfsift rings: an expression of perfsift-filter(7) on the fields of payloads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reader/format/event.h"
#include "reader/tracepoint.h"
#include "record/keep/sample_keeper.h"

namespace perfsift::tools {

// Checks what can be checked before the first payload. Throws UsageError.
void check_ring_filter(const std::string& expression, const reader::EventAttr& attr);

// The samples that are filtered.
struct FilteredPayloads {
  reader::EventAttr attr;
  std::vector<std::uint64_t> ids;
  std::string event_name;
};

// Decides for samples. Throws UsageError for a field that the payloads do not have. `formats`: of the made tracepoint,
// empty if the payloads have no type; must outlive the result.
std::unique_ptr<record::SampleKeeper> ring_filter(const std::string& expression, const FilteredPayloads& payloads,
                                                  const reader::TracepointFormats& formats);

}  // namespace perfsift::tools
