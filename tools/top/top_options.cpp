#include "tools/top/top_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/error.h"
#include "options/interval_filter_options.h"
#include "options/number_option.h"
#include "tools/sort/sort_keys.h"

namespace perfsift::tools {

namespace po = options::po;
using analysis::Key;

void TopOptions::add_to(po::options_description& options) {
  events.add_to(options, EventOptions::Filters::elsewhere);
  target_.add_to(options);
  target_.record_all_by_default();
  content_.add_stacks_to(options);
  keep.add_to(options);
  expressions_.add_to(options, "samples", "dso == libc.so.6");
  auto add = options.add_options();
  add("sort,s", po::value(&sort_)->value_name("KEYS"), "the keys of rows (symbol,dso), as for perfsift report");
  add("order", po::value(&order_)->value_name("self|total"),
      "sort by the cost of the function itself, or with its callees (self)");
  add("limit", options::whole_number(limit), "rows of each table; 0: all (what fits into the terminal)");
  add("delay,d", po::value(&delay_)->value_name("TIME"), "the time from table to table (2s)");
  add("tables,n", options::whole_number(tables), "end after so many tables; 0: never (0)");
  add("batch,b", po::bool_switch(&batch), "print tables one below the other, as where standard output is no terminal");
  add("json", po::bool_switch(&json), "print one JSON object a line for each table");
  add("quiet,q", po::bool_switch(&quiet), "no warnings");
  add("inline", po::bool_switch(&inlines_), "show inlined calls as functions, for which debug information is read");
  frames_.add_physical_frames_to(options);
  naming.add_to(options);
}

bool TopOptions::has_key(Key key) const { return std::ranges::count(shape.keys, key) != 0; }

void TopOptions::complete() {
  constexpr std::uint64_t least = 50'000'000, most = 3600 * one_second;
  if (!delay_.empty()) {
    const std::uint64_t time = options::duration_option("--delay", delay_, one_second);
    if (time < least || time > most) throw UsageError("--delay " + delay_ + ": 50ms to 3600s is needed");
    delay = std::chrono::nanoseconds(time);
  }
  shape.keys = sort_keys(analysis::RowsOf::samples, sort_.empty() ? "symbol,dso" : sort_);
  if (const auto labels = labels_behind(shape.keys); !labels.empty())
    throw UsageError(fmt::format("--sort {}: only the recordings in a store have labels", labels.front()));
  if (!order_.empty()) shape.order = row_order(order_);
  filter = filter::Filter::parse(expressions_.texts());
  stacks = frames_.stacks();
  stacks.frames.inlines = inlines_;
  stacks.frames.starts = inlines_;
  stacks.cgroup = has_key(Key::cgroup);
  stacks.frames.detail = detail_for(shape.keys);
}

// Without build ids: files of processes that run are found by device and inode, and reading the build id of each mapped
// file takes the kernel longer.
record::SessionPlan TopOptions::plan(std::vector<std::string>& notes) const {
  record::SessionPlan plan;
  target_.apply({}, plan);
  events.apply(plan, notes);
  content_.apply(plan);
  plan.side_band.build_ids = false;
  plan.content.cpu = true;
  if (has_key(Key::cgroup)) plan.content.cgroup = plan.side_band.cgroups = true;
  return plan;
}

}  // namespace perfsift::tools
