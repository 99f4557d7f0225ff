// The options of perfsift record that say what is sampled, and what a sample has: the names are those of perf record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options/command_line.h"
#include "record/preset.h"
#include "record/session.h"

namespace perfsift::tools {

// -e, -F, -c, --filter, --preset.
class EventOptions {
 public:
  // Whether --filter is the kernel's filter of the tracepoint before it, or an option of the command itself.
  enum class Filters : std::uint8_t { of_kernel, elsewhere };

  void add_to(options::po::options_description& options, Filters filters = Filters::of_kernel);
  // Takes --event and --filter in the order of the command line: a filter belongs to the event before it.
  void take(const std::string& option, const std::string& value);
  // Whether this preset, and nothing else, was given.
  bool is_only(record::Preset preset) const {
    return named_.empty() && !preset_.empty() && record::preset_named(preset_) == preset;
  }
  // The preset that counts if neither events nor a preset are given.
  void prefer(record::Preset preset) { preferred_ = preset; }
  // Fills in the events, and what a preset asks for. Throws UsageError. `notes` gets what the preset picked, and why.
  void apply(record::SessionPlan& plan, std::vector<std::string>& notes) const;

 private:
  struct Named {
    std::string events;
    std::string filter;
  };

  void apply_rate(record::SampleContent& content) const;

  std::vector<std::string> names_, filters_;  // what boost collects; named_ has both in order
  std::vector<Named> named_;
  std::string preset_;
  record::Preset preferred_ = record::Preset::cpu;
  std::string frequency_;
  std::optional<std::uint64_t> period_;
};

// Reads the text of --call-graph: fp, dwarf, dwarf,BYTES, lbr. Throws UsageError.
void read_call_graph(const std::string& text, record::SampleContent& content);

// -g, --call-graph, -d, -W, -b, …
class ContentOptions {
 public:
  void add_to(options::po::options_description& options);
  // Only -g and --call-graph, which add_to() adds, too.
  void add_stacks_to(options::po::options_description& options);
  void apply(record::SessionPlan& plan) const;
  // Whether -I? or --user-regs=? asks for the names of registers, and for nothing else.
  bool asks_registers() const { return user_registers_ == "?" || interrupt_registers_ == "?"; }

 private:
  void apply_registers(record::SampleContent& content) const;
  void apply_call_graph(record::SampleContent& content) const;

  bool callers_ = false;
  std::string call_graph_;
  std::optional<std::uint16_t> max_stack_;
  record::SampleContent content_;
  record::SideBand side_band_;
  bool any_branch_ = false;
  std::string branches_;
  std::string clock_, user_registers_, interrupt_registers_;
  bool user_callchains_ = false, kernel_callchains_ = false;
  bool no_build_ids_ = false, all_kernel_ = false, all_user_ = false;
};

}  // namespace perfsift::tools
