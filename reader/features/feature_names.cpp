#include "reader/features/feature_names.h"

#include <iterator>

#include "reader/format/abi.h"

namespace perfsift::reader {
namespace {

// feat_ops[] in tools/perf/util/header.c. There is no feature 0.
constexpr std::string_view feature_names[] = {
    "",
    "TRACING_DATA",
    "BUILD_ID",
    "HOSTNAME",
    "OSRELEASE",
    "VERSION",
    "ARCH",
    "NRCPUS",
    "CPUDESC",
    "CPUID",
    "TOTAL_MEM",
    "CMDLINE",
    "EVENT_DESC",
    "CPU_TOPOLOGY",
    "NUMA_TOPOLOGY",
    "BRANCH_STACK",
    "PMU_MAPPINGS",
    "GROUP_DESC",
    "AUXTRACE",
    "STAT",
    "CACHE",
    "SAMPLE_TIME",
    "MEM_TOPOLOGY",
    "CLOCKID",
    "DIR_FORMAT",
    "BPF_PROG_INFO",
    "BPF_BTF",
    "COMPRESSED",
    "CPU_PMU_CAPS",
    "CLOCK_DATA",
    "HYBRID_TOPOLOGY",
    "PMU_CAPS",
    "CPU_DOMAIN_INFO",
    "E_MACHINE",
    "CLN_SIZE",
};
static_assert(std::size(feature_names) == reader::last_known_feature + 1);

}  // namespace

std::string_view feature_name(std::uint32_t number) {
  return number < std::size(feature_names) ? feature_names[number] : std::string_view{};
}

}  // namespace perfsift::reader
