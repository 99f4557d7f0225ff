#include "output/info/header_json.h"
#include "reader/format/attr_names.h"

namespace perfsift::output {
namespace {

// Bits 15 and 16 of the flags are one number.
constexpr std::uint64_t precise_ip_bits = 3u << 15;

void add_if_set(Json& json, const char* key, std::uint64_t value) {
  if (value != 0) json[key] = value;
}

void add_masks_and_limits(Json& json, const reader::EventAttr& attr) {
  add_if_set(json, "wakeup_events", attr.wakeup_events);
  add_if_set(json, "bp_type", attr.bp_type);
  add_if_set(json, "config1", attr.config1);
  add_if_set(json, "config2", attr.config2);
  add_if_set(json, "config3", attr.config3);
  add_if_set(json, "config4", attr.config4);
  add_if_set(json, "sample_regs_user", attr.sample_regs_user);
  add_if_set(json, "sample_stack_user", attr.sample_stack_user);
  add_if_set(json, "sample_regs_intr", attr.sample_regs_intr);
  add_if_set(json, "aux_watermark", attr.aux_watermark);
  add_if_set(json, "sample_max_stack", attr.sample_max_stack);
  add_if_set(json, "aux_sample_size", attr.aux_sample_size);
  add_if_set(json, "aux_action", attr.aux_action);
  add_if_set(json, "sig_data", attr.sig_data);
}

}  // namespace

Json attr_json(const reader::EventAttr& attr) {
  Json json = {{"type", attr.type}, {"size", attr.size}, {"config", attr.config}};
  json[attr.freq() ? "sample_freq" : "sample_period"] = attr.sample_period;
  json["sample_type"] = reader::names_of_bits(attr.sample_type, reader::sample_type_names());
  json["read_format"] = reader::names_of_bits(attr.read_format, reader::read_format_names());
  json["flags"] = reader::names_of_bits(attr.flags & ~precise_ip_bits, reader::attr_flag_names());
  json["precise_ip"] = attr.precise_ip();
  if (attr.branch_sample_type != 0) {
    json["branch_sample_type"] = reader::names_of_bits(attr.branch_sample_type, reader::branch_sample_type_names());
  }
  if (attr.use_clockid()) json["clockid"] = attr.clock_id;
  add_masks_and_limits(json, attr);
  return json;
}

}  // namespace perfsift::output
