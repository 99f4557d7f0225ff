// The encoder of SAMPLE records: the twin of SampleDecoder.
#pragma once

#include <cstddef>
#include <vector>

#include "reader/format/sample.h"

namespace perfsift::reader {

// The bytes of a whole record, with the fields that `attr` asks for, in the order of the kernel's perf_output_sample()
// (kernel/events/core.c). Views of `sample` may lie anywhere; `event`, `moment`, `seldom` and `record` are not used.
// Raw data is padded as the kernel pads it. The user stack has `user_stack_dumped` bytes, of which `user_stack` is the
// begin. No bytes if the size exceeds 16 bits, or if the user stack is longer than what was dumped.
std::vector<std::byte> encode_sample(const Sample& sample, const EventAttr& attr, ByteOrder order = ByteOrder::native);

}  // namespace perfsift::reader
