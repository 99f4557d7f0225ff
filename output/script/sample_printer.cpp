#include "output/script/sample_printer.h"

#include <algorithm>
#include <iterator>

#include "analysis/memory/data_source_text.h"
#include "analysis/samples/number_text.h"
#include "base/printable.h"
#include "output/script/bpf_output.h"
#include "output/script/branch_flags.h"
#include "output/script/ibs_text.h"
#include "output/script/registers.h"

namespace perfsift::output {
namespace {

using reader::Sample;
using reader::ThreadState;

constexpr Field branch_forms[] = {Field::brstack, Field::brstacksym, Field::brstackoff};

void print_page_size(TextWriter& out, std::uint64_t size) {
  out.character(' ');
  out.text(analysis::page_size_text(size));
}

// Formats have tabs in them, and some end with a newline (ftrace:print). perf prints strings of the tracepoint
// unchanged.
void print_trace_text(TextWriter& out, std::string_view text) {
  if (is_plain_ascii(text)) return out.text(text);
  const bool line_end = text.ends_with('\n');
  if (line_end) text.remove_suffix(1);
  while (true) {
    const std::size_t tab = std::min(text.find('\t'), text.size());
    out.text(printable(text.substr(0, tab)));
    if (tab == text.size()) break;
    out.character('\t');
    text.remove_prefix(tab + 1);
  }
  if (line_end) out.character('\n');
}

// PERF_MEM_DATA_SRC_NONE, which samples of events without data sources have: all parts say "not available". Since 6.12
// the level has a number for it.
std::uint64_t no_data_source(analysis::PerfStyle style) {
  return style == analysis::PerfStyle::perf_6_1 ? 0x5080021 : 0x1e05080021;
}

}  // namespace

void SamplePrinter::print(TextWriter& out, const Sample& sample, const ThreadState& thread) {
  const FieldSet fields = selection_.of(*sample.event);
  if (fields.has(Field::period)) {
    out.decimal(sample.period, 10);
    out.character(' ');
  }
  if (fields.has(Field::event)) print_event_name(out, *sample.event);
  if (is_branch_trace(sample.event->attr)) {
    print_branch_trace(out, sample, thread, fields);
  } else {
    print_fields(out, sample, thread, fields);
  }
  if (fields.has(Field::ibs)) print_ibs(out, sample, recording_.header().order, options_.style);
  out.character('\n');
}

void SamplePrinter::print_event_name(TextWriter& out, const reader::Event& event) {
  if (name_width_ == 0) {
    for (const auto& any : recording_.events()) name_width_ = std::max(name_width_, printable(any->name).size());
  }
  out.right(printable(event.name, escaped_), name_width_);
  out.text(": ");
}

// The order is perf's.
void SamplePrinter::print_fields(TextWriter& out, const Sample& sample, const ThreadState& thread, FieldSet fields) {
  const std::string& architecture = recording_.features().arch;
  if (fields.has(Field::trace)) print_trace(out, sample);
  if (fields.has(Field::addr)) print_address(out, sample, thread, fields);
  if (fields.has(Field::data_src)) {
    const bool known = sample.knows(reader::sample_bit::data_src);
    print_data_source(out, known ? sample.data_src : no_data_source(options_.style));
  }
  if (fields.has(Field::weight)) out.decimal(sample.weight, 16);
  if (fields.has(Field::ins_lat)) out.decimal(sample.instruction_latency, 16);
  if (fields.has(Field::retire_lat)) out.decimal(sample.pipeline_stage_cycles, 16);
  if (fields.has(Field::cgroup)) {
    const std::string_view cgroup = recording_.timeline().cgroup(sample.cgroup);
    out.character(' ');
    out.text(cgroup.empty() ? "unknown" : printable(cgroup, escaped_));
  }
  if (fields.has(Field::ip)) print_code(out, sample, thread, fields);
  if (fields.has(Field::iregs)) print_registers(out, sample.intr_registers, architecture);
  if (fields.has(Field::uregs)) print_registers(out, sample.user_registers, architecture);
  print_branches(out, sample, thread, fields);
  if (fields.has(Field::bpf_output) && sample.event->attr.is_bpf_output() && !sample.event->wraps_off_cpu())
    print_bpf_output(out, sample.raw);
  if (fields.has(Field::phys_addr)) out.hex(sample.phys_addr, 16);
  if (fields.has(Field::data_page_size)) print_page_size(out, sample.data_page_size);
  if (fields.has(Field::code_page_size)) print_page_size(out, sample.code_page_size);
}

void SamplePrinter::print_branch_trace(TextWriter& out, const Sample& sample, const ThreadState& thread,
                                       FieldSet fields) {
  if (fields.has(Field::ip)) print_code(out, sample, thread, fields);
  const bool by_default = sample.has(reader::sample_bit::addr) && !selection_.chosen_by_user(*sample.event);
  if (!fields.has(Field::addr) && !by_default) return;
  out.text(" => ");
  print_address(out, sample, thread, fields);
}

void SamplePrinter::print_address(TextWriter& out, const Sample& sample, const ThreadState& thread, FieldSet fields) {
  out.hex(sample.addr, 16);
  if (!addr_has_symbol(sample.event->attr)) return;
  location_text_.print_place(out, names_.locate_in_any_mode(thread, sample.cpumode, sample.addr), fields);
}

// The column is as wide as the widest text so far: data_src__fprintf().
void SamplePrinter::print_data_source(TextWriter& out, std::uint64_t data_src) {
  const std::string text = analysis::data_source_column(data_src, options_.style);
  data_source_width_ = std::max(data_source_width_, text.size());
  out.left(text, data_source_width_);
}

void SamplePrinter::print_code(TextWriter& out, const Sample& sample, const ThreadState& thread, FieldSet fields) {
  if (!has_callchain(sample)) {
    out.character(' ');
    return frame_text_.print_address(out, thread, {.address = sample.ip, .mode = sample.cpumode}, fields);
  }
  out.character('\n');
  print_callchain(out, sample, thread, fields);
}

// Prints the recorded callchain, and the stack that was unwound from the user's registers and stack: perf prints both,
// too (thread__resolve_callchain()).
void SamplePrinter::print_callchain(TextWriter& out, const Sample& sample, const ThreadState& thread, FieldSet fields) {
  const auto first = analysis::first_user_frame(sample.callchain);
  const auto caller =
      first ? unwinder_.caller_by_link_register(sample, sample.callchain[*first], thread.maps) : std::nullopt;
  analysis::callchain_frames(sample, options_.max_stack, options_.style, frames_, caller);
  // A thread at its start has no stack yet; perf does not show the address of such a thread either.
  const bool as_perf = options_.style == analysis::PerfStyle::perf_6_1 && sample.user_stack.empty();
  const symbolize::UnwoundStack* unwound = as_perf ? nullptr : unwinder_.unwind(sample, thread.maps);
  if (unwound != nullptr) analysis::append_unwound(*unwound, frames_);
  for (const analysis::Frame& frame : frames_) {
    if (!frame_text_.print_frame(out, thread, frame, fields)) break;
  }
}

void SamplePrinter::print_branches(TextWriter& out, const Sample& sample, const ThreadState& thread, FieldSet fields) {
  // perf prints the first of several forms.
  const auto form = std::ranges::find_if(branch_forms, [&](Field field) { return fields.has(field); });
  if (form == std::end(branch_forms)) return;
  const auto locate = [&](std::uint64_t address) { return names_.locate_in_any_mode(thread, sample.cpumode, address); };
  for (const reader::BranchEntry branch : sample.branch_stack) {
    if (*form != Field::brstacksym) out.character(' ');
    print_branch_end(out, locate(branch.from), *form, fields.has(Field::dso));
    out.character('/');
    print_branch_end(out, locate(branch.to), *form, fields.has(Field::dso));
    print_branch_flags(out, branch, options_.style, recording_.features().arch);
  }
}

void SamplePrinter::print_branch_end(TextWriter& out, const analysis::CodeLocation& end, Field form, bool with_binary) {
  if (form == Field::brstacksym) {
    location_text_.print_symbol(out, end, true);
  } else {
    out.text("0x");
    out.hex(form == Field::brstackoff ? names_.branch_offset(end) : end.address);
  }
  if (!with_binary) return;
  if (options_.style != analysis::PerfStyle::perf_6_1) out.character(' ');
  location_text_.print_binary(out, end);
}

void SamplePrinter::print_trace(TextWriter& out, const Sample& sample) const {
  const reader::TracepointFormats* const formats = recording_.tracepoints();
  if (formats == nullptr || sample.raw.empty()) return;
  const reader::TracepointFormat* const format = formats->find(sample.event->tracepoint_id());
  if (format != nullptr) print_trace_text(out, formats->print(*format, sample.raw));
}

}  // namespace perfsift::output
