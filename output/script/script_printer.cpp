#include "output/script/script_printer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "output/script/header_text.h"
#include "output/script/location_text.h"
#include "output/script/record_text.h"
#include "reader/records/kernel_code.h"
#include "reader/records/mmap.h"
#include "reader/records/process.h"

namespace perfsift::output {
namespace {

using reader::Record;
using reader::RecordType;

// The thread that a record is about, which is not always the thread that caused it: COMM, FORK, … name the thread.
struct Subject {
  std::int32_t pid;
  std::int32_t tid;
  std::uint64_t time;  // for recordings whose records have no identity of their own
};

Subject subject_of(const Record& record, const reader::SampleId& id) {
  const auto of = [&](const auto& decoded) {
    return decoded ? Subject{decoded->pid, decoded->tid, 0} : Subject{id.pid, id.tid, 0};
  };
  switch (record.header.type) {
    case RecordType::comm:
      return of(reader::decode_comm(record));
    case RecordType::mmap:
      return of(reader::decode_mmap(record));
    case RecordType::mmap2:
      return of(reader::decode_mmap2(record));
    case RecordType::namespaces:
      return of(reader::decode_namespaces(record));
    case RecordType::fork:
    case RecordType::exit:
      if (const auto task = reader::decode_task(record)) return {task->pid, task->tid, task->time};
      [[fallthrough]];
    default:
      return {id.pid, id.tid, 0};
  }
}

}  // namespace

ScriptPrinter::ScriptPrinter(reader::Recording& recording, FieldSelection selection, symbolize::Symbolizer& symbolizer,
                             const ScriptOptions& options, TextWriter& out)
    : recording_(recording),
      selection_(std::move(selection)),
      options_(options),
      out_(out),
      names_(recording, symbolizer, options.demangling),
      samples_(recording, selection_, names_, options.samples),
      line_start_(options.time, options.samples.style),
      threads_(recording.timeline()) {}

ScriptPrinter::~ScriptPrinter() {
  if (auto* const formats = recording_.tracepoints()) formats->set_function_resolver({});
}

// Called with the first record or sample: the events and features of a stream are not known before.
void ScriptPrinter::prepare() {
  if (std::exchange(prepared_, true)) return;
  const reader::Features& features = recording_.features();
  if (options_.features_as_they_come)
    print_features(out_, features, recording_.events(), options_.samples.style, options_.full_header);
  selection_.check(recording_.events(), traits(), !options_.samples.show_callchains, options_.skip_missing_fields);
  if (features.clock_data) line_start_.set_clock_data(*features.clock_data);
  if (auto* const formats = recording_.tracepoints()) {
    formats->set_function_resolver(
        [this](std::uint64_t address) { return names_.kernel_function(current_thread_, address); });
  }
  for (const auto& event : recording_.events()) {
    for (const std::uint64_t id : event->ids) events_by_id_.emplace(id, event.get());
  }
}

void ScriptPrinter::finish() { prepare(); }

RecordingTraits ScriptPrinter::traits() const {
  const reader::Features& features = recording_.features();
  const auto has = [&](reader::Feature feature) {
    return std::ranges::binary_search(features.present, static_cast<std::uint32_t>(feature));
  };
  return {.has_clock_data = features.clock_data.has_value(),
          .has_auxtrace = has(reader::Feature::auxtrace),
          .has_stat = has(reader::Feature::stat),
          .attributes_first = recording_.header().pipe && options_.samples.style == analysis::PerfStyle::perf_6_1};
}

void ScriptPrinter::sample(const reader::Sample& sample) {
  prepare();
  const FieldSet fields = selection_.of(*sample.event);
  if (fields.empty()) return;
  // perf shows samples of guests only with options that say where their symbols are.
  if (reader::is_guest(sample.cpumode)) return void(++guest_samples_);

  const NamedThread& thread = threads_.at(sample.pid, sample.tid, sample.moment);
  const LineOrigin origin{.type = RecordType::sample,
                          .misc = sample.misc,
                          .comm = thread.comm,
                          .pid = sample.pid,
                          .tid = sample.tid,
                          .cpu = sample.cpu,
                          .time = sample.time};
  line_start_.print(out_, origin, fields, fields.has(Field::ip) && samples_.has_callchain(sample));
  current_thread_ = thread.state;
  names_.set_time(thread.state, sample.time);
  samples_.print(out_, sample, thread.state);
}

void ScriptPrinter::record(const Record& record, const reader::SampleId& id, reader::Moment moment) {
  if (recording_.streamed()) threads_.forget();
  if (!options_.shown_records.contains(record.header.type)) return;
  prepare();
  // Perf's own records have no identity, and no line start.
  if (static_cast<std::uint32_t>(record.header.type) < reader::first_user_record) {
    print_record_start(record, id, moment);
  }
  print_record(out_, record, poked_symbol(record, moment));
}

void ScriptPrinter::print_record_start(const Record& record, const reader::SampleId& id, reader::Moment moment) {
  const reader::Event* const event = event_of(id.id);
  if (event == nullptr) return;
  const Subject subject = subject_of(record, id);
  const bool identified = event->attr.sample_id_all();
  const LineOrigin origin{
      .type = record.header.type,
      .misc = record.header.misc,
      .comm = subject.tid == -1 ? ":-1" : std::string_view(threads_.at(subject.pid, subject.tid, moment).comm),
      .pid = identified ? id.pid : subject.pid,
      .tid = identified ? id.tid : subject.tid,
      .cpu = identified ? id.cpu : 0,
      .time = identified ? id.time : subject.time};
  const FieldSet fields = selection_.of(*event);
  const bool narrow_comm = fields.has(Field::ip) && options_.samples.show_callchains && event->has_callchain();
  line_start_.print(out_, origin, fields, narrow_comm);
}

// evlist__id2evsel(): records that perf made up have no id and count for the first event.
const reader::Event* ScriptPrinter::event_of(std::uint64_t id) const {
  const auto& events = recording_.events();
  if (events.empty()) return nullptr;
  if (events.size() == 1 || id == 0) return events.front().get();
  const auto found = events_by_id_.find(id);
  if (found != events_by_id_.end()) return found->second;
  return events.front()->attr.sample_id_all() ? nullptr : events.front().get();
}

std::string ScriptPrinter::poked_symbol(const Record& record, reader::Moment moment) {
  if (record.header.type != RecordType::text_poke) return {};
  const auto poke = reader::decode_text_poke(record);
  if (!poke) return {};
  const reader::ThreadState kernel = recording_.timeline().thread(0, 0, moment);
  const analysis::CodeLocation location = names_.locate(kernel, reader::CpuMode::kernel, poke->address);
  if (location.symbol == nullptr) return {};
  TextWriter text;
  LocationText(names_, options_.samples.style).print_symbol(text, location, true);
  return std::string(text.view());
}

}  // namespace perfsift::output
