// Names of functions that are equal in several builds or runs of a program.
//
// Compilers number the clones and parts of a function, and the JVM numbers the classes that it generates. These names
// differ from build to build, or from run to run. The file of generated code is named after the process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/samples/frame_table.h"

namespace perfsift::analysis {

// How the names of functions are made.
enum class FunctionNames : std::uint8_t {
  recorded,   // as they are in one recording
  processes,  // generated code of all processes is in one binary
  common,     // and names lose the parts that differ by build or run: see common_name()
};

// The binary of generated code, and the name of generated code without a name.
inline constexpr std::string_view generated_code = "[generated code]";

// The name without the suffixes of compilers and the JVM: "f" for "f.constprop.0.isra.0", "f.part.1", "f.cold",
// "f.lto_priv.3", "f.llvm.12345", and for these inside [clone ...]. "A$$Lambda.run" for
// "A$$Lambda$14/0x0000000800c03000.run". "A$Form.run" for the hidden class "A$Form/0x0000000800c03000" of the JVM.
std::string common_name(std::string_view name);

// The name of a frame.
std::string name_of(const FrameTable& frames, FrameId frame, FunctionNames names);
// The name of a frame with FunctionNames::processes. The text is in the table.
std::string_view name_in_any_process(const FrameTable& frames, FrameId frame);
// The file name of the frame's binary, without folders. Empty if the binary is not known.
std::string_view binary_name_of(const FrameTable& frames, FrameId frame, FunctionNames names);

}  // namespace perfsift::analysis
