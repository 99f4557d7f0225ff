// What functions are called where several builds or runs of a program are looked at together.
//
// Compilers number the copies and parts that they make of a function, and the JVM numbers the classes that it makes, so
// that these names differ from build to build, or from run to run. The file of generated code is named after the
// process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/samples/frame_table.h"

namespace perfsift::analysis {

// Which names stand for functions of several recordings.
enum class FunctionNames : std::uint8_t {
  recorded,   // of one recording: as they are
  processes,  // the code that processes generate is in one binary
  common,     // and names without what a build or a run made up: see common_name()
};

// The binary of generated code, and the name of such code without a name.
inline constexpr std::string_view generated_code = "[generated code]";

// "f" for "f.constprop.0.isra.0", "f.part.1", "f.cold", "f.lto_priv.3", "f.llvm.12345", and with [clone ...] around
// these; "A$$Lambda.run" for "A$$Lambda$14/0x0000000800c03000.run"; "A$Form.run" for the class
// "A$Form/0x0000000800c03000" that the JVM hides.
std::string common_name(std::string_view name);

// The name of a frame.
std::string name_of(const FrameTable& frames, FrameId frame, FunctionNames names);
// The same for FunctionNames::processes; the text is in the table.
std::string_view name_in_any_process(const FrameTable& frames, FrameId frame);
// The name of the frame's binary, without folders; empty if it is not known.
std::string_view binary_name_of(const FrameTable& frames, FrameId frame, FunctionNames names);

}  // namespace perfsift::analysis
