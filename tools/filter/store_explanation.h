// The parts of a store's address, for perfsift explain.
#pragma once

#include <iosfwd>
#include <string>

namespace perfsift::tools {

// Prints what of the address the store decides, and what is decided here. The store is not opened. Throws UsageError
// for an address that cannot be read.
void print_store_parts(const std::string& url, std::ostream& out);

}  // namespace perfsift::tools
