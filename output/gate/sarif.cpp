#include "output/gate/sarif.h"

#include <algorithm>
#include <string>
#include <utility>

#include "output/gate/fingerprint.h"
#include "output/gate/remark.h"

namespace perfsift::output {
namespace {

std::string_view kind_word(RemarkKind kind) {
  switch (kind) {
    case RemarkKind::failed:
      return "fail";
    case RemarkKind::cannot_judge:
      return "open";
    case RemarkKind::passed:
      return "pass";
    case RemarkKind::note:
      break;
  }
  return "informational";
}

// A path as a relative reference: bytes that are not allowed in one are escaped. A path may have a colon, which in the
// first part of a reference would end a scheme.
std::string uri_of(std::string_view path) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (allowed.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return uri;
}

Json rules_json() {
  Json rules = Json::array();
  for (const RemarkRule& rule : remark_rules()) {
    rules.push_back({{"id", rule.id}, {"shortDescription", {{"text", rule.help}}}});
  }
  return rules;
}

Json location_json(const Remark& remark) {
  Json physical{{"artifactLocation", {{"uri", uri_of(remark.file)}}}};
  if (remark.line != 0) {
    physical["region"] = {{"startLine", remark.line}, {"startColumn", std::max(remark.column, 1u)}};
  }
  return {{"physicalLocation", std::move(physical)}};
}

Json result_json(const Remark& remark) {
  Json result{{"ruleId", remark_rules()[remark.rule].id},
              {"ruleIndex", remark.rule},
              {"kind", kind_word(remark.kind)},
              {"level", remark.kind == RemarkKind::failed ? "error" : "none"},
              {"message", {{"text", remark.subject + ": " + remark.text}}},
              {"locations", Json::array()},
              {"partialFingerprints", {{"subject/v1", fingerprint(remark)}}}};
  if (!remark.file.empty()) result["locations"].push_back(location_json(remark));
  return result;
}

}  // namespace

Json sarif_json(const analysis::Verdict& verdict) {
  Json results = Json::array();
  for (const Remark& remark : remarks_of(verdict)) results.push_back(result_json(remark));
  Json driver{{"name", "perfsift"}, {"rules", rules_json()}};
  Json run{{"tool", {{"driver", std::move(driver)}}},
           {"columnKind", "unicodeCodePoints"},
           {"invocations", Json::array({Json{{"executionSuccessful", true}}})},
           {"results", std::move(results)}};
  return {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

}  // namespace perfsift::output
