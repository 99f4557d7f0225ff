// Seeds for the targets of texts, stored profiles, requests and answers.
#pragma once

#include <filesystem>

namespace perfsift::test {

// Writes the seeds below `root`. The seeds of the target "pprof" must be there already.
void add_input_seeds(const std::filesystem::path& root);

}  // namespace perfsift::test
