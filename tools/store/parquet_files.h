// The files of perfsift store export.
#pragma once

#include <string>

#include "store/url.h"

namespace perfsift::tools {

// Writes the samples that the address chooses as Parquet, a file for each server; a name with "%n" has the number of
// the server there. Throws InputError, and UsageError for a name that cannot be written.
void write_parquet(const store::StoreUrl& url, const std::string& output);

}  // namespace perfsift::tools
