#include "tools/doctor/debuginfod_findings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "base/path.h"
#include "symbolize/search/debuginfod.h"
#include "symbolize/search/debuginfod_servers.h"

namespace perfsift::tools {
namespace {

using record::Finding;
using record::Findings;
using record::Health;
using symbolize::DebuginfodServerAnswer;

Finding setting(const char* urls, bool any_server) {
  Finding finding{.subject = "debuginfod", .health = Health::limited};
  if (!any_server) {
    finding.fact = "DEBUGINFOD_URLS names no server";
    finding.meaning = "--debuginfod fetches no debug files";
    finding.remedy = "export DEBUGINFOD_URLS=https://debuginfod.elfutils.org";
    return finding;
  }
  if (const std::string why = symbolize::why_no_debuginfod(); !why.empty()) {
    finding.health = Health::no;
    finding.fact = why;
    finding.meaning = "--debuginfod does not work";
    return finding;
  }
  return {.subject = "debuginfod", .fact = fmt::format("DEBUGINFOD_URLS is {}", urls)};
}

// What servers are asked for.
struct AskedFile {
  BuildId id;
  std::string name;  // empty: no server has a file with this id
};

AskedFile file_to_ask_for(const std::vector<LibraryFacts>& libraries) {
  const auto library = std::ranges::find_if(
      libraries, [](const BuildId& id) { return !id.empty(); }, &LibraryFacts::build_id);
  if (library != libraries.end())
    return {.id = library->build_id, .name = fmt::format("the debug file of {}", base_name(library->path))};
  constexpr std::array<std::byte, 20> zeros{};
  return {.id = BuildId(zeros), .name = {}};
}

// "https://debuginfod.example has the debug file of libc.so.6 (0.12 s)"
Finding server_finding(const DebuginfodServerAnswer& answer, const AskedFile& asked) {
  Finding finding{.subject = "debuginfod server"};
  const std::string duration = fmt::format(" ({:.2f} s)", std::chrono::duration<double>(answer.duration).count());
  if (answer.kind == DebuginfodServerAnswer::Kind::failed) {
    finding.health = Health::no;
    finding.fact = fmt::format("{}: {}{}", answer.server, answer.why, duration);
    finding.meaning = "--debuginfod gets nothing from this server, and may wait for it";
    finding.remedy = "check its address and the proxy (https_proxy), or remove it from DEBUGINFOD_URLS";
  } else if (answer.kind == DebuginfodServerAnswer::Kind::has_file) {
    finding.fact = fmt::format("{} has {}{}", answer.server, asked.name, duration);
  } else {
    const std::string lacks = asked.name.empty() ? "" : fmt::format(", and does not have {}", asked.name);
    finding.fact = fmt::format("{} answers{}{}", answer.server, lacks, duration);
  }
  return finding;
}

}  // namespace

Findings debuginfod_findings(const std::vector<LibraryFacts>& libraries, bool network) {
  constexpr std::chrono::seconds longest{10};
  const char* const urls = std::getenv("DEBUGINFOD_URLS");
  const std::vector<std::string> servers = symbolize::debuginfod_servers(urls != nullptr ? urls : "");
  Findings all = {setting(urls, !servers.empty())};
  if (all.front().health != Health::ok) return all;
  if (!network) {
    all.front().fact += " (not asked: --network asks)";
    return all;
  }
  const AskedFile asked = file_to_ask_for(libraries);
  for (const DebuginfodServerAnswer& answer : symbolize::ask_debuginfod_servers(servers, asked.id, longest))
    all.push_back(server_finding(answer, asked));
  return all;
}

}  // namespace perfsift::tools
