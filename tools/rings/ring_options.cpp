#include "tools/rings/ring_options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "options/number_option.h"
#include "output/files/output_file.h"
#include "tools/record/size_options.h"

namespace perfsift::tools {

namespace po = options::po;

void RingOptions::add_to(po::options_description& description) {
  auto add = description.add_options();
  add("map", po::value(&maps)->value_name("MAP"), "the map: its name, id:N, or a path in the BPF file system");
  add("list", po::bool_switch(&list), "list the maps that can be read, their programs and processes");
  add("type", po::value(&type)->value_name("STRUCT"),
      "the type of payloads (the only struct of the programs that has their size)");
  add("filter", po::value(&filter)->value_name("EXPR"), "only payloads for which the expression is true: 'size>4k'");
  add("cpu,C", po::value(&cpus_)->value_name("CPUS"), "only what these CPUs write: 0-3,8");
  add("count", options::whole_number(most, {.least = 1}), "stop after N payloads");
  add("max-time", po::value(&longest_)->value_name("TIME"), "stop after this time: 30s, 5m");
  add("json", po::bool_switch(&json), "write JSON Lines: an object for each payload");
  add("output,o", po::value(&output)->value_name("FILE"), "write a recording instead, or - for standard output");
  add("mmap-pages,m", po::value(&pages_)->value_name("PAGES|SIZE"), "the size of each CPU's ring (1M)");
  add("peek", po::bool_switch(&source.peek), "of a ring buffer: read beside its reader, without taking payloads away");
  add("take", po::bool_switch(&take), "read although another process reads, which then gets no payloads any more");
  add("quiet,q", po::bool_switch(&quiet), "print no summary and no warnings");
}

void RingOptions::complete() {
  if (list && !maps.empty()) throw UsageError("--list shows all maps, so it needs no MAP");
  if (!list && maps.size() != 1) throw UsageError("one MAP is needed: perfsift rings --list shows the maps");
  if (take && source.peek) throw UsageError("--peek and --take exclude each other");
  if (json && !output.empty()) throw UsageError("--json and --output exclude each other");
  if (output::OutputFile::is_standard_output(output)) output = output::OutputFile::standard_output;
  if (!cpus_.empty()) source.cpus = cpus_in(cpus_);
  if (!pages_.empty()) source.ring_bytes = ring_bytes_in(pages_, pages_);
  if (!longest_.empty()) longest = longest_in(longest_);
}

}  // namespace perfsift::tools
