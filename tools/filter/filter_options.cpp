#include "tools/filter/filter_options.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/input/whole_file.h"
#include "base/error.h"
#include "base/printable.h"
#include "filter/perf_lists.h"
#include "filter/text_pattern.h"

namespace perfsift::tools {

namespace po = boost::program_options;

namespace {

// The expression of an option, if the option was given.
template <typename Expression>
void append(std::vector<filter::FilterText>& texts, std::string_view option, std::string_view argument,
            Expression&& expression) {
  if (!argument.empty()) texts.push_back({.origin = std::string(option), .text = expression(option, argument)});
}

auto names_of(std::string_view field) {
  return [field](auto option, auto list) { return filter::names_expression(field, option, list); };
}

auto ids_of(std::string_view field) {
  return [field](auto option, auto list) { return filter::ids_expression(field, option, list); };
}

}  // namespace

void ExpressionOptions::add_to(po::options_description& options, std::string_view what, std::string_view example) {
  auto add = options.add_options();
  add("filter", po::value(&expressions_)->value_name("EXPR")->composing(),
      fmt::format("only {} for which EXPR is true: '{}'; may be repeated", what, example).c_str());
  add("filter-file", po::value(&files_)->value_name("FILE")->composing(), "read an expression from FILE");
}

std::vector<filter::FilterText> ExpressionOptions::texts() const {
  std::vector<filter::FilterText> texts;
  for (const std::string& text : expressions_) texts.push_back({.origin = "--filter", .text = text});
  for (const std::string& file : files_) texts.push_back({.origin = file, .text = analysis::whole_file(file)});
  return texts;
}

void FilterOptions::add_to(po::options_description& options, Events events, Accesses accesses) {
  expressions_.add_to(options, "samples", R"(comm == "nginx" && sym =~ "lock")");
  auto add = options.add_options();
  add("comms", po::value(&comms_)->value_name("NAME,..."), "only threads with these names");
  // The second name is another spelling of the option.
  add("pid,pids", po::value(&pids_)->value_name("PID,...")->composing(), "only these processes");
  add("tid,tids", po::value(&tids_)->value_name("TID,...")->composing(), "only these threads");
  add("cpu,C", po::value(&cpus_)->value_name("CPU,..."), "only these CPUs: 0,2-4");
  add("time", po::value(&times_)->value_name("RANGES"), "only these times: START,STOP in seconds, 10%/2, 10%-20%,...");
  add("dsos", po::value(&dsos_)->value_name("NAME,..."), "only code of these binaries");
  add("symbols,S", po::value(&symbols_)->value_name("NAME,..."), "only these functions or 0xADDRESSes");
  if (events == Events::filtered) {
    add("event,e", po::value(&events_)->value_name("NAME")->composing(),
        "only this event; may be a glob, and given several times");
  }
  if (accesses == Accesses::filtered) accesses_.add_to(options, true);
}

std::vector<filter::FilterText> FilterOptions::thread_texts() const {
  std::vector<filter::FilterText> texts;
  append(texts, "--pid", fmt::format("{}", fmt::join(pids_, ",")), ids_of("pid"));
  append(texts, "--tid", fmt::format("{}", fmt::join(tids_, ",")), ids_of("tid"));
  append(texts, "--comms", comms_, names_of("comm"));
  return texts;
}

std::vector<filter::FilterText> FilterOptions::event_texts() const {
  if (events_.empty()) return {};
  std::vector<std::string> events;
  for (const std::string& event : events_) events.push_back(filter::quoted_glob(event));
  return {{.origin = "--event", .text = fmt::format("event in {{{}}}", fmt::join(events, ", "))}};
}

filter::Filter FilterOptions::filter() const { return filter::Filter::parse(texts()); }

std::vector<filter::FilterText> FilterOptions::texts() const {
  std::vector<filter::FilterText> texts = thread_texts();
  append(texts, "--cpu", cpus_, filter::cpus_expression);
  append(texts, "--time", times_, filter::time_expression);
  append(texts, "--dsos", dsos_, names_of("dso"));
  append(texts, "--symbols", symbols_, filter::symbols_expression);
  for (filter::FilterText& text : accesses_.texts()) texts.push_back(std::move(text));
  for (filter::FilterText& text : event_texts()) texts.push_back(std::move(text));
  for (filter::FilterText& text : expressions_.texts()) texts.push_back(std::move(text));
  return texts;
}

filter::Filter FilterOptions::thread_filter() const { return filter::Filter::parse(thread_texts()); }

filter::Filter FilterOptions::binary_filter() const {
  std::vector<filter::FilterText> texts;
  append(texts, "--dsos", dsos_, names_of("dso"));
  return filter::Filter::parse(texts);
}

filter::Filter FilterOptions::symbol_filter() const {
  std::vector<filter::FilterText> texts;
  append(texts, "--symbols", symbols_, filter::symbols_expression);
  return filter::Filter::parse(texts);
}

void FilterOptions::check_events(const reader::Recording& recording) const {
  if (recording.streamed()) return;
  std::vector<std::string> names;
  for (const auto& event : recording.events()) names.push_back(event->name);
  for (const std::string& event : events_) {
    const auto pattern = filter::TextPattern::glob(event, filter::TextPattern::Kind::event);  // as in the filter
    if (std::ranges::none_of(names, [&](const std::string& name) { return pattern.matches(name); })) {
      throw UsageError(printable(
          fmt::format("{}: --event {}: no such event; there are {}", recording.path(), event, fmt::join(names, ", "))));
    }
  }
}

}  // namespace perfsift::tools
