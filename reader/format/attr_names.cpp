#include "reader/format/attr_names.h"

#include <fmt/format.h>

namespace perfsift::reader {
namespace {

// tools/perf/util/perf_event_attr_fprintf.c
constexpr BitName sample_types[] = {
    {0, "IP"},
    {1, "TID"},
    {2, "TIME"},
    {3, "ADDR"},
    {4, "READ"},
    {5, "CALLCHAIN"},
    {6, "ID"},
    {7, "CPU"},
    {8, "PERIOD"},
    {9, "STREAM_ID"},
    {10, "RAW"},
    {11, "BRANCH_STACK"},
    {12, "REGS_USER"},
    {13, "STACK_USER"},
    {16, "IDENTIFIER"},
    {17, "TRANSACTION"},
    {18, "REGS_INTR"},
    {15, "DATA_SRC"},
    {14, "WEIGHT"},
    {19, "PHYS_ADDR"},
    {20, "AUX"},
    {21, "CGROUP"},
    {22, "DATA_PAGE_SIZE"},
    {23, "CODE_PAGE_SIZE"},
    {24, "WEIGHT_STRUCT"},
};

constexpr BitName branch_sample_types[] = {
    {0, "USER"},       {1, "KERNEL"},      {2, "HV"},        {3, "ANY"},        {4, "ANY_CALL"},
    {5, "ANY_RETURN"}, {6, "IND_CALL"},    {7, "ABORT_TX"},  {8, "IN_TX"},      {9, "NO_TX"},
    {10, "COND"},      {11, "CALL_STACK"}, {12, "IND_JUMP"}, {13, "CALL"},      {14, "NO_FLAGS"},
    {15, "NO_CYCLES"}, {16, "TYPE_SAVE"},  {17, "HW_INDEX"}, {18, "PRIV_SAVE"}, {19, "COUNTERS"},
};

constexpr BitName read_formats[] = {
    {0, "TOTAL_TIME_ENABLED"}, {1, "TOTAL_TIME_RUNNING"}, {2, "ID"}, {3, "GROUP"}, {4, "LOST"},
};

constexpr BitName flags[] = {
    {0, "disabled"},
    {1, "inherit"},
    {2, "pinned"},
    {3, "exclusive"},
    {4, "exclude_user"},
    {5, "exclude_kernel"},
    {6, "exclude_hv"},
    {7, "exclude_idle"},
    {8, "mmap"},
    {9, "comm"},
    {10, "freq"},
    {11, "inherit_stat"},
    {12, "enable_on_exec"},
    {13, "task"},
    {14, "watermark"},
    {17, "mmap_data"},
    {18, "sample_id_all"},
    {19, "exclude_host"},
    {20, "exclude_guest"},
    {21, "exclude_callchain_kernel"},
    {22, "exclude_callchain_user"},
    {23, "mmap2"},
    {24, "comm_exec"},
    {25, "use_clockid"},
    {26, "context_switch"},
    {27, "write_backward"},
    {28, "namespaces"},
    {29, "ksymbol"},
    {30, "bpf_event"},
    {31, "aux_output"},
    {32, "cgroup"},
    {33, "text_poke"},
    {34, "build_id"},
    {35, "inherit_thread"},
    {36, "remove_on_exec"},
    {37, "sigtrap"},
    {38, "defer_callchain"},
    {39, "defer_output"},
};

}  // namespace

std::span<const BitName> sample_type_names() { return sample_types; }
std::span<const BitName> read_format_names() { return read_formats; }
std::span<const BitName> branch_sample_type_names() { return branch_sample_types; }
std::span<const BitName> attr_flag_names() { return flags; }

std::vector<std::string> names_of_bits(std::uint64_t word, std::span<const BitName> names) {
  std::vector<std::string> found;
  for (const auto& [bit, name] : names) {
    const std::uint64_t mask = std::uint64_t{1} << bit;
    if ((word & mask) != 0) found.emplace_back(name);
    word &= ~mask;
  }
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((word >> bit & 1) != 0) found.push_back(fmt::format("bit {}", bit));
  }
  return found;
}

}  // namespace perfsift::reader
