#include "tools/other_tools.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "tools/command.h"

namespace perfsift::tools {
namespace {

constexpr OtherCommand all_other_commands[] = {
    // perf
    {"annotate disasm weblist", "perfsift report --annotate FUNCTION",
     "it shows source lines and instructions with their samples"},
    {"list", "perfsift report --annotate FUNCTION",
     "it shows the lines of a function, as pprof does; perf list shows the events of this machine"},
    {"stat", "perf stat ./program", "counters without samples are no recording; `perfsift info` shows recorded events"},
    {"evlist header buildid-list stats", "perfsift info --all",
     "it shows events, build ids, the machine and the counts of records"},
    {"sched timehist latency kwork", "perfsift offcpu",
     "it shows for how long each thread waited or was preempted, on which stack, and which thread woke it"},
    {"lock contention", "perfsift offcpu --filter 'wait == lock'",
     "it shows waits for locks in recordings of sched:sched_switch"},
    {"timechart", "perfsift view",
     "it shows threads and CPUs over time; `perfsift export --to perfetto` does so for "
     "Perfetto"},
    {"trace strace", "perf trace ./program",
     "perfsift traces no system calls; `perfsift script` prints recorded tracepoints such as raw_syscalls:sys_enter"},
    {"inject", "perfsift report", "all commands read the names in jitdumps and perf maps without perf inject"},
    {"archive bundle", "perfsift pack",
     "it puts a recording and its binaries into one file; --buildid-dir DIR reads an unpacked perf archive"},
    {"buildid-cache", "perf buildid-cache", "perfsift looks for binaries in perf's cache, ~/.debug"},
    {"diagnose capabilities", "perfsift doctor", "it shows what this machine can record and name"},
    {"kmem", "perfsift report -e 'kmem:*'", "it shows the stacks of recorded tracepoints, such as kmem:kmalloc"},
    {"data convert", "perfsift export --to FORMAT", "--help lists the formats of other viewers"},
    {"kvm", "perf kvm report", "perfsift gives no names to the code of guests"},
    {"config daemon ftrace iostat kallsyms probe test", "", "perf has this command"},
    {"version", "perfsift --version", "it prints the version of perfsift"},
    // FlameGraph, inferno and other collapsers
    {"collapse collapse-perf stackcollapse stackcollapse-perf stackcollapse-perf.pl folded", "perfsift fold",
     "it writes folded stacks; with --compat flamegraph, exactly the text of stackcollapse-perf.pl"},
    {"flamegraph flamegraph.pl flame-graph svg", "perfsift flame -o FILE.svg",
     "it draws recordings and folded stacks; FILE.html makes a page"},
    {"flamechart flame-chart", "perfsift flame --flamechart -o FILE.svg", "it draws samples in the order of time"},
    {"icicle", "perfsift flame --inverted -o FILE.svg", "it draws the root at the top"},
    {"difffolded difffolded.pl diff-folded", "perfsift diff --folded", "it writes stacks with two counts"},
    {"compare", "perfsift diff", "it shows what changed from one profile to another, and what may be chance"},
    // pprof, samply, hotspot and others
    {"import load open", "perfsift report FILE",
     "every command reads recordings, profiles of pprof, folded stacks and the text of perf script; there is nothing "
     "to "
     "import"},
    {"add", "perfsift fold FILE...", "fold, flame, report, view and export add up all files they are given"},
    {"pprof", "perfsift export --to pprof -o FILE.pb.gz",
     "pprof reads the file; perfsift reads profiles of pprof, too"},
    {"speedscope", "perfsift export --to speedscope -o FILE.json", "speedscope opens the file"},
    {"firefox gecko samply", "perfsift export --to firefox -o FILE.json.gz", "the Firefox Profiler opens the file"},
    {"perfetto chrome", "perfsift export --to perfetto -o FILE.pftrace", "ui.perfetto.dev opens the file"},
    {"callgrind kcachegrind", "perfsift export --to callgrind -o callgrind.out", "kcachegrind opens the file"},
    {"json jsonl", "perfsift export --to jsonl",
     "it writes an object for each sample; report, info and offcpu have --json"},
    {"csv", "perfsift export --to csv", "it writes a row for each sample; report and diff have --csv"},
    {"peek callers", "perfsift report --callers FUNCTION",
     "it shows who calls a function; --callees shows what it calls"},
    {"tree callees", "perfsift report --callees FUNCTION", "it shows what a function calls; `perfsift view` shows all"},
    {"traces stacks", "perfsift fold", "it writes each stack with its count"},
    {"web gui ui serve server", "perfsift view --open", "it shows a recording in the browser"},
    {"html page", "perfsift report --html FILE.html", "it writes the page of `perfsift view` into one file"},
    {"grep select cut query", "perfsift filter --filter EXPR -o OUT.data",
     "it writes a smaller recording; other commands have --filter, too"},
    {"anonymise anonymize strip", "perfsift filter --anonymize -o OUT.data", "it masks names"},
    {"print dump", "perfsift script", "it prints samples and records as perf script does"},
    {"addr2line symbolise symbolizer llvm-symbolizer", "perfsift symbolize -e FILE ADDRESS",
     "it takes the options of addr2line"},
    {"offcputime off-cpu wait waits", "perfsift offcpu", "it shows where threads waited"},
};

constexpr OtherOption all_other_options[] = {
    {"script", "-s --script -g --gen-script",
     "perfsift runs no scripts: `perfsift export --to jsonl` writes samples for a program in any language, and perf "
     "script -s reads what `perfsift filter` writes"},
    {"report", "--stdio --stdio2", "the report is always text, so leave the option out"},
    {"report", "--tui --gtk", "`perfsift view` shows the report in the browser"},
    {"report", "-g --call-graph -G --inverted",
     "--callers FUNCTION and --callees FUNCTION show trees, and `perfsift flame` draws all stacks"},
    {"report", "--children --no-children", "self and total are both in the table; --order says which comes first"},
    {"report", "-n --show-nr-samples --percent-limit", "--limit N shows the first N rows"},
    {"report", "-F --fields", "--sort chooses the keys of rows, and the amounts are always shown"},
    {"fold", "--all", "--annotate all marks frames of every kind"},
    {"fold", "--kernel --jit --inline", "--annotate kernel,jit,inline marks frames of these kinds"},
    {"fold", "--addrs", "--addresses shows the addresses of frames without a name"},
    {"fold", "--event-filter", "--event selects an event"},
    {"flame", "--colors --colours --color", "--palette NAME chooses the colours"},
    {"flame", "--hash --random", "the same name always has the same colour"},
    {"flame", "--cp", "--palette-map FILE sets the colours of functions"},
};

bool names_it(std::string_view names, std::string_view name) {
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(' ', begin), names.size());
    if (names.substr(begin, end - begin) == name) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::span<const OtherCommand> other_commands() { return all_other_commands; }
std::span<const OtherOption> other_options() { return all_other_options; }

std::string instead_of_command(std::string_view name) {
  for (const OtherCommand& other : all_other_commands) {
    if (!names_it(other.names, name)) continue;
    if (other.instead.empty()) return fmt::format("{}: perf {}", other.why, name);
    return fmt::format("use `{}`: {}", other.instead, other.why);
  }
  std::vector<std::string_view> names = {"help"};
  for (const Command* const command : commands()) names.push_back(command->name);
  if (const std::string_view near = nearest(name, names); !near.empty())
    return fmt::format("did you mean `perfsift {}`?", near);
  return "`perfsift --help` lists the commands";
}

std::string_view instead_of_option(std::string_view command, std::string_view option) {
  const auto fits = [&](const OtherOption& other) { return other.command == command && names_it(other.names, option); };
  const auto* const other = std::ranges::find_if(all_other_options, fits);
  return other != std::end(all_other_options) ? other->why : std::string_view();
}

}  // namespace perfsift::tools
