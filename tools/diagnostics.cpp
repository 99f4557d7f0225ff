#include "tools/diagnostics.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "analysis/samples/user_stack.h"
#include "base/counted.h"
#include "base/printable.h"
#include "reader/format/record_names.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

std::string type_name(reader::RecordType type) {
  const std::string_view name = reader::record_name(type);
  return name != "UNKNOWN" ? std::string(name) : fmt::format("type {}", static_cast<std::uint32_t>(type));
}

// "2 MMAP2, 1 COMM"
std::string by_type(const std::map<reader::RecordType, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [type, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, type_name(type));
  }
  return text;
}

constexpr std::string_view see_info = "; `perfsift info` shows what the recording holds";

std::string why_empty(std::uint64_t inputs, std::uint64_t samples, std::uint64_t lost) {
  const std::string none = inputs == 1 ? "holds no samples" : "hold no samples";
  if (samples == 0 && lost != 0) {
    return fmt::format("{}, as all {} were lost: perf record -m makes the buffer larger, -F or -c samples rarer", none,
                       lost);
  }
  return samples == 0 ? none : fmt::format("0 of {} samples match", samples);
}

}  // namespace

std::vector<std::string> not_decoded(const reader::Recording& recording) {
  std::vector<std::string> warnings;
  const bool stack_dumps = std::ranges::any_of(
      recording.events(), [](const auto& event) { return event->attr.has(reader::sample_bit::stack_user); });
  const std::string machine = analysis::machine_of(recording);
  constexpr std::uint64_t abi_64 = 2;  // PERF_SAMPLE_REGS_ABI_64
  if (stack_dumps && !symbolize::architecture_of(machine, abi_64)) {
    warnings.push_back("user stacks were recorded as memory (--call-graph dwarf), which is not unwound for " + machine);
  }
  const reader::ReadStats& stats = recording.stats();
  if (stats.records.contains(reader::RecordType::auxtrace) && !stats.trace_is_decoded) {
    warnings.push_back("AUX data (Intel PT, CoreSight, …) is not decoded");
  }
  if (stats.records.contains(reader::RecordType::stat))
    warnings.push_back("the counts of perf stat record are not read: perf stat report shows them");
  return warnings;
}

Diagnostics::Diagnostics(bool quiet) : Diagnostics(quiet, std::cerr) { coloured_ = takes_colour(STDERR_FILENO); }

void Diagnostics::warning(std::string_view file, std::string_view text) {
  const std::string_view warning = coloured_ ? "\x1b[1;33mwarning:\x1b[0m" : "warning:";
  if (!quiet_) to_ << "perfsift: " << warning << ' ' << printable(file) << ": " << printable(text) << '\n';
}

void Diagnostics::unusable(std::string_view message) {
  unusable_ = true;
  to_ << "perfsift: " << printable(message) << '\n';
}

void Diagnostics::check_failed(std::string_view message) {
  check_failed_ = true;
  to_ << "perfsift: " << printable(message) << '\n';
}

ExitStatus Diagnostics::status() const {
  if (unusable_) return input_unusable;
  if (check_failed_) return ExitStatus::check_failed;
  return damaged_ ? partly_read : done;
}

void Diagnostics::report(std::string_view file, const reader::ReadStats& stats) {
  for (const reader::Damage& damage : stats.damage) report_damage(file, damage);
  report_records(file, stats);
  report_losses(file, stats);
}

void Diagnostics::report(const symbolize::Symbolizer& names) {
  for (const symbolize::FileWarning& found : names.warnings()) warning(found.path, found.text);
}

void InputTotals::add(const InputTotal& input) {
  only_path_ = inputs_ == 0 ? input.path : "";
  ++inputs_;
  samples_ += input.samples;
  kept_ += input.kept;
  lost_ += input.lost;
  any_usable_ |= input.usable;
  any_recording_ |= input.is_recording;
}

void Diagnostics::report_empty(std::string_view file, std::uint64_t samples, bool fail) {
  report_empty(file, why_empty(1, samples, 0).append(see_info), fail);
}

void Diagnostics::report_empty(const InputTotals& totals, bool fail) {
  if (totals.kept_ != 0 || !totals.any_usable_) return;
  const std::string what = totals.inputs_ == 1 ? totals.only_path_ : counted(totals.inputs_, totals.noun_);
  std::string text = why_empty(totals.inputs_, totals.samples_, totals.lost_);
  if (totals.any_recording_ && totals.lost_ == 0) text += see_info;
  report_empty(what, text, fail);
}

void Diagnostics::report_empty(std::string_view what, const std::string& text, bool fail) {
  if (!fail) return warning(what, text);
  check_failed(fmt::format("{}: {}", what, text));
}

void Diagnostics::report_damage(std::string_view file, const reader::Damage& damage) {
  damaged_ = true;
  std::string text =
      fmt::format("{}: {} not read from offset {} on", damage.what, counted(damage.bytes, "byte"), damage.offset);
  if (damage.records != 0) text += fmt::format(" ({})", counted(damage.records, "record"));
  warning(damage.file.empty() ? file : std::string_view(damage.file), text);
}

void Diagnostics::report_records(std::string_view file, const reader::ReadStats& stats) {
  if (!stats.malformed.empty()) {
    damaged_ = true;
    warning(file, "malformed records, not used: " + by_type(stats.malformed));
  }
  if (!stats.unknown.empty()) warning(file, "records of unknown types, skipped: " + by_type(stats.unknown));
  if (stats.unknown_ids != 0) warning(file, counted(stats.unknown_ids, "sample") + " of unknown events, skipped");
  if (stats.out_of_order != 0) warning(file, counted(stats.out_of_order, "record") + " delivered out of order");
}

void Diagnostics::report_losses(std::string_view file, const reader::ReadStats& stats) {
  const reader::Losses& losses = stats.losses;
  const std::uint64_t without_room = std::max(losses.lost_records, losses.lost_samples_without_room);
  if (without_room != 0) {
    const std::string chunks = losses.lost_chunks != 0 ? " in " + counted(losses.lost_chunks, "chunk") : "";
    warning(file,
            fmt::format("the kernel dropped {}{}: the ring buffer was full", counted(without_room, "record"), chunks));
  }
  if (const std::uint64_t others = losses.lost_samples - losses.lost_samples_without_room; others != 0)
    warning(file, counted(others, "sample") + " lost by the hardware or kernel");
  if (!stats.throttled.empty()) {
    warning(file,
            fmt::format("the kernel stopped an event {}, as it was too frequent: perf record -F or -c makes it rarer",
                        counted(stats.throttled.size(), "time")));
  }
  // If a trace is cut, an unknown number of operations after the cut is missing, too.
  const std::uint64_t cuts = std::max(losses.aux_truncated, losses.cut_trace_records);
  if (cuts != 0) {
    warning(file, fmt::format("the trace was cut {}, where its buffer was full: perf record -m ,PAGES makes it larger",
                              counted(cuts, "time")));
  }
}

}  // namespace perfsift::tools
