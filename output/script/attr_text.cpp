#include "output/script/attr_text.h"

#include <span>
#include <string_view>

#include <fmt/format.h>

#include "reader/format/attr_names.h"

namespace perfsift::output {
namespace {

// Bits that perf 6.1 has no name for: TRANSACTION was forgotten, COUNTERS came later.
constexpr std::uint64_t unnamed_sample_types = reader::sample_bit::transaction;
constexpr std::uint64_t unnamed_branch_sample_types = reader::branch_sample::counters;

// precise_ip is printed between the flags before and behind its bits.
constexpr unsigned precise_ip_bit = 15;

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
  void bits(std::string_view name, std::uint64_t value, std::span<const reader::BitName> names,
            std::uint64_t unnamed = 0) {
    if (value == 0) return;
    std::string text;
    for (const reader::BitName& bit : names) {
      if (((value & ~unnamed) >> bit.bit & 1) != 0) text += fmt::format("{}{}", text.empty() ? "" : "|", bit.name);
    }
    add(name, text);
  }
  void each(std::uint64_t value, std::span<const reader::BitName> names) {
    for (const reader::BitName& bit : names) unsigned_number(bit.name, (value >> bit.bit) & 1);
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
  text.bits("sample_type", attr.sample_type, reader::sample_type_names(), unnamed_sample_types);
  text.bits("read_format", attr.read_format, reader::read_format_names());
  const std::span<const reader::BitName> flags = reader::attr_flag_names();
  text.each(attr.flags, flags.first(precise_ip_bit));
  text.unsigned_number("precise_ip", attr.precise_ip());
  text.each(attr.flags, flags.subspan(precise_ip_bit));
  text.unsigned_number("{ wakeup_events, wakeup_watermark }", attr.wakeup_events);
  text.unsigned_number("bp_type", attr.bp_type);
  text.hex("{ bp_addr, config1 }", attr.config1);
  text.hex("{ bp_len, config2 }", attr.config2);
  text.bits("branch_sample_type", attr.branch_sample_type, reader::branch_sample_type_names(),
            unnamed_branch_sample_types);
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

}  // namespace perfsift::output
