#include "tools/doctor/naming_findings.h"

#include <string>

#include <fmt/format.h>

#include "base/build_id.h"
#include "base/path.h"
#include "symbolize/files/whole_file.h"
#include "symbolize/search/vmlinux.h"
#include "symbolize/symbols/kallsyms.h"
#include "tools/doctor/debuginfod_findings.h"
#include "tools/doctor/library_facts.h"

namespace perfsift::tools {
namespace {

using record::Finding;
using record::Findings;
using record::Health;

Finding kernel_symbols(const record::KernelRoots& roots) {
  const std::string path = roots.proc + "/kallsyms";
  const std::string restriction = record::text_of(roots.proc + "/sys/kernel/kptr_restrict");
  Finding finding{.subject = "kernel symbols", .health = Health::no};
  finding.meaning = "functions of the kernel have no names, unless a vmlinux is here: --vmlinux FILE, --kallsyms FILE";
  auto text = symbolize::read_whole_file(path);
  if (!text || text->empty()) {
    finding.fact = path + " cannot be read";
    return finding;
  }
  const symbolize::Kallsyms list(std::move(*text));
  if (list.restricted()) {
    finding.fact = fmt::format("{} has no addresses for this user (kernel.kptr_restrict is {})", path,
                               restriction.empty() ? "not readable" : restriction);
    finding.remedy = "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1, or run as root";
    return finding;
  }
  finding.fact = fmt::format("{} has {} symbols with addresses", path, list.kernel().size());
  finding.health = list.kernel().empty() ? Health::no : Health::ok;
  if (finding.health == Health::ok) finding.meaning.clear();
  return finding;
}

Finding kernel_lines(const record::KernelRoots& roots, const symbolize::SymbolizeOptions& options) {
  Finding finding{.subject = "kernel lines", .health = Health::limited};
  finding.meaning = "functions of the kernel have no lines and no inlined calls";
  finding.remedy = "install the kernel's debug package (Debian: linux-image-$(uname -r)-dbg), or give --vmlinux FILE";
  const std::string notes = roots.sysfs + "/kernel/notes";
  const BuildId id = build_id_of_notes_file(notes);
  if (id.empty()) {
    const bool is_there = record::read_text(notes).has_value();
    finding.fact = fmt::format("{} {}, by which a vmlinux is found", notes,
                               is_there ? "has no build id" : "cannot be read, and has the build id");
    if (!is_there) finding.remedy = "mount /sys, or give --vmlinux FILE";
    return finding;
  }
  const symbolize::FoundVmlinux found = symbolize::find_vmlinux(id, options);
  if (!found.debug_info) {
    finding.fact = fmt::format("no vmlinux with debug information for the kernel's build id {}", id.hex());
    return finding;
  }
  return {.subject = "kernel lines", .fact = found.debug_info->path() + " has them"};
}

Finding kernel_types(const record::KernelRoots& roots) {
  const std::string path = roots.sysfs + "/kernel/btf/vmlinux";
  symbolize::Missing why = symbolize::Missing::none;
  if (symbolize::open_regular_file(path, why)) return {.subject = "kernel types", .fact = path + " (BTF) can be read"};
  return {.subject = "kernel types",
          .health = Health::limited,
          .fact = path + " cannot be read: the kernel has no BTF, or /sys is not mounted",
          .meaning = "programs with BPF that need the kernel's types do not load, so that rings has nothing to show",
          .remedy = ""};
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.0f} %", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Finding frame_pointers(const LibraryFacts& library) {
  constexpr double enough = 0.8;
  Finding finding{.subject = "frame pointers", .health = Health::limited};
  if (library.functions == 0) {
    finding.fact = library.path + ": not known, because its functions have no symbols or no unwinding rules";
    finding.meaning = "try --call-graph fp, and look at the incomplete stacks of report";
    return finding;
  }
  finding.fact = fmt::format("{}: {} of {} functions keep one, by their unwinding rules", library.path,
                             percent(library.with_frame_pointer, library.functions), library.functions);
  if (static_cast<double>(library.with_frame_pointer) >= enough * static_cast<double>(library.functions)) {
    finding.health = Health::ok;
    return finding;
  }
  finding.meaning = fmt::format("stacks by frame pointers lose callers in {}", base_name(library.path));
  finding.remedy = "perfsift record --call-graph dwarf";
  return finding;
}

Finding unwinding_rules(const LibraryFacts& library) {
  Finding finding{.subject = "unwinding rules"};
  finding.fact = fmt::format("{}: for {} functions (.eh_frame)", library.path, library.rules);
  if (library.rules != 0) return finding;
  finding.health = Health::no;
  finding.fact = library.path + ": none (.eh_frame, .debug_frame)";
  finding.meaning = "--call-graph dwarf does not get through it";
  finding.remedy = "perfsift record --call-graph fp";
  return finding;
}

Finding debug_files(const LibraryFacts& library) {
  Finding finding{.subject = "debug files"};
  finding.fact = library.path + ": its debug information is here";
  if (library.debug_info) return finding;
  finding.health = Health::limited;
  finding.fact = library.path + ": no debug information is here";
  finding.meaning = "local functions have no names, and there are no lines and inlined calls in it";
  finding.remedy = library.build_id.empty()
                       ? "install the debug package of the library"
                       : fmt::format(
                             "install the debug package of the library (Debian: libc6-dbg, libstdc++6-*-dbg), "
                             "or use --debuginfod; its build id is {}",
                             library.build_id.hex());
  return finding;
}

}  // namespace

Findings naming_findings(const record::KernelRoots& roots, const symbolize::SymbolizeOptions& options, bool network) {
  Findings all = {kernel_symbols(roots), kernel_lines(roots, options), kernel_types(roots)};
  const std::vector<LibraryFacts> libraries = main_libraries(options);
  for (const auto& look : {frame_pointers, unwinding_rules, debug_files})
    for (const LibraryFacts& library : libraries) all.push_back(look(library));
  if (libraries.empty())
    all.push_back({.subject = "libraries",
                   .health = Health::limited,
                   .fact = "no C library in the usual folders",
                   .meaning = "programs here are linked statically, or their libraries are elsewhere",
                   .remedy = ""});
  const Findings debuginfod = debuginfod_findings(libraries, network);
  all.insert(all.end(), debuginfod.begin(), debuginfod.end());
  return all;
}

}  // namespace perfsift::tools
