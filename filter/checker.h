// Makes a predicate of a parsed expression: resolves names, and checks that both sides of a comparison can be compared.
#pragma once

#include "filter/predicate.h"
#include "filter/syntax.h"

namespace perfsift::filter {

// `text`: the index of `source` among the texts of the filter. What the expression needs is added to `needs`. Throws
// UsageError.
PredicatePtr check(const Syntax& syntax, const FilterText& source, std::size_t text, Subject subject,
                   Filter::Needs& needs);

}  // namespace perfsift::filter
