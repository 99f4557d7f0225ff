// From an expression as it is written to one that can be asked about samples: what its names mean, and whether what is
// compared can be compared.
#pragma once

#include "filter/predicate.h"
#include "filter/syntax.h"

namespace perfsift::filter {

// `text`: the index of `source` among the texts of the filter. What the expression needs is added to `needs`. Throws
// UsageError.
PredicatePtr check(const Syntax& syntax, const FilterText& source, std::size_t text, Subject subject,
                   Filter::Needs& needs);

}  // namespace perfsift::filter
