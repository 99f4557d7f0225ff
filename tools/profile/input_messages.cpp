#include "tools/profile/input_messages.h"

#include <variant>

#include <fmt/format.h>

namespace perfsift::tools {
namespace {

void report_own(const InputReport& report, const RecordingReport& own, Diagnostics& diagnostics) {
  diagnostics.report(report.path, own.stats);
}

void report_own(const InputReport& report, const analysis::ScriptTextStats& own, Diagnostics& diagnostics) {
  if (own.not_understood == 0) return;
  const analysis::BadLine& first = own.first_not_understood;
  diagnostics.warning(report.path, fmt::format("{} lines were not understood, the first is line {}: {}",
                                               own.not_understood, first.number, first.text));
}

void report_own(const InputReport& report, const FoldedTextReport& own, Diagnostics& diagnostics) {
  if (own.stats.malformed != 0) {
    const analysis::BadLine& first = own.stats.first_malformed;
    diagnostics.warning(report.path, fmt::format("{} lines are no folded stacks, the first is line {}: {}",
                                                 own.stats.malformed, first.number, first.text));
  }
  if (own.stats.fractions != 0) {
    diagnostics.warning(report.path,
                        "counts have fractions: values are in millionths (1,500,000 is 1.5), and numbers "
                        "of samples are rounded");
  }
}

void report_own(const InputReport& report, const PprofReport& own, Diagnostics& diagnostics) {
  if (own.stats.malformed == 0) return;
  diagnostics.warning(report.path, fmt::format("{} samples of {} were left out; the first, because {}",
                                               own.stats.malformed, own.stats.samples, own.stats.first_malformed));
}

void report_own(const InputReport&, std::monostate, Diagnostics&) {}
void report_own(const InputReport&, const StoreReport&, Diagnostics&) {}

}  // namespace

void report_input(const InputReport& report, Diagnostics& diagnostics) {
  if (!report.error.empty()) return diagnostics.unusable(report.error);
  for (const std::string& warning : report.warnings) diagnostics.warning(report.path, warning);
  std::visit([&](const auto& own) { report_own(report, own, diagnostics); }, report.own);
}

}  // namespace perfsift::tools
