#include "tools/offcpu/output_options.h"

#include "base/error.h"

namespace perfsift::offcpu {

namespace po = boost::program_options;

namespace {

FoldedUnit unit_of(const std::string& name) {
  if (name == "us") return FoldedUnit::microseconds;
  if (name == "ns") return FoldedUnit::nanoseconds;
  if (name == "count") return FoldedUnit::count;
  throw UsageError("--unit " + name + ": there are us, ns and count");
}

}  // namespace

void OutputOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("output,o", po::value(&output)->value_name("FILE"), "write folded stacks there; - instead of the report");
  add("unit", po::value(&unit_)->value_name("us|ns|count"), "what folded stacks count (us)");
  add("delimiter,d", po::value(&delimiter_)->value_name("FRAME")->implicit_value("-"),
      "a frame between the user's and the kernel's part of folded stacks");
  add("waker", po::bool_switch(&folded.waker), "the waker's stack behind folded stacks");
  add("split", po::value(&split_)->value_name("state"), "the state at the switch as a frame of folded stacks");
  add("json", po::bool_switch(&json), "the report as JSON");
  add("rows", po::value(&report.rows)->value_name("N"), "lines of each table of the report (10)");
  add("ignore-idle", po::bool_switch(&ignore_idle), "leave known voluntary waits out, and say how much that was");
}

void OutputOptions::prepare() {
  if (!split_.empty() && split_ != "state") throw UsageError("--split " + split_ + ": there is state");
  folded.unit = unit_of(unit_);
  folded.state = !split_.empty();
  if (!delimiter_.empty()) folded.delimiter = delimiter_;
}

}  // namespace perfsift::offcpu
