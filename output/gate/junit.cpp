#include "output/gate/junit.h"

#include <algorithm>

#include "output/gate/remark.h"
#include "output/markup.h"

namespace perfsift::output {
namespace {

std::string case_name(const Remark& remark) {
  if (remark.line == 0) return remark.subject;
  return fmt::format("{} (line {})", remark.subject, remark.line);
}

void write_case(const Remark& remark, TextWriter& out) {
  const std::string text = markup_text(remark.text);
  out.format("    <testcase classname=\"perfsift.{}\" name=\"{}\" time=\"0\"", remark_rules()[remark.rule].id,
             markup_text(case_name(remark)));
  switch (remark.kind) {
    case RemarkKind::passed:
      out.format(">\n      <system-out>{}</system-out>\n    </testcase>\n", text);
      return;
    case RemarkKind::failed:
      out.format(">\n      <failure type=\"failed\" message=\"{0}\">{0}</failure>\n    </testcase>\n", text);
      return;
    case RemarkKind::cannot_judge:
      out.format(">\n      <error type=\"cannot judge\" message=\"{0}\">{0}</error>\n    </testcase>\n", text);
      return;
    case RemarkKind::note:
      out.format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", text);
      return;
  }
}

}  // namespace

void write_junit(const analysis::Verdict& verdict, TextWriter& out) {
  const std::vector<Remark> remarks = remarks_of(verdict);
  const auto count = [&](RemarkKind kind) { return std::ranges::count(remarks, kind, &Remark::kind); };
  out.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"perfsift check\">\n");
  out.format(
      "  <testsuite name=\"perfsift check\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"0\">\n",
      remarks.size(), count(RemarkKind::failed), count(RemarkKind::cannot_judge), count(RemarkKind::note));
  for (const Remark& remark : remarks) write_case(remark, out);
  out.text("  </testsuite>\n</testsuites>\n");
}

}  // namespace perfsift::output
