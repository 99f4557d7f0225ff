#include "tools/doctor/program_findings.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <tuple>

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/number_in.h"
#include "base/size_text.h"

namespace perfsift::tools {
namespace {

using record::Finding;
using record::Health;

constexpr std::chrono::seconds patience(2);
constexpr const char* use_of_perf = "perfsift needs no perf; its modules for perf script do";

struct Version {
  int major = 0, minor = 0;
  bool operator<(const Version& other) const { return std::tie(major, minor) < std::tie(other.major, other.minor); }
};

// "6.1" of "perf version 6.1.192", and of "6.18.44-fc-v857".
std::optional<Version> version_in(std::string_view text) {
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin);
  const auto major = take_number<decltype(Version::major)>(text);
  if (!major || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const auto minor = take_number<decltype(Version::minor)>(text);
  return minor ? std::optional(Version{.major = *major, .minor = *minor}) : std::nullopt;
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// What this perf does wrong with recordings and modules of perfsift: docs/limits.md.
std::string traps_of(const Version& perf, std::string_view release) {
  std::string traps;
  const auto add = [&](std::string_view trap) { traps += (traps.empty() ? "" : "; ") + std::string(trap); };
  if (perf < Version{5, 14}) add("it loads no dlfilters (5.14 does)");
  if (perf < Version{6, 4}) add("it counts samples that record --keep dropped as lost (6.4 does not)");
  const auto kernel = version_in(release);
  if (perf < Version{6, 2} && kernel && !(*kernel < Version{6, 18}))
    add("it aborts at mappings with build ids that Linux 6.18 marks while another recorder runs (record "
        "--no-buildid-mmap avoids them)");
  return traps;
}

}  // namespace

Finding perf_finding(const LimitedRun& perf, std::string_view release) {
  Finding finding{.subject = "perf"};
  if (perf.too_late) {
    finding.health = Health::limited;
    finding.fact = fmt::format("perf --version did not answer in {} s", patience.count());
    finding.meaning = use_of_perf;
    finding.remedy = "see which perf is the first of the search path: command -v perf";
    return finding;
  }
  const std::optional<std::string>& text = perf.said;
  const auto version = text ? version_in(*text) : std::nullopt;
  if (!version) {
    finding.health = Health::limited;
    finding.fact = text && !text->empty() ? fmt::format("its version is not known: {}", first_line(*text))
                                          : "perf is not installed";
    finding.meaning = use_of_perf;
    finding.remedy = "install perf (Debian: linux-perf; Ubuntu: linux-tools-$(uname -r); Fedora: perf)";
    return finding;
  }
  finding.fact = first_line(*text);
  finding.meaning = traps_of(*version, release);
  if (!finding.meaning.empty()) finding.health = Health::limited;
  return finding;
}

LimitedRun version_of_perf() { return run_limited({"perf", "--version"}, patience); }

Finding disk_finding(const std::string& folder) {
  constexpr std::uint64_t enough = std::uint64_t{1} << 30;
  Finding finding{.subject = "disk"};
  struct statvfs disk {};
  if (statvfs(folder.c_str(), &disk) != 0 || access(folder.c_str(), W_OK) != 0) {
    finding.health = Health::no;
    finding.fact = fmt::format("this folder cannot be written: {}", std::strerror(errno));
    finding.meaning = "record needs -o FILE in another folder";
    return finding;
  }
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  finding.fact = fmt::format("{} are free in this folder", size_text(free));
  if (free >= enough) return finding;
  finding.health = Health::limited;
  finding.meaning = "long recordings do not fit: a busy CPU fills 1 GB in an hour with -g, in a minute with dwarf";
  finding.remedy = "perfsift record -o FILE in another folder, --max-size, or -z";
  return finding;
}

}  // namespace perfsift::tools
