#include "tools/check/ci_outputs.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "output/gate/junit.h"
#include "output/gate/markdown.h"
#include "output/gate/sarif.h"
#include "output/report/report_table.h"
#include "output/text_writer.h"
#include "tools/command.h"
#include "tools/diff/diff_picture.h"

namespace perfsift::tools {
namespace {

void write_text(const std::string& path, const std::function<void(output::TextWriter&)>& write) {
  if (path.empty()) return;
  write_output(path, [&](output::OutputFile& file) {
    output::TextWriter out([&](std::string_view text) { file.write(text); });
    write(out);
    out.flush();
  });
}

}  // namespace

void CiOutputs::add_to(options::po::options_description& description) {
  namespace po = options::po;
  auto add = description.add_options();
  add("markdown", po::value(&markdown_)->value_name("FILE"), "also write the verdict as Markdown, for a job's summary");
  add("junit", po::value(&junit_)->value_name("FILE"), "also write test results as JUnit XML");
  add("sarif", po::value(&sarif_)->value_name("FILE"), "also write SARIF 2.1.0");
  add("annotations", po::value(&annotations_option_)->value_name("SERVICE[:FILE]"),
      "also write annotations: github, azure or teamcity in the log, gitlab in a file");
  add("svg", po::value(&svg_)->value_name("FILE"), "also draw a differential flame graph");
}

void CiOutputs::prepare(const std::string& output, bool json) {
  if (annotations_option_.empty()) return;
  const std::size_t colon = std::min(annotations_option_.find(':'), annotations_option_.size());
  annotations_ = output::annotations_of(annotations_option_.substr(0, colon));
  if (!annotations_) {
    throw UsageError(
        printable(fmt::format("--annotations {}: there are github, gitlab, azure and teamcity, perhaps "
                              "with a colon and a file",
                              annotations_option_)));
  }
  annotations_file_ =
      colon < annotations_option_.size() ? annotations_option_.substr(colon + 1) : output::OutputFile::standard_output;
  if (annotations_file_.empty()) throw UsageError("--annotations: the name of the file is missing behind the colon");
  const bool shares =
      output::OutputFile::is_standard_output(annotations_file_) && output::OutputFile::is_standard_output(output);
  if (shares && json) throw UsageError("--annotations and --json on standard output: name a file for one of them");
  if (shares && *annotations_ == output::Annotations::gitlab) {
    throw UsageError("--annotations gitlab: GitLab reads a file, as in gitlab:gl-code-quality-report.json");
  }
}

void CiOutputs::note_files(output::RunFiles& files) const {
  for (const std::string* path : {&markdown_, &junit_, &sarif_, &svg_, &annotations_file_}) {
    // The log of a job has the report, too.
    if (!path->empty() && !output::OutputFile::is_standard_output(*path)) files.writes(*path);
  }
}

void CiOutputs::write(const analysis::Verdict& verdict, const std::vector<std::string>& notes) const {
  write_text(markdown_, [&](output::TextWriter& out) { output::write_verdict_markdown(verdict, notes, out); });
  write_text(junit_, [&](output::TextWriter& out) { output::write_junit(verdict, out); });
  write_text(sarif_, [&](output::TextWriter& out) { output::write_json(output::sarif_json(verdict), out); });
  write_text(annotations_file_,
             [&](output::TextWriter& out) { output::write_annotations(verdict, *annotations_, out); });
}

void CiOutputs::draw(const analysis::JoinedProfile& joined, const std::vector<std::string>& notes,
                     unsigned threads) const {
  write_output(svg_, [&](output::OutputFile& file) {
    draw_difference(joined, {.look = {.title = "", .notes = notes, .unit = {.name = ""}}, .threads = threads}, file);
  });
}

}  // namespace perfsift::tools
