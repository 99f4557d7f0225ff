#include "reader/mapped_recording.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/share_work.h"
#include "reader/ordered_delivery.h"

namespace perfsift::reader {
namespace {

// The size of the pieces that workers take: small enough to share the work evenly, large enough to be worth a turn.
constexpr std::size_t run_size = std::size_t{256} << 10;
// perf reads the files of a directory in turns of this size (READER_MAX_SIZE in tools/perf/util/session.c).
constexpr std::size_t turn_size = std::size_t{2} << 20;

bool is_about_trace(RecordType type) {
  return type == RecordType::auxtrace || type == RecordType::switch_ || type == RecordType::switch_cpu_wide;
}

}  // namespace

MappedRecording::MappedRecording(std::string path, std::vector<Part> parts, const OpenOptions& options)
    : RecordingBase(path, parse_file_header(parts.front().file.bytes(), path), options), parts_(std::move(parts)) {
  timeline_.set_recorded_seconds(std::ranges::max_element(parts_, {}, &Part::modified_seconds)->modified_seconds);
  timeline_.set_packed_files(parts_.front().packed);
  read_sections();
  scan();
  publish_counts();
  use_features();
  find_trace();
  build_timeline();
}

std::vector<RecordingFile> MappedRecording::files() const {
  std::vector<RecordingFile> files;
  for (const Part& part : parts_)
    files.push_back(
        {.path = part.name, .bytes = part.file.bytes(), .modified_seconds = part.modified_seconds, .owner = {}});
  return files;
}

void MappedRecording::read_sections() {
  for (const Part& part : parts_) {
    if (!part.damage.empty()) add_damage({.file = part.name, .offset = part.file.bytes().size(), .what = part.damage});
  }
  const Part& first = parts_.front();
  const Bytes file = first.file.bytes();
  std::uint64_t end = file.size();
  if (!header_.pipe) {
    bool complete = true;
    for (const AttrEntry& entry : read_attr_table(file, header_, complete)) add_event(entry.attr, entry.ids);
    if (!complete) {
      add_damage({.file = first.name, .offset = header_.attrs_offset, .what = "the table of events is damaged"});
    }
    if (events_.events().empty()) throw InputError(path_ + ": no events in its header: " + why_without_events());
    end = read_data_section(file);
    use_features();
  }
  const std::uint64_t start = std::min(header_.data_offset, end);
  sources_.push_back({.name = first.name, .data = file.subspan(start, end - start), .offset = start});
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    sources_.push_back({.name = parts_[i].name, .data = parts_[i].file.bytes()});
  }
}

// perf record writes the header once the events are open, and again when it ends.
std::string MappedRecording::why_without_events() const {
  const bool is_first_header = header_.attrs_size == 0 && header_.data_size == 0;
  return is_first_header ? "perf record was stopped before it recorded anything" : "the header is damaged";
}

// The end of the records. In a finished file the feature sections follow.
std::uint64_t MappedRecording::read_data_section(Bytes file) {
  const std::string& name = parts_.front().name;
  const std::uint64_t data_end = header_.data_offset + header_.data_size;
  if (header_.data_size == 0) {
    add_damage({.file = name,
                .offset = header_.data_offset,
                .what = "the recording was never finished (data size 0): its records were read up to the end of the "
                        "file, but it lacks what perf record writes last (build ids, host, command line)"});
    return file.size();
  }
  if (data_end < header_.data_offset || data_end > file.size()) {
    add_damage({.file = name,
                .offset = file.size(),
                .bytes = std::min(header_.data_size, data_end - file.size()),
                .what = "the file ends before its records do: it was cut, and lacks what perf record writes last "
                        "(build ids, host, command line)"});
    return file.size();
  }
  if (!read_feature_sections(file, header_, features_)) {
    add_damage({.file = name,
                .offset = data_end,
                .bytes = file.size() - data_end,
                .in_header = true,
                .what = "the header features are cut or damaged; those that are whole were read"});
  }
  return data_end;
}

// The first pass over the records.
void MappedRecording::scan() {
  const std::size_t budget = sources_.size() > 1 ? turn_size : ~std::size_t{0};
  bool more = true;
  while (more) {
    more = false;
    for (Source& source : sources_) {
      if (source.read == source.data.size()) continue;
      scan_source(source, budget);
      more = true;
    }
  }
  for (Source& source : sources_) finish(source);
}

// Reads about `budget` bytes of the source: at least one record, or the damaged bytes between two records.
void MappedRecording::scan_source(Source& source, std::size_t budget) {
  const Bytes rest = source.data.subspan(source.read);
  const Walked walked = scan_records(source, rest, budget);
  source.read += walked.bytes;
  if (!walked.stopped || source.read == source.data.size()) return;

  const NextRecord next = find_next_record(rest.subspan(walked.bytes), 1, header_.order, true);
  add_damage({.file = source.name,
              .offset = source.offset + source.read,
              .bytes = next.skip,
              .records = next.found ? 0u : 1u,
              .what = next.found ? "not a record: skipped to where records go on" : "the last record is not whole"});
  source.read += next.skip;
  position_ += next.skip;
}

// Walks over whole records. The walk goes on after a record with data that is jumped over, because only this walk knows
// whether the jump led to a record.
MappedRecording::Walked MappedRecording::scan_records(Source& source, Bytes bytes, std::size_t budget) {
  RecordWalk walk(bytes, header_.order, position_);
  const auto walked = [&] { return static_cast<std::size_t>(walk.at() - bytes.data()); };
  bool stopped = false;
  Record record;
  while (walked() < budget || !record.trailing.empty()) {
    stopped = !walk.next(record);
    if (stopped) break;
    if (is_compressed(record.header.type)) {
      position_ = walk.position();
      take(record);
      expand(record, source);
      walk = RecordWalk(walk.rest(), header_.order, position_);
    } else {
      scan_record(record);
    }
  }
  position_ = walk.position();
  return {.bytes = walked(), .stopped = stopped};
}

void MappedRecording::scan_record(const Record& record) {
  add_to_run(record);
  if (record.header.type == RecordType::sample) {
    newest_time_ = std::max(newest_time_, take_sample(record));
    return;
  }
  take(record);
  if (record.header.type == RecordType::finished_round) {
    delivered_ = std::max(delivered_, next_limit_);
    next_limit_ = newest_time_;
  }
  if (wants_trace() && is_about_trace(record.header.type)) {
    trace_records_.push_back({record, {delivered_, record.position}});
  }
  if (static_cast<std::uint32_t>(record.header.type) >= first_user_record) return;
  const std::uint64_t time = events_.identify(record).time;
  if (time != no_time) newest_time_ = std::max(newest_time_, time);
  if (Timeline::takes(record.header.type)) {
    side_band_.push_back({moment_of(time, record.position, delivered_), record.payload.data() - record_header_size});
  }
}

// A run ends where bytes lie between two records, and where perf delivers the records that it has read so far.
void MappedRecording::add_to_run(const Record& record) {
  const std::byte* start = record.payload.data() - record_header_size;
  const std::byte* end = record.trailing.data() + record.trailing.size();
  if (!runs_.empty()) {
    Run& run = runs_.back();
    const std::size_t size = run.bytes.size();
    if (run.bytes.data() + size == start && run.position + size == record.position && run.delivered == delivered_ &&
        size < run_size) {
      run.bytes = {run.bytes.data(), end};
      return;
    }
  }
  runs_.push_back({.bytes = {start, end}, .position = record.position, .delivered = delivered_});
  if (options_.progress) report_scanned(record.position);
}

// Positions count the bytes that COMPRESSED records expand to, but the sizes of files do not. So for files with
// COMPRESSED records the progress is that of the COMPRESSED records.
void MappedRecording::report_scanned(std::uint64_t position) const {
  const std::uint64_t total = size_of_sources();
  std::uint64_t scanned = 0;
  for (const Source& source : sources_) {
    scanned += source.decompressor != nullptr ? source.expanding - source.offset : 0;
  }
  if (scanned == 0) scanned = position;
  report_progress(0.5 * static_cast<double>(scanned) / static_cast<double>(std::max(total, scanned)));
}

std::uint64_t MappedRecording::size_of_sources() const {
  return std::accumulate(sources_.begin(), sources_.end(), std::uint64_t{0},
                         [](std::uint64_t size, const Source& source) { return size + source.data.size(); });
}

void MappedRecording::report_visited(std::size_t runs) const {
  report_progress(0.5 + 0.5 * static_cast<double>(runs) / static_cast<double>(runs_.size()));
}

void MappedRecording::expand(const Record& record, Source& source) {
  if (source.decompressor == nullptr) {
    source.decompressor = std::make_unique<RecordDecompressor>(
        BufferedRecords(std::make_unique<LastingBuffer>(), header_.order, BufferedRecords::Content::expanded,
                        [this, &source](const Skipped& skipped) {
                          add_damage(damage_of_expanded(source.name, source.expanding, skipped));
                          position_ += skipped.bytes;
                        }),
        expanded_);
  }
  const std::byte* start = record.payload.data() - record_header_size;
  source.expanding = source.offset + static_cast<std::uint64_t>(start - source.data.data());
  source.decompressor->begin(record, source.expanding, expansion_limits(size_of_sources()));
  scan_expanded(source);
}

void MappedRecording::scan_expanded(Source& source) {
  Record record;
  while (source.decompressor->next(record)) {
    record.position = position_;
    position_ += record_header_size + record.payload.size();
    scan_record(record);
  }
}

void MappedRecording::finish(Source& source) {
  if (source.decompressor == nullptr) return;
  source.decompressor->end();
  scan_expanded(source);
  add_damage_of_stream(source.name, *source.decompressor);
}

Moment MappedRecording::moment_of(std::uint64_t time, std::uint64_t position, std::uint64_t delivered) const {
  // Without times on side-band records the order of the file is the only order, also for perf.
  const bool timed = events_.ordered() && time != 0 && time != no_time;
  return {timed ? time : delivered, position};
}

// Called after the first pass, because in pipe form the CPUs of the trace are known late.
void MappedRecording::find_trace() {
  trace_ = announced_trace();
  for (const auto& [record, moment] : std::exchange(trace_records_, {})) {
    if (!trace_) break;
    if (record.header.type != RecordType::auxtrace) {
      trace_->take_switch(record, events_.identify(record));
    } else if (!trace_->add_piece(record, moment)) {
      ++stats_.malformed[RecordType::auxtrace];
    }
  }
  if (trace_) trace_->finish();
  stats_.trace_is_decoded = trace_.has_value();
}

// Every visit counts the same.
void MappedRecording::set_trace_counts(const SpeCounts& counts) {
  const bool first_visit = stats_.trace_records == 0;
  stats_.trace_records = counts.records;
  stats_.losses.cut_trace_records = counts.cut_records;
  if (!first_visit || counts.damaged_bytes == 0) return;
  add_damage({.file = parts_.front().name,
              .bytes = counts.damaged_bytes,
              .what = "the Arm SPE trace has bytes that are no packets: the operations around them are left out"});
}

void MappedRecording::build_timeline() {
  std::ranges::stable_sort(side_band_, {}, &SideBand::moment);
  for (const SideBand& item : side_band_) {
    const Record record = record_at(item.at, header_.order, item.moment.position);
    if (!timeline_.apply(record, item.moment)) ++stats_.malformed[record.header.type];
  }
  side_band_ = {};
}

void MappedRecording::visit_parallel(unsigned threads, const MakeVisitor& make) {
  if (events_.reads_counters()) return visit_samples(true, threads, make);  // each sample needs the sample before
  const std::size_t pieces = trace_ ? trace_->pieces().size() : 0;
  const unsigned workers = std::clamp<unsigned>(threads, 1, static_cast<unsigned>(runs_.size() + pieces + 1));
  std::vector<DeliveryCounts> counts(workers);
  std::vector<SpeCounts> trace_counts(workers);
  share_work(workers, runs_.size() + pieces, [&](unsigned worker, Tasks& tasks) {
    const auto visitor = make(worker);
    SampleDelivery delivery(events_, deferred_);
    Record record;
    while (const auto i = tasks.next()) {
      if (*i >= runs_.size()) {
        trace_counts[worker] += visit_piece(trace_->pieces()[*i - runs_.size()], *visitor);
        continue;
      }
      const Run& run = runs_[*i];
      report_visited(*i);
      RecordWalk walk(run.bytes, header_.order, run.position);
      while (walk.next(record)) {
        if (record.header.type != RecordType::sample) continue;
        const Moment moment = moment_of(events_.sample_time(record), record.position, run.delivered);
        delivery.deliver(record, moment, *visitor);
      }
    }
    counts[worker] = delivery.counts();
    visitor->finish();
  });
  DeliveryCounts all;
  for (const DeliveryCounts& c : counts) all += c;
  set_delivery_counts(all);
  SpeCounts in_trace;
  for (const SpeCounts& c : trace_counts) in_trace += c;
  set_trace_counts(in_trace);
}

SpeCounts MappedRecording::visit_piece(const SpePiece& piece, SampleVisitor& visitor) const {
  SpePieceSamples samples(*trace_, timeline_, piece);
  while (samples.next()) samples.deliver(visitor);
  return samples.counts();
}

void MappedRecording::visit_in_order(OrderedVisitor& visitor) {
  std::optional<SpeMerge> merge;
  OrderedDelivery::Hooks hooks;
  if (trace_) {
    merge.emplace(*trace_, timeline_);
    hooks.before_time = [&](std::uint64_t time) { merge->deliver_before(time, visitor); };
  }
  OrderedDelivery delivery(events_, deferred_, visitor, hooks);
  Record record;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    report_visited(i);
    RecordWalk walk(run.bytes, header_.order, run.position);
    while (walk.next(record)) delivery.take(record);
  }
  delivery.finish();
  if (merge) {
    merge->finish(visitor);
    set_trace_counts(merge->counts());
  }
  stats_.out_of_order = delivery.out_of_order();
  set_delivery_counts(delivery.counts());
}

void MappedRecording::visit_records(const std::function<void(const Record&)>& visit) const {
  Record record;
  for (const Run& run : runs_) {
    RecordWalk walk(run.bytes, header_.order, run.position);
    while (walk.next(record)) visit(record);
  }
}

}  // namespace perfsift::reader
