#include "options/offcpu_output_options.h"

#include "base/error.h"
#include "options/number_option.h"
#include "options/optional_word.h"

namespace perfsift::options {

namespace po = boost::program_options;

namespace {

offcpu::FoldedUnit unit_of(const std::string& name) {
  if (name == "us") return offcpu::FoldedUnit::microseconds;
  if (name == "ns") return offcpu::FoldedUnit::nanoseconds;
  if (name == "count") return offcpu::FoldedUnit::count;
  throw UsageError("--unit " + name + ": there are us, ns and count");
}

}  // namespace

void OutputOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("output,o", po::value(&output)->value_name("FILE"),
      "write folded stacks to FILE; -: print them instead of the report");
  add("unit", po::value(&unit_)->value_name("us|ns|count"), "the unit of folded stacks (us)");
  add("delimiter,d", optional_word(delimiter_, "-")->value_name("FRAME"),
      "insert a frame between the user and the kernel part of folded stacks");
  add("waker", po::bool_switch(&folded.waker), "append the stack of the waker to folded stacks");
  add("split", po::value(&split_)->value_name("state|wait|cgroup"),
      "add a frame to folded stacks: the thread's state, the kind of wait or the cgroup");
  add("json", po::bool_switch(&json), "print the report as JSON");
  add("sort", po::value(&sort_)->value_name("KEY"),
      "sort by involuntary, off-cpu, blocked, run-queue, longest, intervals or p99.9");
  add("rows", whole_number(report.rows), "rows of each table of the report (10)");
  add("ignore-idle", po::bool_switch(&ignore_idle), "leave out known voluntary waits, and print their sum");
}

void OutputOptions::prepare() {
  if (!split_.empty() && split_ != "state" && split_ != "wait" && split_ != "cgroup") {
    throw UsageError("--split " + split_ + ": there are state, wait and cgroup");
  }
  report.sort = offcpu::ranked_by(sort_);
  folded.unit = unit_of(unit_);
  folded.state = split_ == "state";
  folded.wait = split_ == "wait";
  folded.cgroup = split_ == "cgroup";
  if (!delimiter_.empty()) folded.delimiter = delimiter_;
}

}  // namespace perfsift::options
