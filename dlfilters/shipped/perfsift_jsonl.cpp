// perfsift-jsonl.so: perf script's samples as JSON, one line for each, and nothing else.

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dlfilters/module/filter_options.h"
#include "dlfilters/module/module.h"
#include "dlfilters/module/perf_filter.h"
#include "filter/field.h"
#include "options/command_line.h"
#include "output/files/output_file.h"
#include "output/files/run_files.h"
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

using filter::Fact;
using Json = nlohmann::ordered_json;

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

struct NumberKey {
  const char* key;
  Fact fact;
};
// Numbers that only perf knows. For a sample's own numbers, the members are the fields of the filter language.
constexpr NumberKey traced[] = {{"flags", Fact::branch_flags},
                                {"insn_cnt", Fact::insn_count},
                                {"cyc_cnt", Fact::cycle_count},
                                {"machine_pid", Fact::machine_pid},
                                {"vcpu", Fact::vcpu}};

struct TextKey {
  const char* key;
  Fact fact;
};
constexpr TextKey event[] = {{"event", Fact::event}, {"comm", Fact::comm}};
constexpr TextKey code_names[] = {{"sym", Fact::sym}, {"dso", Fact::dso}};
constexpr TextKey data_names[] = {{"addr_sym", Fact::addr_sym}, {"addr_dso", Fact::addr_dso}};

std::string hexadecimal(std::uint64_t value) { return fmt::format("{:#x}", value); }

const char* mode_name(std::uint64_t mode) {
  constexpr const char* names[] = {"unknown", "kernel", "user", "hypervisor", "guest_kernel", "guest_user"};
  return names[mode < std::size(names) ? mode : 0];
}

// Numbers of 64 bits that are addresses or sets of bits are written as text: few readers of JSON keep all digits.
bool is_written_as_text(filter::NumberForm form) {
  return form == filter::NumberForm::hexadecimal || form == filter::NumberForm::transaction;
}

Json json_number(filter::Number number) {
  return number.negative ? Json(static_cast<std::int64_t>(number.bits)) : Json(number.bits);
}

void add_recorded(Json& line, filter::Facts& facts) {
  for (const filter::Field& field : filter::fields()) {
    if (!filter::is_recorded(field.fact) || field.is_decoded() || !field.not_in_perf.empty()) continue;
    const auto number = facts.number(field.fact);
    if (number)
      line[field.name] = is_written_as_text(field.form) ? Json(hexadecimal(number->bits)) : json_number(*number);
  }
}

void add_traced(Json& line, filter::Facts& facts) {
  for (const NumberKey& key : traced) {
    const auto number = facts.number(key.fact);
    if (!number) continue;
    line[key.key] = key.fact == Fact::branch_flags ? Json(hexadecimal(number->bits)) : json_number(*number);
  }
}

void add(Json& line, filter::Facts& facts, std::span<const TextKey> keys) {
  for (const TextKey& key : keys) {
    if (const auto text = facts.text(key.fact)) line[key.key] = *text;
  }
}

void add_code(Json& line, filter::Facts& facts) {
  if (const auto ip = facts.number(Fact::ip)) line["ip"] = hexadecimal(ip->bits);
  if (const auto mode = facts.number(Fact::cpumode)) line["cpumode"] = mode_name(mode->bits);
  add(line, facts, code_names);
  if (const auto offset = facts.number(Fact::symoff)) line["symoff"] = json_number(*offset);
}

Json stack_of(PerfSample& sample) {
  Json stack = Json::array();
  for (std::size_t i = 0; i < sample.stack_depth(); ++i) {
    Json frame = Json::object();
    add_code(frame, sample.frame(i));
    stack.push_back(std::move(frame));
  }
  return stack;
}

Json branches_of(const reader::Sample& sample) {
  Json branches = Json::array();
  for (const reader::BranchEntry branch : sample.branch_stack) {
    branches.push_back({{"from", hexadecimal(branch.from)},
                        {"to", hexadecimal(branch.to)},
                        {"mispredicted", branch.mispredicted()},
                        {"cycles", branch.cycles()}});
  }
  return branches;
}

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
    text_.text(line(sample).dump(-1, ' ', false, Json::error_handler_t::replace));
    text_.character('\n');
    return false;
  }

  void finish() override {
    text_.flush();
    out_.commit();
  }

 private:
  Json line(PerfSample& sample) const {
    Json line = Json::object();
    add(line, sample, event);
    add_recorded(line, sample);
    add_code(line, sample);
    add(line, sample, data_names);
    add_traced(line, sample);
    if (!stacks_) return line;
    if (sample.recorded().has_callchain) line["stack"] = stack_of(sample);
    if (sample.stack_is_cut()) line["stack_truncated"] = true;
    if (sample.recorded().has_branch_stack) line["branches"] = branches_of(sample.recorded());
    return line;
  }

  const bool stacks_;
  output::OutputFile out_;
  output::TextWriter text_;
  PerfFilter filter_;
};

}  // namespace

std::unique_ptr<Module> make_module(const std::vector<std::string>& arguments) {
  JsonOptions options;
  if (!options.parse(arguments)) return nullptr;
  return std::make_unique<JsonModule>(options);
}

}  // namespace perfsift::dlfilter
