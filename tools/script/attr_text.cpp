#include "tools/script/attr_text.h"

#include <bit>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace perfsift::tools {
namespace {

struct BitName {
  unsigned bit;
  std::string_view name;
};

// Not in the order of the bits, but in perf's.
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
    {15, "NO_CYCLES"}, {16, "TYPE_SAVE"},  {17, "HW_INDEX"}, {18, "PRIV_SAVE"},
};

constexpr BitName read_formats[] = {
    {0, "TOTAL_TIME_ENABLED"}, {1, "TOTAL_TIME_RUNNING"}, {2, "ID"}, {3, "GROUP"}, {4, "LOST"},
};

constexpr BitName flags[] = {
    {0, "disabled"},       {1, "inherit"},       {2, "pinned"},          {3, "exclusive"}, {4, "exclude_user"},
    {5, "exclude_kernel"}, {6, "exclude_hv"},    {7, "exclude_idle"},    {8, "mmap"},      {9, "comm"},
    {10, "freq"},          {11, "inherit_stat"}, {12, "enable_on_exec"}, {13, "task"},     {14, "watermark"},
};

constexpr BitName flags_after_precise_ip[] = {
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

class AttrText {
 public:
  void number(std::string_view name, std::int64_t value) {
    if (value != 0) add(name, fmt::format("{}", value));
  }
  void unsigned_number(std::string_view name, std::uint64_t value) {
    if (value != 0) add(name, fmt::format("{}", value));
  }
  void hex(std::string_view name, std::uint64_t value) {
    if (value != 0) add(name, fmt::format("{:#x}", value));
  }
  void bits(std::string_view name, std::uint64_t value, std::span<const BitName> names) {
    if (value == 0) return;
    std::string text;
    for (const BitName& bit : names) {
      if (((value >> bit.bit) & 1) != 0) text += fmt::format("{}{}", text.empty() ? "" : "|", bit.name);
    }
    add(name, text);
  }
  void each(std::uint64_t value, std::span<const BitName> names) {
    for (const BitName& bit : names) unsigned_number(bit.name, (value >> bit.bit) & 1);
  }
  std::string take() { return std::move(text_); }

 private:
  void add(std::string_view name, std::string_view value) { text_ += fmt::format(", {} = {}", name, value); }

  std::string text_;
};

}  // namespace

std::string attr_text(const reader::EventAttr& attr) {
  AttrText text;
  text.unsigned_number("type", attr.type);
  text.unsigned_number("size", attr.size);
  text.hex("config", attr.config);
  text.unsigned_number("{ sample_period, sample_freq }", attr.sample_period);
  text.bits("sample_type", attr.sample_type, sample_types);
  text.bits("read_format", attr.read_format, read_formats);
  text.each(attr.flags, flags);
  text.unsigned_number("precise_ip", attr.precise_ip());
  text.each(attr.flags, flags_after_precise_ip);
  text.unsigned_number("{ wakeup_events, wakeup_watermark }", attr.wakeup_events);
  text.unsigned_number("bp_type", attr.bp_type);
  text.hex("{ bp_addr, config1 }", attr.config1);
  text.hex("{ bp_len, config2 }", attr.config2);
  text.bits("branch_sample_type", attr.branch_sample_type, branch_sample_types);
  text.hex("sample_regs_user", attr.sample_regs_user);
  text.unsigned_number("sample_stack_user", attr.sample_stack_user);
  text.number("clockid", attr.clock_id);
  text.hex("sample_regs_intr", attr.sample_regs_intr);
  text.unsigned_number("aux_watermark", attr.aux_watermark);
  text.unsigned_number("sample_max_stack", attr.sample_max_stack);
  text.unsigned_number("aux_sample_size", attr.aux_sample_size);
  text.unsigned_number("sig_data", attr.sig_data);
  return text.take();
}

}  // namespace perfsift::tools
