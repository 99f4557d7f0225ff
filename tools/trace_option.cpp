#include "tools/trace_option.h"

#include <string>
#include <string_view>

#include "tools/command.h"

namespace perfsift::tools {
namespace {

using reader::TraceEvents;

struct Letter {
  char letter;
  bool TraceEvents::*event;
};
constexpr Letter letters[] = {
    {'i', &TraceEvents::instructions}, {'b', &TraceEvents::branches}, {'f', &TraceEvents::first_level},
    {'m', &TraceEvents::last_level},   {'t', &TraceEvents::tlb},      {'a', &TraceEvents::remote},
    {'M', &TraceEvents::memory},
};

// The letters are those of perf. perf wants i1i where the operations were sampled by the processor, as by Arm SPE.
TraceEvents events_in(const std::string& text) {
  TraceEvents events;
  for (std::string_view rest = text; !rest.empty();) {
    const char wanted = rest.front();
    rest.remove_prefix(wanted == 'i' && rest.starts_with("i1i") ? 3 : 1);
    bool known = false;
    for (const auto& [letter, event] : letters) {
      if (letter == wanted) events.*event = known = true;
    }
    if (!known) {
      throw UsageError("--itrace " + text +
                       ": there are i (or i1i: every operation), b (branches), f, m and t (first-level cache, "
                       "last-level cache, TLB), a (remote accesses) and M (every access to memory)");
    }
  }
  return events;
}

}  // namespace

void TraceOption::add_to(boost::program_options::options_description& options) {
  options.add_options()("itrace",
                        boost::program_options::value<std::string>()->value_name("LETTERS")->notifier(
                            [this](const std::string& text) { events = events_in(text); }),
                        "samples to make of an Arm SPE trace: i, b, f, m, t, a, M, as perf (all)");
}

}  // namespace perfsift::tools
