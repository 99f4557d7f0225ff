// There are two languages of filters while recording.
//
// perf's BPF filter (tools/perf/util/bpf-filter.y) is a list of conditions with commas between, each of which may have
// alternatives joined by ||: a conjunction of disjunctions, without parentheses, of comparisons of fields with numbers
// or words.
//
// The kernel's filter of a tracepoint (kernel/trace/trace_events_filter.c) has &&, ||, ! and parentheses, over the
// fields of the tracepoint; == of texts is equality and ~ compares with a glob.

#include "filter/record_time.h"

#include <algorithm>

#include "base/glob.h"
#include "filter/field.h"
#include "filter/filter.h"
#include "filter/literal.h"
#include "filter/syntax.h"

namespace perfsift::filter {
namespace {

using Text = std::optional<std::string>;

template <typename Parts, typename Write>
Text joined(const Parts& parts, std::string_view separator, Write&& write) {
  std::string all;
  for (const Syntax& part : parts) {
    const Text text = write(part);
    if (!text) return std::nullopt;
    all.append(all.empty() ? "" : separator).append(*text);
  }
  return all;
}

// Both languages know only numbers from 0 on, without units.
Text whole_number(const Syntax& syntax) {
  if (syntax.kind != SyntaxKind::number) return std::nullopt;
  const auto literal = parse_literal(syntax.token.text);
  const bool is_whole = literal && literal->kind != Literal::Kind::share && literal->kind != Literal::Kind::decimal &&
                        !literal->number.negative;
  if (!is_whole) return std::nullopt;
  const bool as_written = literal->kind == Literal::Kind::plain;
  return as_written ? std::string(syntax.token.text) : std::to_string(literal->number.bits);
}

bool is_order_or_equality(std::string_view op) { return op != "=~" && op != "!~"; }

// --- perf's BPF filter ---

Text bpf_field(const Syntax& syntax) {
  if (syntax.kind != SyntaxKind::name) return std::nullopt;
  const Field* const field = find_field(syntax.token.text);
  if (field == nullptr || field->perf_name.empty()) return std::nullopt;
  return std::string(field->perf_name);
}

// The words that perf has, too: perf-record(1), --filter. perf has other words for the TLB, which join level and
// outcome.
constexpr std::string_view bpf_words[] = {"na",   "load",  "store",  "pfetch", "exec",      "l1",     "l2",
                                          "l3",   "l4",    "cxl",    "io",     "lfb",       "ram",    "pmem",
                                          "none", "hit",   "miss",   "hitm",   "any_cache", "fwd",    "peer",
                                          "walk", "fault", "remote", "locked", "by_data",   "by_addr"};

Text bpf_value(const Syntax& left, const Syntax& value) {
  if (value.kind != SyntaxKind::name) return whole_number(value);
  const Field& field = *find_field(left.token.text);
  const bool is_of_tlb = field.perf_name == "mem_dtlb";
  const bool is_level = value.token.text != "walk" && value.token.text != "fault" && value.token.text != "na";
  const bool is_known = std::ranges::find(bpf_words, value.token.text) != std::end(bpf_words);
  return is_known && !(is_of_tlb && is_level) ? Text(value.token.text) : std::nullopt;
}

Text bpf_comparison(const Syntax& left, std::string_view op, const Syntax& right) {
  const Text field = bpf_field(left);
  if (!field) return std::nullopt;
  const Text value = bpf_value(left, right);
  if (!value) return std::nullopt;
  return *field + " " + std::string(op) + " " + *value;
}

// A flag by itself is the word that means true.
Text bpf_flag(const Syntax& syntax) {
  const Text name = bpf_field(syntax);
  if (!name) return std::nullopt;
  const Field& field = *find_field(syntax.token.text);
  if (field.type != FieldType::flag) return std::nullopt;
  return *name + " == " + std::string(field.words.front().name);
}

Text bpf_alternative(const Syntax& syntax) {
  switch (syntax.kind) {
    case SyntaxKind::any_of:
      return joined(syntax.parts, " || ", bpf_alternative);
    case SyntaxKind::comparison:
      if (!is_order_or_equality(syntax.token.text)) return std::nullopt;
      return bpf_comparison(syntax.parts[0], syntax.token.text, syntax.parts[1]);
    case SyntaxKind::mask:
      return bpf_comparison(syntax.parts[0], "&", syntax.parts[1]);
    case SyntaxKind::membership:
      if (!syntax.token.is("in")) return std::nullopt;
      return joined(std::vector<Syntax>(syntax.parts.begin() + 1, syntax.parts.end()), " || ",
                    [&](const Syntax& element) { return bpf_comparison(syntax.parts[0], "==", element); });
    case SyntaxKind::name:
      return bpf_flag(syntax);
    default:
      return std::nullopt;
  }
}

Text bpf_condition(const Syntax& syntax) {
  if (syntax.kind == SyntaxKind::all_of) return joined(syntax.parts, ", ", bpf_condition);
  const bool is_range = syntax.kind == SyntaxKind::membership && syntax.token.is("in") && syntax.parts.size() == 2 &&
                        syntax.parts[1].kind == SyntaxKind::range;
  if (!is_range) return bpf_alternative(syntax);
  const Text from = bpf_comparison(syntax.parts[0], ">=", syntax.parts[1].parts[0]);
  const Text until = bpf_comparison(syntax.parts[0], "<=", syntax.parts[1].parts[1]);
  return from && until ? Text(*from + ", " + *until) : std::nullopt;
}

// --- the kernel's filter of tracepoints ---

Text tracepoint_field(const Syntax& syntax) {
  if (syntax.kind == SyntaxKind::mask) {
    const Text field = tracepoint_field(syntax.parts[0]);
    const Text bits = whole_number(syntax.parts[1]);
    return field && bits ? Text(*field + " & " + *bits) : std::nullopt;
  }
  if (syntax.kind != SyntaxKind::name || find_field(syntax.token.text) != nullptr) return std::nullopt;
  const std::string_view name = syntax.token.text.substr(syntax.token.text.rfind('.') + 1);
  // The kernel compares the state of a task as a number, not as the letter that it prints.
  return name == "prev_state" ? std::nullopt : Text(name);
}

Text tracepoint_comparison(const Syntax& left, std::string_view op, const Syntax& right) {
  const Text field = tracepoint_field(left);
  if (!field) return std::nullopt;
  if (right.kind == SyntaxKind::text) {
    const bool has_escapes = right.token.text.find('\\') != std::string_view::npos;
    const std::string_view inner = right.token.text.substr(1, right.token.text.size() - 2);
    const bool is_glob = has_wildcards(inner);
    // Brackets are ordinary here, and classes in a glob of the kernel (glob_match()).
    const bool is_same_glob = op == "==" && inner.find('[') == std::string_view::npos;
    if (left.kind == SyntaxKind::mask || has_escapes || (is_glob && !is_same_glob)) return std::nullopt;
    return *field + (is_glob ? " ~ \"" : " " + std::string(op) + " \"") + std::string(inner) + '"';
  }
  const Text number = whole_number(right);
  if (!number || left.kind == SyntaxKind::mask) return std::nullopt;
  return *field + " " + std::string(op) + " " + *number;
}

Text tracepoint_condition(const Syntax& syntax) {
  const auto in_parentheses = [](const Syntax& part) {
    const Text text = tracepoint_condition(part);
    const bool is_joined = part.kind == SyntaxKind::all_of || part.kind == SyntaxKind::any_of;
    return text && is_joined ? Text("(" + *text + ")") : text;
  };
  switch (syntax.kind) {
    case SyntaxKind::all_of:
      return joined(syntax.parts, " && ", in_parentheses);
    case SyntaxKind::any_of:
      return joined(syntax.parts, " || ", in_parentheses);
    case SyntaxKind::not_: {
      const Text text = tracepoint_condition(syntax.parts[0]);
      return text ? Text("!(" + *text + ")") : std::nullopt;
    }
    case SyntaxKind::comparison:
      if (!is_order_or_equality(syntax.token.text)) return std::nullopt;
      return tracepoint_comparison(syntax.parts[0], syntax.token.text, syntax.parts[1]);
    case SyntaxKind::mask:
      return tracepoint_field(syntax);
    default:
      return std::nullopt;
  }
}

// Whether the filter is about one event: perf's filters are given for each event.
bool is_of_one_event(const Filter& filter) {
  const auto& fields = filter.tracepoint_fields();
  return std::ranges::all_of(fields, [&](const TracepointField& field) { return field.event == fields.front().event; });
}

}  // namespace

std::optional<RecordTimeFilter> record_time_filter(const FilterText& source) {
  const Syntax syntax = parse(source);
  const Filter filter = Filter::parse({source});
  if (const Text text = bpf_condition(syntax)) return RecordTimeFilter{.text = *text};
  const Text text = is_of_one_event(filter) ? tracepoint_condition(syntax) : std::nullopt;
  if (text) return RecordTimeFilter{.text = *text, .is_of_tracepoint = true};
  return std::nullopt;
}

}  // namespace perfsift::filter
