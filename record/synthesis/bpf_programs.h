// The BPF programs that are loaded, by bpf(2).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reader/features/features.h"
#include "reader/writer/records/encoded_record.h"

namespace perfsift::record {

// All programs, with what BPF_PROG_INFO says of them. Empty without privileges (CAP_BPF and CAP_PERFMON, or root).
// Programs without compiled code are left out.
std::vector<reader::BpfProgram> loaded_bpf_programs();

// KSYMBOL of each function and BPF_EVENT of each program: perf_event__synthesize_one_bpf_prog(). The names are those of
// `kallsyms` (the path of the file), which has functions of programs at its end; if a name is hidden or missing, the
// name that the kernel would give to a program without BTF. Trampolines and dispatchers of `kallsyms` follow. Without
// programs, `kallsyms` is not read.
std::vector<std::byte> bpf_records(const std::vector<reader::BpfProgram>& programs, const std::string& kallsyms,
                                   const reader::Encoding& encoding);

}  // namespace perfsift::record
