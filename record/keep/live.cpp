#include "record/keep/live.h"

#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"
#include "base/shell_word.h"
#include "filter/predicates.h"
#include "reader/format/abi.h"

namespace perfsift::record {
namespace {

using filter::Cost;
using filter::Fact;
namespace bit = reader::sample_bit;

bool asks(std::uint64_t facts, Fact fact) { return (facts >> static_cast<unsigned>(fact) & 1) != 0; }

// Empty: the answer is known.
std::string_view obstacle_of(const filter::Predicate& predicate) {
  const std::uint64_t facts = predicate.facts();
  const auto* const numbers = dynamic_cast<const filter::NumberTest*>(&predicate);
  const bool is_counting = predicate.parts().empty() && predicate.counts();
  if (is_counting) return "samples of several CPUs are not recorded in the order of their times; random(1%) works";
  if (dynamic_cast<const filter::Window*>(&predicate) != nullptr) return "a window needs samples that come later";
  if (numbers != nullptr && numbers->set().has_shares()) return "the length of the recording is not yet known";
  if (predicate.parts().empty() || dynamic_cast<const filter::StackHas*>(&predicate) != nullptr) {
    if (predicate.cost() == Cost::stack) return "the recorder does not name or unwind stacks";
    if (predicate.cost() == Cost::symbol || predicate.cost() == Cost::line) return "the recorder does not read symbols";
  }
  if (asks(facts, Fact::data_node)) return "the recorder does not know which memory belongs to which node";
  if (asks(facts, Fact::socket)) return "the recorder does not know the topology of the machine; cpu is known";
  for (const Fact fact : {Fact::branch_flags, Fact::insn_count, Fact::cycle_count}) {
    if (asks(facts, fact)) return "only a decoded trace has it";
  }
  for (const Fact fact : {Fact::machine_pid, Fact::vcpu}) {
    if (asks(facts, fact)) return "the kernel does not record it";
  }
  return {};
}

struct Obstacle {
  std::string part;
  std::string_view why;
};

std::optional<Obstacle> first_obstacle(const filter::Predicate& predicate) {
  if (const std::string_view why = obstacle_of(predicate); !why.empty()) return Obstacle{predicate.info().text, why};
  for (const filter::Predicate* const part : predicate.parts()) {
    if (auto found = first_obstacle(*part)) return found;
  }
  return std::nullopt;
}

std::uint64_t fields_of(const Condition& condition) {
  std::uint64_t fields = condition.asks_tracepoint() ? bit::raw : 0;
  // random() draws by what was recorded.
  if (dynamic_cast<const filter::Random*>(condition.leaf) != nullptr) return fields | bit::time;
  const std::uint64_t facts = condition.leaf != nullptr ? condition.leaf->facts() : 0;
  for (std::size_t fact = 0; fact < filter::fact_count; ++fact) {
    if (asks(facts, static_cast<Fact>(fact))) fields |= field_of(static_cast<Fact>(fact));
  }
  for (const Condition& part : condition.parts) fields |= fields_of(part);
  return fields;
}

}  // namespace

void check_live(const filter::Filter& filter, const std::string& expression, std::string_view option) {
  if (filter.keeps_all()) return;
  const auto obstacle = first_obstacle(*filter.root());
  if (!obstacle) return;
  throw UsageError(fmt::format(
      "{}: '{}': {}\n  Record more samples, and filter the recording afterwards: perfsift filter --filter {}", option,
      obstacle->part, obstacle->why, shell_word(expression)));
}

std::uint64_t field_of(Fact fact) {
  switch (fact) {
    case Fact::pid:
    case Fact::tid:
      return bit::tid;
    case Fact::comm:
      return bit::tid | bit::time;
    case Fact::ip:
      return bit::ip;
    case Fact::cpu:
      return bit::cpu;
    case Fact::time:
      return bit::time;
    case Fact::addr:
      return bit::addr;
    case Fact::period:
      return bit::period;
    case Fact::weight:
      return bit::weight;
    case Fact::ins_lat:
    case Fact::p_stage_cyc:
      return bit::weight_struct;
    case Fact::id:
      return bit::identifier;
    case Fact::stream_id:
      return bit::stream_id;
    case Fact::txn:
      return bit::transaction;
    case Fact::data_src:
      return bit::data_src;
    case Fact::phys_addr:
      return bit::phys_addr;
    case Fact::data_page_size:
      return bit::data_page_size;
    case Fact::code_page_size:
      return bit::code_page_size;
    case Fact::cgroup_id:
    case Fact::cgroup:
      return bit::cgroup;
    case Fact::raw_size:
      return bit::raw;
    default:  // in the header of the record, or recorded with --call-graph only
      return 0;
  }
}

// The kernel refuses both kinds of weights at once (perf_copy_attr()); the struct has the weight, too.
std::uint64_t sample_fields_of(const Condition& condition) {
  const std::uint64_t fields = fields_of(condition);
  return (fields & bit::weight_struct) != 0 ? fields & ~bit::weight : fields;
}

}  // namespace perfsift::record
