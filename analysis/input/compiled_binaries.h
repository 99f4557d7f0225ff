// How the programs and libraries of a recording were compiled.
#pragma once

#include <map>
#include <string>

#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// Compiler and options by the file name of a binary: see symbolize::dwarf::compiled_with(). The binaries are those in
// which samples were taken, as the recording's table of build ids lists them, and which have debug information here.
using CompiledBinaries = std::map<std::string, std::string>;
CompiledBinaries compiled_binaries(const reader::Recording& recording, symbolize::Symbolizer& symbolizer);

}  // namespace perfsift::analysis
