#include "output/gate/annotations.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "output/gate/fingerprint.h"
#include "output/gate/remark.h"
#include "output/json.h"

namespace perfsift::output {
namespace {

using Replacements = std::initializer_list<std::pair<char, std::string_view>>;

std::string replaced(std::string_view text, Replacements replacements) {
  std::string result;
  for (const char c : text) {
    std::string_view with(&c, 1);
    for (const auto& [from, to] : replacements) {
      if (from == c) with = to;
    }
    result += with;
  }
  return result;
}

// --- GitHub ---

// toCommandValue() and toCommandProperty() in packages/core/src/command.ts of actions/toolkit.
std::string github_text(std::string_view text) { return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}}); }
std::string github_property(std::string_view text) {
  return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

void write_github(const Remark& remark, TextWriter& out) {
  const std::string_view command = remark.kind == RemarkKind::failed         ? "error"
                                   : remark.kind == RemarkKind::cannot_judge ? "warning"
                                                                             : "notice";
  out.format("::{} title={}", command, github_property(remark.subject));
  if (remark.line != 0) {
    out.format(",file={},line={},col={}", github_property(remark.file), remark.line, remark.column);
  }
  out.format("::{}\n", github_text(remark.text));
}

// --- Azure Pipelines ---

// escapeValue() of command.ts in microsoft/azure-pipelines-task-lib; the agent decodes %AZP25.
std::string azure_text(std::string_view text) {
  return replaced(text, {{'%', "%AZP25"}, {'\r', "%0D"}, {'\n', "%0A"}});
}
std::string azure_property(std::string_view text) {
  return replaced(text, {{'%', "%AZP25"}, {'\r', "%0D"}, {'\n', "%0A"}, {']', "%5D"}, {';', "%3B"}});
}

void write_azure(const Remark& remark, TextWriter& out) {
  if (remark.kind == RemarkKind::note) {  // the agent has errors and warnings
    out.format("##[debug]{}: {}\n", azure_text(remark.subject), azure_text(remark.text));
    return;
  }
  out.format("##vso[task.logissue type={};code={}", remark.kind == RemarkKind::failed ? "error" : "warning",
             remark_rules()[remark.rule].id);
  if (remark.line != 0) {
    out.format(";sourcepath={};linenumber={};columnnumber={}", azure_property(remark.file), remark.line, remark.column);
  }
  out.format("]{}: {}\n", azure_text(remark.subject), azure_text(remark.text));
}

// --- TeamCity ---

// A value of a service message. Characters beyond ASCII may stand as they are in UTF-8.
std::string teamcity_text(std::string_view text) {
  return replaced(text, {{'|', "||"}, {'\'', "|'"}, {'[', "|["}, {']', "|]"}, {'\r', "|r"}, {'\n', "|n"}});
}

void write_teamcity(const Remark& remark, TextWriter& out) {
  const std::string text = teamcity_text(remark.subject + ": " + remark.text);
  if (remark.kind == RemarkKind::failed || remark.kind == RemarkKind::cannot_judge) {
    out.format("##teamcity[buildProblem description='{}{}' identity='perfsift-{}']\n",
               remark.kind == RemarkKind::cannot_judge ? "cannot judge: " : "", text, fingerprint(remark));
    return;
  }
  out.format("##teamcity[message text='{}' status='NORMAL']\n", text);
}

// --- GitLab ---

Json gitlab_json(const Remark& remark) {
  const std::string_view severity = remark.kind == RemarkKind::failed         ? "critical"
                                    : remark.kind == RemarkKind::cannot_judge ? "major"
                                                                              : "info";
  return {{"description", remark.subject + ": " + remark.text},
          {"check_name", remark_rules()[remark.rule].id},
          {"fingerprint", fingerprint(remark)},
          {"severity", severity},
          {"location", {{"path", remark.file}, {"lines", {{"begin", remark.line == 0 ? 1 : remark.line}}}}}};
}

}  // namespace

std::optional<Annotations> annotations_of(std::string_view name) {
  if (name == "github") return Annotations::github;
  if (name == "gitlab") return Annotations::gitlab;
  if (name == "azure") return Annotations::azure;
  if (name == "teamcity") return Annotations::teamcity;
  return std::nullopt;
}

void write_annotations(const analysis::Verdict& verdict, Annotations service, TextWriter& out) {
  Json list = Json::array();
  for (const Remark& remark : remarks_of(verdict)) {
    if (remark.kind == RemarkKind::passed) continue;
    switch (service) {
      case Annotations::github:
        write_github(remark, out);
        break;
      case Annotations::azure:
        write_azure(remark, out);
        break;
      case Annotations::teamcity:
        write_teamcity(remark, out);
        break;
      case Annotations::gitlab:
        list.push_back(gitlab_json(remark));
        break;
    }
  }
  if (service == Annotations::gitlab) out.format("{}\n", list.dump(2));
}

}  // namespace perfsift::output
