// perfsift-mem.so: perf script shows what memory accesses found, and prints no samples.

#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/memory/memory_sums.h"
#include "base/error.h"
#include "dlfilters/module/filter_options.h"
#include "dlfilters/module/module.h"
#include "dlfilters/module/perf_filter.h"
#include "dlfilters/module/perf_memory_cells.h"
#include "options/command_line.h"
#include "options/number_option.h"
#include "output/files/output_file.h"
#include "output/files/run_files.h"
#include "output/memory/memory_notes.h"
#include "output/memory/memory_text.h"
#include "output/report/report_table.h"

namespace perfsift::dlfilter {

constinit const ModuleDescription module_description{
    .name = "perfsift-mem.so",
    .summary = "shows what memory accesses found, and how long they took",
    .help =
        "perf script --dlfilter perfsift-mem.so [--dlarg OPTION]...\n"
        "The options are those of the overview of perfsift mem, for example:\n"
        "  --dlarg --min-latency=100\n"
        "  --dlarg --level=remote_ram --dlarg --level=remote_cache\n"
        "--dlarg --help lists them; see perfsift-dlfilters(7)."};

namespace {

using output::OutputFile;
namespace po = options::po;

struct MemOptions {
  std::string output = OutputFile::standard_output;
  FilterOptions filters;
  analysis::MemoryOrder order = analysis::MemoryOrder::weight;
  std::size_t limit = 10;
  bool json = false;

  // False if the options asked for help, which has been printed.
  bool parse(const std::vector<std::string>& arguments);
};

bool MemOptions::parse(const std::vector<std::string>& arguments) {
  std::string order_name;
  po::options_description description("Options");
  auto add = description.add_options();
  add("output,o", po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("order", po::value(&order_name)->value_name("weight|samples"),
      "show and sort by shares of the weight (latency) or of samples (weight)");
  add("limit", options::whole_number(limit), "functions and variables (10); 0: all");
  add("json", po::bool_switch(&json), "write one JSON object");
  filters.add_to(description);
  if (!options::parse(arguments, std::string("Usage: ") + module_description.help + "\n", description)) return false;
  if (!order_name.empty() && order_name != "weight" && order_name != "samples")
    throw UsageError("--order " + order_name + ": there are weight and samples");
  if (order_name == "samples") order = analysis::MemoryOrder::samples;
  output::check_output_of_module(output);
  return true;
}

class MemModule : public Module {
 public:
  explicit MemModule(MemOptions options)
      : options_(std::move(options)),
        out_(options_.output),
        filter_(options_.filters.texts()),
        sums_(output::overview_tables(), texts_),
        cells_(texts_) {}

  bool keeps_early(PerfSample& sample) override {
    const reader::Event& event = *sample.recorded().event;
    if (event.index >= is_access_.size()) is_access_.resize(event.index + 1);
    std::optional<bool>& is_access = is_access_[event.index];
    if (!is_access) is_access = note(event);
    return *is_access && filter_.keeps_early(sample);
  }

  // perf prints none.
  bool keeps(PerfSample& sample) override {
    if (!filter_.keeps(sample)) return false;
    const reader::Sample& recorded = sample.recorded();
    const analysis::MemoryAccess access = analysis::MemoryAccess::of(recorded);
    if (!access.is_access()) {
      sums_.skip();
      return false;
    }
    cells_.set(sample);
    sums_.add(access, cells_);
    sums_.add_nodes(analysis::NodeMatch::unknown);
    return false;
  }

  void finish() override {
    if (events_.empty())
      notice("no memory accesses: perf mem record samples them, and perf record -d for other events");
    std::fflush(stdout);  // what perf has printed comes first
    const analysis::MemoryReport report = std::move(sums_).finish(options_.order);
    const output::MemoryContents contents{.report = report,
                                          .order = options_.order,
                                          .limit = options_.limit,
                                          .overview = true,
                                          .notes = output::memory_notes(recording(), report)};
    output::TextWriter text([&](std::string_view piece) { out_.write(piece); });
    if (options_.json)
      output::write_json(output::memory_json(contents), text);
    else
      output::write_memory_text(contents, {}, text);
    text.flush();
    out_.commit();
  }

 private:
  // Whether samples of the event are memory accesses. The event of a sample is valid until the next sample.
  bool note(const reader::Event& event) {
    const bool is_access = analysis::is_memory_event(event);
    if (is_access || analysis::is_auxiliary(event)) events_.try_emplace(event.name, event);
    return is_access;
  }

  output::NotedRecording recording() const {
    output::NotedRecording noted{.in_perf = true};
    for (const auto& [name, event] : events_) noted.add(event, reader::Features());
    return noted;
  }

  const MemOptions options_;
  OutputFile out_;
  PerfFilter filter_;
  analysis::FrameTable texts_;
  analysis::MemorySums sums_;
  PerfMemoryCells cells_;
  std::vector<std::optional<bool>> is_access_;   // by index of the event; nothing: not asked yet
  std::map<std::string, reader::Event> events_;  // that had samples
};

}  // namespace

std::unique_ptr<Module> make_module(const std::vector<std::string>& arguments) {
  MemOptions options;
  if (!options.parse(arguments)) return nullptr;
  return std::make_unique<MemModule>(std::move(options));
}

}  // namespace perfsift::dlfilter
