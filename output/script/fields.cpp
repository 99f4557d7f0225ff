#include "output/script/fields.h"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/error.h"

namespace perfsift::output {
namespace {

namespace bit = reader::sample_bit;

struct FieldName {
  std::string_view name;
  Field field;
};

constexpr FieldName field_names[] = {
    {"comm", Field::comm},
    {"tid", Field::tid},
    {"pid", Field::pid},
    {"time", Field::time},
    {"cpu", Field::cpu},
    {"event", Field::event},
    {"trace", Field::trace},
    {"ip", Field::ip},
    {"sym", Field::sym},
    {"srcline", Field::srcline},
    {"dso", Field::dso},
    {"addr", Field::addr},
    {"symoff", Field::symoff},
    {"period", Field::period},
    {"iregs", Field::iregs},
    {"uregs", Field::uregs},
    {"brstack", Field::brstack},
    {"brstacksym", Field::brstacksym},
    {"brstackoff", Field::brstackoff},
    {"data_src", Field::data_src},
    {"weight", Field::weight},
    {"bpf-output", Field::bpf_output},
    {"phys_addr", Field::phys_addr},
    {"misc", Field::misc},
    {"tod", Field::tod},
    {"data_page_size", Field::data_page_size},
    {"code_page_size", Field::code_page_size},
    {"ins_lat", Field::ins_lat},
    {"retire_lat", Field::retire_lat},
    {"cgroup", Field::cgroup},
    {"ibs", Field::ibs},
};

// Fields of perf script that are not printed here, and why.
struct Refused {
  std::string_view name;
  std::string_view why;
};

constexpr std::string_view needs_instructions = "it needs instructions to be decoded";
constexpr std::string_view needs_aux = "only decoding of AUX data (Intel PT, ARM SPE, …) would fill it";
constexpr std::string_view needs_guests = "the virtual machines of a recording are not distinguished";

constexpr Refused refused_fields[] = {
    {"srccode", "it needs the source files"},
    {"insn", needs_instructions},
    {"insnlen", needs_instructions},
    {"disasm", needs_instructions},
    {"brstackinsn", needs_instructions},
    {"brstackinsnlen", needs_instructions},
    {"brstackdisasm", needs_instructions},
    {"callindent", needs_aux},
    {"flags", needs_aux},
    {"ipc", needs_aux},
    {"synth", needs_aux},
    {"metric", "metrics are computed by `perf stat`"},
    {"machine_pid", needs_guests},
    {"vcpu", needs_guests},
    {"guest_comm", needs_guests},
};

// The recorded data that a field needs. perf checks these fields and no others.
struct Requirement {
  Field field;
  std::uint64_t sample_bits;  // one of them
  std::string_view record_option;
  // perf lets the field pass, empty, where AUX data could have filled it.
  bool optional_with_aux = false;
};

constexpr Requirement requirements[] = {
    {Field::ip, bit::ip, ""},
    {Field::addr, bit::addr, "--data", true},
    {Field::data_src, bit::data_src, "--data", true},
    {Field::weight, bit::weight | bit::weight_struct, "--weight", true},
    {Field::pid, bit::tid, ""},
    {Field::tid, bit::tid, ""},
    {Field::time, bit::time, "--timestamp"},
    {Field::cpu, bit::cpu, "--sample-cpu", true},
    {Field::iregs, bit::regs_intr, "--intr-regs", true},
    {Field::uregs, bit::regs_user, "--user-regs"},
    {Field::phys_addr, bit::phys_addr, "--phys-data", true},
    {Field::data_page_size, bit::data_page_size, "--data-page-size"},
    {Field::code_page_size, bit::code_page_size, "--code-page-size"},
    {Field::ins_lat, bit::weight_struct, "--weight"},
    {Field::retire_lat, bit::weight_struct, "--weight"},
    {Field::cgroup, bit::cgroup, "--all-cgroups"},
};

constexpr std::string_view type_names[output_type_count] = {
    "hardware", "software", "tracepoint", "hardware-cache", "raw", "breakpoint", "synth", "unknown",
};

struct TypePrefix {
  std::string_view prefix;
  OutputType type;
};

constexpr TypePrefix type_prefixes[] = {
    {"hw", OutputType::hardware}, {"sw", OutputType::software},      {"trace", OutputType::tracepoint},
    {"raw", OutputType::raw},     {"break", OutputType::breakpoint}, {"synth", OutputType::synth},
};

constexpr FieldSet common{Field::comm, Field::tid, Field::cpu,    Field::time, Field::event,
                          Field::ip,   Field::sym, Field::symoff, Field::dso};

constexpr FieldSet with(FieldSet set, std::initializer_list<Field> more) {
  for (const Field field : more) set.add(field);
  return set;
}

// The `output` table of builtin-script.c.
FieldSet default_fields(OutputType type, analysis::PerfStyle style) {
  switch (type) {
    case OutputType::software:
      return with(common, {Field::period, Field::bpf_output});
    case OutputType::tracepoint:
      return {Field::comm, Field::tid, Field::cpu, Field::time, Field::event, Field::trace};
    case OutputType::raw: {
      FieldSet fields = with(common, {Field::period, Field::addr, Field::data_src, Field::weight, Field::phys_addr,
                                      Field::data_page_size, Field::code_page_size, Field::ins_lat});
      if (style == analysis::PerfStyle::newest) fields.add(Field::retire_lat);
      return fields;
    }
    case OutputType::synth:
      return common;
    default:
      return with(common, {Field::period});
  }
}

constexpr bool valid(OutputType type, Field field) {
  if (field == Field::trace) return type == OutputType::tracepoint;
  if (field == Field::bpf_output) return type == OutputType::software || type == OutputType::tracepoint;
  return true;
}

std::string_view name_of(Field field) { return std::ranges::find(field_names, field, &FieldName::field)->name; }

Field parse_field(std::string_view name) {
  if (const auto* const known = std::ranges::find(field_names, name, &FieldName::name);
      known != std::end(field_names)) {
    return known->field;
  }
  if (const auto* const refused = std::ranges::find(refused_fields, name, &Refused::name);
      refused != std::end(refused_fields)) {
    throw UsageError(fmt::format("-F {}: cannot be printed: {}", name, refused->why));
  }
  std::string all;
  for (const FieldName& known : field_names) all += fmt::format("{}{}", all.empty() ? "" : ", ", known.name);
  throw UsageError(fmt::format("-F '{}': unknown field; there are {}", name, all));
}

enum class Change : std::uint8_t { set, add, remove };

struct FieldChange {
  Field field;
  Change change;
};

// "comm,ip", or "+comm,-ip" (a sign holds for one field, as in perf).
std::vector<FieldChange> parse_changes(std::string_view list) {
  std::vector<FieldChange> changes;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    if (name.empty()) continue;
    const Change change = name[0] == '+' ? Change::add : name[0] == '-' ? Change::remove : Change::set;
    if (change != Change::set) name.remove_prefix(1);
    changes.push_back({parse_field(name), change});
  }
  const auto sets = [](const FieldChange& c) { return c.change == Change::set; };
  if (std::ranges::any_of(changes, sets) && !std::ranges::all_of(changes, sets)) {
    throw UsageError("-F: fields with + or - change the default, others replace it; they cannot be mixed");
  }
  return changes;
}

OutputType parse_type(std::string_view prefix) {
  const auto* const found = std::ranges::find(type_prefixes, prefix, &TypePrefix::prefix);
  if (found == std::end(type_prefixes)) {
    throw UsageError(
        fmt::format("-F {}: unknown type of event; there are hw, sw, trace, raw, break and synth", prefix));
  }
  return found->type;
}

// perf looks at the first event of a type only, and not at dummies.
const reader::Event* first_of(const Events& events, OutputType type) {
  const auto found = std::ranges::find_if(
      events, [&](const auto& event) { return !event->attr.is_dummy() && output_type(event->attr) == type; });
  return found == events.end() ? nullptr : found->get();
}

bool any_ibs(const Events& events) {
  return std::ranges::any_of(
      events, [](const auto& event) { return event->ibs != reader::IbsUnit::none && event->attr.has(bit::raw); });
}

}  // namespace

OutputType output_type(const reader::EventAttr& attr) {
  constexpr std::uint32_t perf_type_synth = 0x80000000;  // PERF_TYPE_SYNTH: INT_MAX + 1U
  if (attr.type == perf_type_synth) return OutputType::synth;
  return attr.type <= reader::event_type::breakpoint ? static_cast<OutputType>(attr.type) : OutputType::other;
}

std::vector<std::string_view> names_of_fields() {
  std::vector<std::string_view> names;
  for (const FieldName& field : field_names) names.push_back(field.name);
  return names;
}

FieldSelection::FieldSelection(analysis::PerfStyle style) {
  for (std::size_t i = 0; i < types_.size(); ++i) types_[i].fields = default_fields(static_cast<OutputType>(i), style);
}

void FieldSelection::apply(std::string_view argument) {
  const std::size_t colon = argument.find(':');
  const bool one_type = colon != std::string_view::npos;
  if (argument.empty()) throw UsageError("-F: names no field");

  const OutputType only = one_type ? parse_type(argument.substr(0, colon)) : OutputType{};
  const auto changes = parse_changes(one_type ? argument.substr(colon + 1) : argument);
  const bool replaces = changes.empty() || changes.front().change == Change::set;

  for (std::size_t i = 0; i < types_.size(); ++i) {
    const auto type = static_cast<OutputType>(i);
    if (one_type && type != only) continue;
    TypeSelection& chosen = types_[i];
    chosen.set = true;
    if (replaces) chosen.fields = {};
    for (const FieldChange& change : changes) {
      if (!valid(type, change.field)) {
        if (one_type) {
          throw UsageError(fmt::format("-F {}: {} events have no such field", name_of(change.field), type_names[i]));
        }
        continue;
      }
      if (change.change == Change::remove) {
        chosen.fields.remove(change.field);
        chosen.asked.remove(change.field);
        chosen.refused.add(change.field);
      } else {
        chosen.fields.add(change.field);
        chosen.asked.add(change.field);
        chosen.refused.remove(change.field);
      }
    }
  }
}

void FieldSelection::check(const Events& events, const RecordingTraits& traits, bool hide_callchains,
                           bool skip_missing) {
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const reader::Event* const event = first_of(events, static_cast<OutputType>(i));
    if (event == nullptr) continue;
    if (!traits.has_stat) check_type(types_[i], *event, traits, skip_missing);
    if (types_[i].fields.has(Field::tod) && !traits.has_clock_data) {
      miss(types_[i], Field::tod, "the recording has no clock data; record with --clockid", skip_missing);
    }
    if (types_[i].fields.has(Field::ibs) && !any_ibs(events)) {
      miss(types_[i], Field::ibs, "no event has raw data of AMD's IBS; record ibs_op// with --raw-samples",
           skip_missing);
    }
  }
  if (!hide_callchains) add_callchain_fields(events, traits);
}

void FieldSelection::check_type(TypeSelection& type, const reader::Event& event, const RecordingTraits& traits,
                                bool skip_missing) {
  for (const Requirement& requirement : requirements) {
    if (!type.fields.has(requirement.field) || event.knows(requirement.sample_bits)) continue;
    if (requirement.optional_with_aux && traits.has_auxtrace && type.asked.has(requirement.field)) continue;
    std::string why = fmt::format("event '{}' has no such field in its samples", event.name);
    if (!requirement.record_option.empty()) why += fmt::format("; record with {}", requirement.record_option);
    miss(type, requirement.field, why, skip_missing);
  }
  // Names need an address to start from, and an offset a name.
  if (!event.attr.has(bit::ip | bit::addr)) {
    for (const Field field : {Field::sym, Field::dso}) {
      if (type.fields.has(field))
        miss(type, field, fmt::format("event '{}' records no address", event.name), skip_missing);
    }
  }
  if (type.fields.has(Field::srcline) && !type.fields.has(Field::ip)) {
    miss(type, Field::srcline, "there are no lines without ip", skip_missing);
  }
  if (type.fields.has(Field::symoff) && !type.fields.has(Field::sym)) {
    miss(type, Field::symoff, "there are no offsets without sym", skip_missing);
  }
}

void FieldSelection::miss(TypeSelection& type, Field field, const std::string& why, bool skip_missing) {
  type.fields.remove(field);
  if (!type.asked.has(field)) return;
  const std::string message = fmt::format("-F {}: {}", name_of(field), why);
  if (!skip_missing) throw UsageError(message);
  skipped_.push_back(message);
}

void FieldSelection::add_callchain_fields(const Events& events, const RecordingTraits& traits) {
  TypeSelection& tracepoints = selection(OutputType::tracepoint);
  if (tracepoints.set) return;
  const bool callchains = std::ranges::any_of(events, [](const auto& event) {
    return event->attr.type == reader::event_type::tracepoint && event->attr.has(bit::callchain);
  });
  if (!callchains) return;
  tracepoints.fields.add(Field::ip);
  tracepoints.fields.add(Field::sym);
  // process_attr() of perf 6.1, which is only used for the pipe form, adds no more than these two.
  if (traits.attributes_first) return;
  tracepoints.fields.add(Field::symoff);
  tracepoints.fields.add(Field::dso);
}

}  // namespace perfsift::output
