// The meaning of a filter's expression, part by part: the words of perfsift explain.
#pragma once

#include <string>
#include <vector>

#include "filter/filter.h"

namespace perfsift::tools {

// Without a recording the names of tracepoints are unknown: a name that looks like a misspelt field counts as one.
class AnyTracepoint : public filter::TracepointNames {
 public:
  bool has(const filter::TracepointField& field) const override;
  std::vector<std::string> all() const override { return {}; }
};

struct ExplainedPart {
  std::size_t depth = 0;
  std::string text;
  std::string type;  // of what is compared; empty: nothing is
  std::string cost;  // what the answer needs; empty where nothing is compared
};

// The parts in the order in which they are asked.
std::vector<ExplainedPart> explained(const filter::Predicate& predicate);

}  // namespace perfsift::tools
