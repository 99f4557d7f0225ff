// perfsift explain: what a filter's expression means, what it costs, and where else it can run; which part of it the
// kernel decides while samples are recorded; what of the address of a store the store decides; and what a budget asks.

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "filter/predicate.h"
#include "filter/record_time.h"
#include "store/url.h"
#include "tools/check/budget_file.h"
#include "tools/command.h"
#include "tools/filter/budget_explanation.h"
#include "tools/filter/explanation.h"
#include "tools/filter/record_explanation.h"
#include "tools/filter/store_explanation.h"
#include "tools/offcpu/kernel_filter.h"

namespace perfsift::tools {
namespace {

constexpr const char* expression_origin = "expression";

struct Line {
  std::string text;  // indented
  std::string type;
  std::string cost;
};

void print_tree(const filter::Filter& filter) {
  std::vector<Line> lines{{.text = "asked in this order", .type = "type", .cost = "needs"}};
  for (const ExplainedPart& part : explained(*filter.root())) {
    lines.push_back({.text = std::string(2 * part.depth, ' ') + part.text, .type = part.type, .cost = part.cost});
  }
  std::size_t text_width = 0;
  std::size_t type_width = 0;
  for (const Line& line : lines) {
    text_width = std::max(text_width, line.text.size());
    type_width = std::max(type_width, line.type.size());
  }
  for (const Line& line : lines) {
    const std::string text = fmt::format("{:<{}}  {:<{}}  {}", line.text, text_width, line.type, type_width, line.cost);
    std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
  }
}

void append_obstacles(const filter::Predicate& predicate, std::vector<std::string>& obstacles) {
  const filter::PredicateInfo& info = predicate.info();
  if (!info.not_in_perf.empty()) obstacles.push_back(info.text + ": " + info.not_in_perf);
  for (const filter::Predicate* const part : predicate.parts()) append_obstacles(*part, obstacles);
}

void print_inside_perf(const filter::Filter& filter) {
  std::vector<std::string> obstacles;
  append_obstacles(*filter.root(), obstacles);
  if (obstacles.empty()) {
    std::cout << "\nInside perf, as a dlfilter: works as a whole\n";
    return;
  }
  std::cout << "\nInside perf, as a dlfilter: does not work, because of\n";
  for (const std::string& obstacle : obstacles) std::cout << "  " << printable(obstacle) << '\n';
}

void print_record_time(const filter::FilterText& source) {
  const auto equivalent = filter::record_time_filter(source);
  if (!equivalent) {
    std::cout << "\nWhile recording: there is no perf record --filter that means the same\n";
    return;
  }
  std::cout << "\nWhile recording"
            << (equivalent->is_of_tracepoint ? ", behind the -e of the tracepoint" : ", with perf 6.4 or newer")
            << ":\n"
            << "  perf record --filter '" << printable(equivalent->text) << "'\n";
}

void print_fields(filter::Subject subject) {
  for (const filter::Field& field : filter::fields(subject)) {
    std::cout << fmt::format("{:<16}  {:<8}  {:<8}  {}\n", field.name, name_of(field.type), name_of(field.cost),
                             field.help);
  }
}

void print_expression(const std::string& expression, filter::Subject subject) {
  const filter::FilterText source{.origin = expression_origin, .text = expression};
  const filter::Filter filter = filter::Filter::parse({source}, subject);
  filter.check(AnyTracepoint());
  print_tree(filter);
  if (subject == filter::Subject::interval) return;  // perf knows none
  print_inside_perf(filter);
  print_record_time(source);
}

void print_kernel_parts(const std::string& expression) {
  record::WaitPlan all_threads;
  const filter::Filter filter =
      filter::Filter::parse({{.origin = expression_origin, .text = expression}}, filter::Subject::interval);
  for (const std::string& line : limit(all_threads, filter)) std::cout << printable(line) << '\n';
}

struct ExplainCommand : CommandRun {
  std::vector<std::string> expressions;
  bool fields = false;
  bool intervals = false;
  std::string budget;
  bool measures = false;
  bool record = false;
  bool in_kernel = false;
  std::vector<std::string> events;

  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;
};

void ExplainCommand::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("expression", options::po::value(&expressions)->value_name("EXPR"), "the expression to explain");
  add("fields", options::po::bool_switch(&fields), "list the fields of expressions: name, type, needed data");
  add("intervals", options::po::bool_switch(&intervals),
      "use the language of offcpu --filter, which selects intervals");
  add("budget", options::po::value(&budget)->value_name("FILE"),
      "check a file of assertions, and explain each assertion");
  add("measures", options::po::bool_switch(&measures), "list the measures of assertions");
  add("record", options::po::bool_switch(&record),
      "show what of perfsift record --keep EXPR the kernel decides, and what the recorder decides");
  add("in-kernel", options::po::bool_switch(&in_kernel),
      "show what of perfsift offcpu --in-kernel --filter EXPR BPF programs decide, and what is decided here");
  add("event,e", options::po::value(&events)->value_name("NAME"),
      "with --record: an event that is recorded; may be repeated");
}

int ExplainCommand::run(const options::Arguments&) {
  const filter::Subject subject = intervals || in_kernel ? filter::Subject::interval : filter::Subject::sample;
  if (fields) print_fields(subject);
  if (measures) print_measures(std::cout);
  if (!budget.empty()) print_budget(read_budget(budget), std::cout);
  if (expressions.empty() && (fields || measures || !budget.empty())) return done;
  if (expressions.size() != 1) throw UsageError("expected one EXPR, in quotes for the shell");
  if (record && subject == filter::Subject::interval)
    throw UsageError("--record: perfsift record --keep selects samples, not intervals");
  if (store::is_store_url(expressions.front())) return print_store_parts(expressions.front(), std::cout), done;
  if (record) return print_record_parts(expressions.front(), events, std::cout), done;
  if (in_kernel) return print_kernel_parts(expressions.front()), done;
  print_expression(expressions.front(), subject);
  return done;
}

}  // namespace

extern const Command explain_command{
    .name = "explain",
    .summary = "show what a filter's expression means and costs",
    .usage =
        "Usage: perfsift explain [OPTIONS] EXPR|URL\n\nShows how a filter's expression is understood, what its parts "
        "cost, "
        "and whether\nperf can do the same.\n",
    .positional = "expression",
    .start = start<ExplainCommand>,
};

}  // namespace perfsift::tools
