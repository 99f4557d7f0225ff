// How the rings of a session are shared among threads: perf record --threads=SPEC.
#pragma once

#include <string_view>
#include <vector>

#include "record/machine/kernel_files.h"
#include "record/session_plan.h"
#include "record/target.h"

namespace perfsift::record {

// The CPUs whose rings a session of `target` has because they are sampled. Throws what online_cpus() throws.
std::vector<unsigned> sampled_cpus(const Target& target, const KernelRoots& folders);

// `spec`: "cpu", "core", "package" or "numa": a thread for each of these; or masks "CPUS/AFFINITY:CPUS/AFFINITY…", a
// thread each, as record__parse_threads() in tools/perf/builtin-record.c reads it. CPUs that are not in `recorded` are
// passed over. Throws UsageError if a mask has no other CPU, if a CPU comes twice, or if no thread would read the ring
// of a recorded CPU.
std::vector<RingThread> ring_threads(std::string_view spec, const std::vector<unsigned>& recorded,
                                     const KernelRoots& folders);

}  // namespace perfsift::record
