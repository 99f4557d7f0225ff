// Encoders of records about code of the kernel: see reader/records/kernel_code.h.
#pragma once

#include <cstddef>
#include <vector>

#include "reader/records/kernel_code.h"
#include "reader/writer/records/encoded_record.h"

namespace perfsift::reader {

std::vector<std::byte> encode_ksymbol(const Ksymbol& symbol, const Encoding& encoding);
std::vector<std::byte> encode_bpf_event(const BpfEvent& event, const Encoding& encoding);
// No bytes if the code before and after does not fit; the kernel writes a few bytes.
std::vector<std::byte> encode_text_poke(const TextPoke& poke, const Encoding& encoding);

}  // namespace perfsift::reader
