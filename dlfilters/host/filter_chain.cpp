#include "dlfilters/host/filter_chain.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace perfsift::dlfilter {
namespace {

// An exception that leaves a filter written in C++ ends perf with SIGABRT.
constexpr int exception_escaped = 128 + 6;

template <typename Call>
int called(const LoadedModule& module, const char* function, Call&& call) {
  try {
    return call();
  } catch (const std::exception& error) {
    throw RunEnded(fmt::format("dlfilter {}: {}() let an exception out: {}", module.path(), function, error.what()),
                   exception_escaped);
  }
}

// "cpu-clock at 1234.567890123 of thread 42"
std::string what_is(const reader::Sample& sample) {
  std::string text = sample.event->name;
  if (sample.time != reader::no_time) {
    constexpr std::uint64_t second = 1'000'000'000;
    text += fmt::format(" at {}.{:09}", sample.time / second, sample.time % second);
  }
  if (sample.tid != -1) text += fmt::format(" of thread {}", sample.tid);
  return text;
}

}  // namespace

FilterChain::FilterChain(const std::vector<FilterRequest>& requests, ApiVersion api) : api_(api) {
  for (const FilterRequest& request : requests) {
    filters_.push_back({.module = LoadedModule(request.name), .context = std::make_unique<Context>(request.arguments)});
    filters_.back().module.give(Context::functions(api));
  }
}

FilterRun::FilterRun(FilterChain& chain, const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                     RunOptions options)
    : chain_(chain),
      options_(std::move(options)),
      locations_(recording, symbolizer, options_.code, options_.demangling),
      answers_(recording, locations_, chain.api(), options_.filtered),
      sample_(chain.api(), recording.header().order) {
  const auto any = [&](FilterEvent* EntryPoints::*entry) {
    return std::ranges::any_of(chain_.filters(),
                               [&](const Filter& filter) { return filter.module.entry_points().*entry != nullptr; });
  };
  has_early_ = any(&EntryPoints::filter_event_early);
  has_late_ = any(&EntryPoints::filter_event);
  try {
    start();
  } catch (...) {
    stop();
    throw;
  }
}

FilterRun::~FilterRun() {
  try {
    stop();
  } catch (const std::exception&) {
    // Another error ends the run already.
  }
}

void FilterRun::start() {
  for (Filter& filter : chain_.filters()) {
    filter.started = true;
    Start* const function = filter.module.entry_points().start;
    if (function == nullptr) continue;
    if (options_.before_call) options_.before_call();
    filter.context->enter(Context::Stage::starting);
    const int result =
        called(filter.module, entry_point::start, [&] { return function(&filter.data, filter.context.get()); });
    filter.context->leave();
    if (result == 0) continue;
    throw RunEnded(fmt::format("dlfilter {}: start() returned {}", filter.module.path(), result), result);
  }
}

void FilterRun::stop() {
  for (Filter& filter : chain_.filters()) {
    Stop* const function = filter.module.entry_points().stop;
    if (!std::exchange(filter.started, false) || function == nullptr) continue;
    if (options_.before_call) options_.before_call();
    filter.context->enter(Context::Stage::stopping);
    called(filter.module, entry_point::stop, [&] { return function(filter.data, filter.context.get()); });
    filter.context->leave();
  }
}

bool FilterRun::keeps_early(const reader::Sample& sample) {
  answers_.begin(sample);
  return !has_early_ || ask(sample, &EntryPoints::filter_event_early, entry_point::filter_event_early);
}

bool FilterRun::keeps(const reader::Sample& sample) {
  return !has_late_ || ask(sample, &EntryPoints::filter_event, entry_point::filter_event);
}

bool FilterRun::ask(const reader::Sample& sample, FilterEvent* EntryPoints::*entry, const char* name) {
  if (options_.before_call) options_.before_call();
  const Sample& made = sample_.make(sample);
  for (Filter& filter : chain_.filters()) {
    FilterEvent* const function = filter.module.entry_points().*entry;
    if (function == nullptr) continue;
    filter.context->enter(Context::Stage::filtering, &answers_);
    const int result = called(filter.module, name, [&] { return function(filter.data, &made, filter.context.get()); });
    filter.context->leave();
    if (result > 0) return false;
    if (result < 0) {
      throw RunEnded(
          fmt::format("dlfilter {}: {}() returned {} for {}", filter.module.path(), name, result, what_is(sample)),
          result);
    }
  }
  return true;
}

}  // namespace perfsift::dlfilter
