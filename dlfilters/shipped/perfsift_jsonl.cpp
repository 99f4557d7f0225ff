// perfsift-jsonl.so: perf script's samples as JSON, one line for each, and nothing else.

#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dlfilters/module/filter_options.h"
#include "dlfilters/module/module.h"
#include "dlfilters/module/perf_filter.h"
#include "options/command_line.h"
#include "output/files/output_file.h"
#include "output/files/run_files.h"
#include "output/rows/sample_object.h"
#include "output/text_writer.h"

namespace perfsift::dlfilter {

constinit const ModuleDescription module_description{
    .name = "perfsift-jsonl.so",
    .summary = "writes a line of JSON for each sample",
    .help =
        "perf script --dlfilter perfsift-jsonl.so [--dlarg OPTION]...\n"
        "  --dlarg --output=out.jsonl\n"
        "  --dlarg --filter --dlarg 'comm == \"nginx*\"'\n"
        "--dlarg --help lists the options; see perfsift-dlfilters(7) for the keys."};

namespace {

struct JsonOptions {
  std::string output = output::OutputFile::standard_output;
  FilterOptions filters;
  bool no_stack = false;

  // False if the options asked for help, which has been printed.
  bool parse(const std::vector<std::string>& arguments) {
    namespace po = options::po;
    po::options_description options("Options");
    auto add = options.add_options();
    add("output,o", po::value(&output)->value_name("FILE"), "where to write (standard output)");
    filters.add_to(options);
    add("no-stack", po::bool_switch(&no_stack), "without stacks and branches");
    if (!options::parse(arguments, std::string("Usage: ") + module_description.help + "\n", options)) return false;
    output::check_output_of_module(output);
    return true;
  }
};

class JsonModule : public Module {
 public:
  explicit JsonModule(const JsonOptions& options)
      : stacks_(!options.no_stack),
        out_(options.output),
        text_([this](std::string_view piece) { out_.write(piece); }),
        filter_(options.filters.texts()) {
    std::fflush(stdout);  // what perf has printed comes first
  }

  bool keeps_early(PerfSample& sample) override { return filter_.keeps_early(sample); }

  // perf prints none.
  bool keeps(PerfSample& sample) override {
    if (!filter_.keeps(sample)) return false;
    output::write_sample_object(sample, parts_of(sample), text_);
    return false;
  }

  void finish() override {
    text_.flush();
    out_.commit();
  }

 private:
  output::SampleParts parts_of(PerfSample& sample) {
    if (!stacks_) return {};
    output::SampleParts parts{.stack_truncated = sample.stack_is_cut()};
    if (sample.recorded().has_callchain) parts.stack = stack_of(sample);
    if (sample.recorded().has_branch_stack) parts.branches = sample.recorded().branch_stack;
    return parts;
  }

  // Valid until the next sample.
  std::span<const std::string_view> stack_of(PerfSample& sample) {
    frames_.clear();
    for (std::size_t i = 0; i < sample.stack_depth(); ++i) frames_.push_back(output::frame_object(sample.frame(i)));
    stack_.assign(frames_.begin(), frames_.end());
    return stack_;
  }

  const bool stacks_;
  output::OutputFile out_;
  output::TextWriter text_;
  PerfFilter filter_;
  std::vector<std::string> frames_;
  std::vector<std::string_view> stack_;
};

}  // namespace

std::unique_ptr<Module> make_module(const std::vector<std::string>& arguments) {
  JsonOptions options;
  if (!options.parse(arguments)) return nullptr;
  return std::make_unique<JsonModule>(options);
}

}  // namespace perfsift::dlfilter
