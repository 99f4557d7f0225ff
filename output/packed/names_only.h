// The content of a packed recording that has names instead of binaries.
#pragma once

#include <map>
#include <string>

#include "analysis/rewrite/unwound_samples.h"
#include "reader/recording.h"
#include "symbolize/search/used_files.h"

namespace perfsift::output {

// A recording with the same records, apart from samples whose stacks were unwound. RecordingFile::owner has its bytes.
reader::RecordingFile with_unwound_samples(const reader::Recording& recording, analysis::UnwoundSamples& samples);

// `used`, with `names` in place of binaries, debug files and lists of the kernel's symbols. Perf maps and jitdumps,
// which are names themselves, stay, but jitdumps without their code. `names`: by purpose, as
// Symbolizer::packed_names().
std::map<std::string, symbolize::UsedFile> names_instead_of_binaries(std::map<std::string, symbolize::UsedFile> used,
                                                                     std::map<std::string, std::string> names);

}  // namespace perfsift::output
