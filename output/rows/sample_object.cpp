#include "output/rows/sample_object.h"

#include <vector>

#include "base/printable.h"
#include "filter/field.h"
#include "output/json.h"

namespace perfsift::output {
namespace {

using filter::Fact;
using filter::Field;
using filter::NumberForm;

struct Member {
  std::string_view key;
  Fact fact;
};
constexpr Member identity[] = {{"event", Fact::event}, {"comm", Fact::comm}, {"cgroup", Fact::cgroup}};
constexpr Member code_names[] = {{"sym", Fact::sym}, {"dso", Fact::dso}};
constexpr Member data_names[] = {{"addr_sym", Fact::addr_sym}, {"addr_dso", Fact::addr_dso}};
// What perf's decoders of traces, and its recordings of guests, have besides.
constexpr Member traced[] = {{"flags", Fact::branch_flags},
                             {"insn_cnt", Fact::insn_count},
                             {"cyc_cnt", Fact::cycle_count},
                             {"machine_pid", Fact::machine_pid},
                             {"vcpu", Fact::vcpu}};

// The fields of samples that are recorded numbers as they are.
const std::vector<Field>& recorded_fields() {
  static const std::vector<Field> recorded = [] {
    std::vector<Field> found;
    for (const Field& field : filter::fields()) {
      if (filter::is_recorded(field.fact) && !field.is_decoded()) found.push_back(field);
    }
    return found;
  }();
  return recorded;
}

// An object in the making: each member is written with the comma before it.
class Members {
 public:
  explicit Members(TextWriter& out) : out_(out) { out_.character('{'); }

  void key(std::string_view name) {
    out_.text(is_first_ ? "\"" : ",\"");
    out_.text(name);
    out_.text("\":");
    is_first_ = false;
  }
  void text(std::string_view name, std::string_view value) {
    key(name);
    // Nearly all names need no escapes.
    const bool is_plain = is_plain_ascii(value) && value.find_first_of("\"\\") == std::string_view::npos;
    if (!is_plain) return out_.text(json_string(value));
    out_.character('"');
    out_.text(value);
    out_.character('"');
  }
  void decimal(std::string_view name, std::uint64_t value) {
    key(name);
    out_.decimal(value);
  }
  void number(std::string_view name, filter::Number value) {
    key(name);
    value.negative ? out_.signed_decimal(static_cast<std::int64_t>(value.bits)) : out_.decimal(value.bits);
  }
  // Addresses and sets of bits are texts: few readers of JSON keep all digits of 64 bits.
  void hexadecimal(std::string_view name, std::uint64_t value) {
    key(name);
    out_.text("\"0x");
    out_.hex(value);
    out_.character('"');
  }
  void truth(std::string_view name, bool value) {
    key(name);
    out_.text(value ? "true" : "false");
  }
  void texts(std::span<const Member> members, filter::Facts& facts) {
    for (const Member& member : members) {
      if (const auto value = facts.text(member.fact)) text(member.key, *value);
    }
  }
  void end() { out_.character('}'); }

 private:
  TextWriter& out_;
  bool is_first_ = true;
};

void add_recorded(Members& members, filter::Facts& sample) {
  for (const Field& field : recorded_fields()) {
    const auto number = sample.number(field.fact);
    if (!number) continue;
    const bool is_bits = field.form == NumberForm::hexadecimal || field.form == NumberForm::transaction;
    is_bits ? members.hexadecimal(field.name, number->bits) : members.number(field.name, *number);
  }
}

void add_code(Members& members, filter::Facts& code) {
  if (const auto ip = code.number(Fact::ip)) members.hexadecimal("ip", ip->bits);
  const auto mode = code.number(Fact::cpumode);
  if (mode && mode->bits != 0) members.text("cpumode", cpu_mode_name(static_cast<reader::CpuMode>(mode->bits)));
  members.texts(code_names, code);
  if (const auto offset = code.number(Fact::symoff)) members.number("symoff", *offset);
}

void add_traced(Members& members, filter::Facts& sample) {
  for (const Member& member : traced) {
    const auto number = sample.number(member.fact);
    if (!number) continue;
    const bool is_bits = member.fact == Fact::branch_flags;
    is_bits ? members.hexadecimal(member.key, number->bits) : members.number(member.key, *number);
  }
}

void add_stack(Members& members, std::span<const std::string_view> frames, TextWriter& out) {
  members.key("stack");
  out.character('[');
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (i != 0) out.character(',');
    out.text(frames[i]);
  }
  out.character(']');
}

void add_branch(const reader::BranchEntry& branch, TextWriter& out) {
  Members members(out);
  members.hexadecimal("from", branch.from);
  members.hexadecimal("to", branch.to);
  members.truth("mispredicted", branch.mispredicted());
  members.decimal("cycles", branch.cycles());
  members.end();
}

void add_branches(Members& members, Branches branches, TextWriter& out) {
  members.key("branches");
  out.character('[');
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (i != 0) out.character(',');
    add_branch(branches[i], out);
  }
  out.character(']');
}

}  // namespace

void write_sample_object(filter::Facts& sample, const SampleParts& parts, TextWriter& out) {
  Members members(out);
  members.texts(identity, sample);
  members.decimal("samples", parts.samples);
  add_recorded(members, sample);
  add_code(members, sample);
  members.texts(data_names, sample);
  add_traced(members, sample);
  if (parts.stack) add_stack(members, *parts.stack, out);
  if (parts.stack_truncated) members.truth("stack_truncated", true);
  if (parts.branches) add_branches(members, *parts.branches, out);
  members.end();
  out.character('\n');
}

std::string frame_object(filter::Facts& code, bool inlined) {
  TextWriter out;
  Members members(out);
  add_code(members, code);
  if (const auto file = code.text(Fact::srcfile)) members.text("file", *file);
  if (const auto line = code.number(Fact::srcline)) members.number("line", *line);
  if (inlined) members.truth("inlined", true);
  members.end();
  return std::string(out.view());
}

std::string_view cpu_mode_name(reader::CpuMode mode) {
  static const std::span<const filter::Word> words = filter::find_field("cpumode")->words;
  const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(mode);
  for (const filter::Word& word : words) {
    if (word.bits == bit) return word.name;
  }
  return "unknown";
}

}  // namespace perfsift::output
