// perfsift doctor: what this machine can record and name.

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.h"
#include "output/json.h"
#include "record/doctor/recording_findings.h"
#include "tools/command.h"
#include "tools/doctor/naming_findings.h"
#include "tools/doctor/program_findings.h"
#include "tools/reading_options.h"

namespace perfsift::tools {
namespace {

using record::Finding;
using record::Findings;
using record::Health;

struct DoctorCommand : CommandRun {
  std::string root;
  bool json = false;
  bool network = false;

  void add_to(options::po::options_description& description) override {
    auto add = description.add_options();
    add("json", options::po::bool_switch(&json), "print the lines as JSON");
    add("network", options::po::bool_switch(&network), "also ask the servers of DEBUGINFOD_URLS whether they answer");
    add("root", options::po::value(&root)->value_name("DIR"),
        "read settings and libraries below DIR, as those of a container; events are opened here");
  }
  int run(const options::Arguments& words) override;
};

Findings look(const DoctorCommand& command) {
  const record::KernelRoots roots{.proc = command.root + "/proc", .sysfs = command.root + "/sys"};
  const record::Machine machine = record::Machine::running(roots);
  symbolize::SymbolizeOptions naming;
  naming.symfs = command.root;
  Findings all = record::recording_findings(machine);
  const Findings names = naming_findings(roots, naming, command.network);
  all.insert(all.end(), names.begin(), names.end());
  all.push_back(perf_finding(version_of_perf(), machine.settings.release));
  all.push_back(disk_finding("."));
  return all;
}

// "ok       own programs     programs of this user can be recorded"
std::string text_of(const Findings& findings) {
  std::size_t width = 0;
  for (const Finding& finding : findings) width = std::max(width, finding.subject.size());
  constexpr std::size_t word_width = 7;  // "limited"
  const std::string margin(word_width + width + 4, ' ');
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{:<{}}  {:<{}}  {}\n", word_for(finding.health), word_width, finding.subject, width,
                        printable(finding.fact));
    if (!finding.meaning.empty()) text += fmt::format("{}{}\n", margin, printable(finding.meaning));
    if (!finding.remedy.empty()) text += fmt::format("{}-> {}\n", margin, printable(finding.remedy));
  }
  return text;
}

std::string json_of(const Findings& findings) {
  output::Json lines = output::Json::array();
  for (const Finding& finding : findings)
    lines.push_back({{"subject", finding.subject},
                     {"health", word_for(finding.health)},
                     {"fact", printable_utf8(finding.fact)},
                     {"meaning", printable_utf8(finding.meaning)},
                     {"remedy", printable_utf8(finding.remedy)}});
  return output::Json{{"findings", lines}}.dump(2);
}

int DoctorCommand::run(const options::Arguments&) {
  check_folder("--root", root);
  const Findings findings = look(*this);
  write_output(output::OutputFile::standard_output,
               [&](output::OutputFile& out) { out.write(json ? json_of(findings) + '\n' : text_of(findings)); });
  const auto own = std::ranges::find(findings, "own programs", &Finding::subject);
  return own != findings.end() && own->health == Health::no ? check_failed : done;
}

}  // namespace

extern const Command doctor_command{
    .name = "doctor",
    .summary = "show what this machine can record and name, and what would mend it",
    .usage =
        "Usage: perfsift doctor [OPTIONS]\n\nShows what this user can record on this machine, which names and stacks "
        "recordings\nwill have, and the commands that change it.\n",
    .positional = nullptr,
    .start = start<DoctorCommand>,
};

}  // namespace perfsift::tools
