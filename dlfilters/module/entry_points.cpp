// The functions that perf looks up by name, around one Module.

#include <cstdio>
#include <exception>

#include "base/error.h"
#include "base/printable.h"
#include "dlfilters/module/module.h"

namespace {

using namespace perfsift::dlfilter;

// The state from start() to stop().
struct Session {
  explicit Session(std::unique_ptr<Module> made, const PerfFunctions& perf) : module(std::move(made)), sample(perf) {}

  const std::unique_ptr<Module> module;
  PerfSample sample;
  bool failed = false;
};

constexpr int kept = 0;
constexpr int dropped = 1;
constexpr int nothing_to_do = 1;  // perf ends with this status
constexpr int failure = -1;       // perf ends with status 255 and says nothing itself

// perf is C: an exception must not reach it.
template <typename Step>
int guarded(Step&& step) {
  try {
    return step();
  } catch (const std::exception& error) {
    notice(error.what());
  } catch (...) {
    notice("failed for an unknown reason");
  }
  return failure;
}

using Question = bool (Module::*)(PerfSample&);

int ask(Question question, void* data, const Sample* sample, void* context, PerfSample::Stage stage) {
  auto* const session = static_cast<Session*>(data);
  if (session == nullptr || session->failed) return failure;  // perf goes on after none of them
  const int answer = guarded([&] {
    session->sample.set(*sample, context, stage);
    return ((*session->module).*question)(session->sample) ? kept : dropped;
  });
  session->failed = answer == failure;
  return answer;
}

}  // namespace

namespace perfsift::dlfilter {

void notice(const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", module_description.name, printable_lines(text).c_str());
}

}  // namespace perfsift::dlfilter

#define PERFSIFT_ENTRY_POINT extern "C" __attribute__((visibility("default")))

// perf writes into it before it calls anything.
PERFSIFT_ENTRY_POINT Functions perf_dlfilter_fns;
Functions perf_dlfilter_fns{};

PERFSIFT_ENTRY_POINT int start(void** data, void* context) {
  *data = nullptr;
  return guarded([&] {
    const PerfFunctions perf(perf_dlfilter_fns);
    auto module = make_module(perf.arguments(context));
    if (module == nullptr) return nothing_to_do;
    *data = new Session(std::move(module), perf);
    return 0;
  });
}

// perf also calls it without start(), and after one that failed.
PERFSIFT_ENTRY_POINT int stop(void* data, void*) {
  return guarded([&] {
    const std::unique_ptr<Session> session(static_cast<Session*>(data));
    if (session != nullptr && !session->failed) session->module->finish();
    return 0;
  });
}

PERFSIFT_ENTRY_POINT int filter_event_early(void* data, const Sample* sample, void* context) {
  return ask(&Module::keeps_early, data, sample, context, PerfSample::Stage::early);
}

PERFSIFT_ENTRY_POINT int filter_event(void* data, const Sample* sample, void* context) {
  return ask(&Module::keeps, data, sample, context, PerfSample::Stage::late);
}

PERFSIFT_ENTRY_POINT const char* filter_description(const char** long_description) {
  *long_description = module_description.help;
  return module_description.summary;
}
