// A JSON value as text for people.
#pragma once

#include <string>

#include "output/json.h"

namespace perfsift::output {

// An object becomes a line for each member, "key: value" with the underscores of the key as blanks, nested objects are
// indented below their key; a list of simple values is joined by ", ", and a list of objects becomes a table. Null and
// empty values are left out. Control characters, which could move the cursor of a terminal, become '?'.
std::string outline(const Json& object, unsigned indent = 0);

// A list of objects with the same keys: a line of keys and a line for each. Numbers are aligned right.
std::string table(const Json& rows, unsigned indent = 0);

}  // namespace perfsift::output
