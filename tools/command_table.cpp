#include <algorithm>

#include "tools/command.h"

namespace perfsift::tools {
namespace {

constexpr Command all_commands[] = {
    {"bench", "record commands again and again, and check them", bench},
    {"c2c", "show the cache lines that threads share", c2c},
    {"check", "judge whether a program became slower, for a build to fail", check},
    {"completion", "print the completion of a shell: bash, zsh or fish", completion},
    {"diff", "show what changed from one profile to another", diff},
    {"dlfilter", "list dlfilters, say what one is, test one", dlfilter},
    {"explain", "show what a filter's expression means and costs", explain},
    {"export", "write profiles for pprof and other viewers", export_profile},
    {"filter", "write recordings that hold fewer samples", filter},
    {"flame", "draw a flame graph, as SVG or HTML", flame},
    {"fold", "write folded stacks, the input of flame graphs", fold},
    {"info", "show what a recording holds and what it lost", info},
    {"mem", "what memory accesses found, and how long they took", mem},
    {"merge", "store runs of a measurement in one profile", merge},
    {"offcpu", "where the time went when threads were not running", offcpu},
    {"report", "show where the samples are, as a table", report},
    {"script", "print samples and records as `perf script` does", script},
    {"symbolize", "functions and source lines of addresses, as addr2line does", symbolize},
    {"view", "show profiles as a page: graphs, tables, time", view},
};

}  // namespace

std::span<const Command> commands() { return all_commands; }

const Command* find_command(std::string_view name) {
  const auto* const found = std::ranges::find(all_commands, name, &Command::name);
  return found != std::end(all_commands) ? found : nullptr;
}

}  // namespace perfsift::tools
