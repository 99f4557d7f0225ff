#include "reader/recording_base.h"

#include <algorithm>

#include <sys/utsname.h>

#include "reader/records/callchain_deferred.h"
#include "reader/records/header_records.h"

namespace perfsift::reader {

namespace {

// The count of a type that may be any number: damaged input must not make the table as large as the input.
std::uint64_t& of_type(std::map<RecordType, std::uint64_t>& counts, RecordType type) {
  constexpr std::size_t most_types = 1000;
  constexpr auto all_others = static_cast<RecordType>(~std::uint32_t{0});
  return counts[counts.size() < most_types || counts.contains(type) ? type : all_others];
}

std::string why_not_expanded(const RecordDecompressor::Lost& lost) {
  using enum RecordDecompressor::Lost::Reason;
  const std::string limit = std::to_string(lost.limit) + " bytes";
  switch (lost.reason) {
    case record_too_large:
      return "a COMPRESSED record expands to more than " + limit +
             ", which perf record never writes: it is damaged, and its rest and all later COMPRESSED records are not "
             "read";
    case total_too_large:
      return "the COMPRESSED records expand to more than " + limit +
             ", which is more than a recording of this size holds: the rest is not read; if the recording is really "
             "that large, record without -z";
    case damaged:
      break;
  }
  return "a COMPRESSED record is damaged: this record and all later ones cannot be expanded";
}

}  // namespace

RecordingBase::RecordingBase(std::string path, const FileHeader& header, const OpenOptions& options)
    : path_(std::move(path)), options_(options), header_(header), timeline_(options.rules) {}

void RecordingBase::take(const Record& record) {
  count(record);
  if (static_cast<std::uint32_t>(record.header.type) >= first_user_record) return take_perfs_own(record);

  bool good = true;
  switch (record.header.type) {
    case RecordType::callchain_deferred:
      good = deferred_.add(record, events_.identify(record).tid);
      break;
    default:
      good = losses_.count(record, events_, stats_);
  }
  if (!good) ++stats_.malformed[record.header.type];
  if (!is_known(record.header.type)) ++of_type(stats_.unknown, record.header.type);
}

void RecordingBase::take_perfs_own(const Record& record) {
  bool good = true;
  switch (record.header.type) {
    case RecordType::header_attr:
      if (auto attr = decode_header_attr(record)) {
        add_event(attr->attr, attr->ids);
      } else {
        good = false;
      }
      break;
    case RecordType::header_feature:
      if (const auto feature = decode_header_feature(record)) {
        take_feature(*feature);
      } else {
        good = false;
      }
      break;
    case RecordType::header_tracing_data:
      if (const auto tracing = decode_header_tracing_data(record)) {
        features_.tracing_data.assign(tracing->data.begin(), tracing->data.end());
        use_features();
      } else {
        good = false;
      }
      break;
    case RecordType::header_build_id:
      if (auto entry = decode_build_id(record)) {
        features_.build_ids.push_back(std::move(*entry));
        use_build_ids();  // not use_features(): there may be thousands of build ids, and of events
      } else {
        good = false;
      }
      break;
    case RecordType::event_update:
      name_update(record);
      break;
    case RecordType::auxtrace_info:
      trace_info_ = decode_auxtrace_info(record);
      good = trace_info_.has_value();
      break;
    case RecordType::time_conv:
      if (const auto conversion = decode_time_conv(record)) {
        time_conversion_ = *conversion;
      } else {
        good = false;
      }
      break;
    default:
      if (!is_known(record.header.type)) ++of_type(stats_.unknown, record.header.type);
  }
  if (!good) ++stats_.malformed[record.header.type];
}

std::uint64_t RecordingBase::take_sample(const Record& record) {
  count(record);
  const std::uint64_t time = events_.sample_time(record);
  if (time == no_time) return 0;
  stats_.first_sample_time = std::min(stats_.first_sample_time, time);
  stats_.last_sample_time = std::max(stats_.last_sample_time, time);
  return time;
}

void RecordingBase::count(const Record& record) {
  stats_.bytes += record_header_size + record.payload.size();
  const auto type = static_cast<std::uint32_t>(record.header.type);
  if (type < counts_.size()) {
    ++counts_[type];
  } else {
    ++of_type(stats_.records, record.header.type);
  }
}

void RecordingBase::publish_counts() {
  for (std::uint32_t type = 0; type < counts_.size(); ++type) {
    if (counts_[type] != 0) stats_.records[static_cast<RecordType>(type)] = counts_[type];
  }
}

// perf_event__process_event_update(): a name, a unit or a scale for one event.
void RecordingBase::name_update(const Record& record) {
  const auto update = decode_event_update(record);
  if (!update) return void(++stats_.malformed[record.header.type]);
  Event* event = events_.find(update->id);
  if (event == nullptr) return;
  if (update->kind == EventUpdate::Kind::name) event->name = update->text;
  if (update->kind == EventUpdate::Kind::unit) event->unit = update->text;
  if (update->kind == EventUpdate::Kind::scale) event->scale = update->scale;
}

// The number of a feature has 64 bits in a HEADER_FEATURE record, but the file form has only 256 feature bits.
void RecordingBase::take_feature(const HeaderFeature& feature) {
  if (!feature.last() && feature.number < header_.features.size()) {
    decode_feature(static_cast<std::uint32_t>(feature.number), feature.data, header_.order, features_);
  }
  use_features();
}

void RecordingBase::add_event(const EventAttr& attr, const std::vector<std::uint64_t>& ids) {
  Event& event = events_.add(attr, ids);
  event.name = synthesised_event_name(attr, options_.event_naming);
}

// arm_spe_process_auxtrace_info()
std::optional<SpeTrace> RecordingBase::announced_trace() {
  if (!wants_trace()) return std::nullopt;
  auto settings = decode_spe_settings(*trace_info_);
  if (!settings) return std::nullopt;
  const auto& all = events_.events();
  const auto traced =
      std::ranges::find_if(all, [&](const auto& event) { return event->attr.type == settings->pmu_type; });
  if (traced == all.end()) return std::nullopt;

  const bool timed = std::ranges::any_of(all, [](const auto& event) { return event->attr.has(sample_bit::time); });
  const EventAttr attr = spe_event_attr((*traced)->attr, timed);
  constexpr std::uint64_t first_made_id = 1'000'000'000;  // AUXTRACE_SYNTH_EVENT_ID_OFFSET
  std::uint64_t id = ((*traced)->ids.empty() ? 0 : (*traced)->ids.front()) + first_made_id;
  SpeTrace trace(std::move(*settings), features_.cpu_id, time_conversion_, timed);
  for (const SpeEventKind* kind : spe_event_kinds(options_.trace_events)) {
    trace.add_event(*kind, events_.add_made(attr, kind->name, id++));
  }
  return trace;
}

void RecordingBase::use_features() {
  if (!features_.tracing_data.empty() && !tracepoints_) {
    tracepoints_ = TracepointFormats::parse(features_.tracing_data);
  }
  events_.name_events(features_, tracepoints());
  events_.find_ibs(features_);
  if (!features_.arch.empty()) timeline_.set_architecture(features_.arch);
  timeline_.set_kernel(!features_.os_release.empty(), is_running_kernel(features_));
  use_build_ids();
}

void RecordingBase::use_build_ids() {
  for (; build_ids_used_ < features_.build_ids.size(); ++build_ids_used_) {
    const BuildIdEntry& entry = features_.build_ids[build_ids_used_];
    timeline_.set_build_id(entry.path, entry.build_id, entry.mode);
  }
}

// Limit of one record: perf record compresses at most one ring buffer at once. A recording that was never finished does
// not say how large the ring buffer was.
//
// Limit of all records: the header of a finished file has the compression ratio of perf record. Equal stack dumps of 64
// KiB compress to a four-thousandth, and a pipe does not have the ratio; zstd itself compresses at most to a 32768th.
ExpansionLimits RecordingBase::expansion_limits(std::uint64_t compressed) const {
  constexpr std::uint64_t least = std::uint64_t{1} << 20, usual = std::uint64_t{64} << 20,
                          most = std::uint64_t{1} << 30;
  constexpr std::uint64_t small_total = std::uint64_t{16} << 20, highest_ratio = 8192;
  const auto& declared = features_.compression;
  const bool ratio_is_known = !header_.pipe && declared && declared->ratio != 0;
  const std::uint64_t ratio =
      ratio_is_known ? std::min<std::uint64_t>(2 * (std::uint64_t{declared->ratio} + 1), highest_ratio) : highest_ratio;
  return {.record = declared ? std::clamp<std::uint64_t>(declared->mmap_len, least, most) : usual,
          .total = std::max(small_total, compressed * ratio)};
}

// A recording may be damaged in as many places as it has records, so the list has a limit.
void RecordingBase::add_damage(Damage damage) {
  constexpr std::size_t most_listed = 100;
  if (!damage.in_header) stats_.skipped_bytes += damage.bytes;
  if (stats_.damage.size() < most_listed) return stats_.damage.push_back(std::move(damage));
  Damage& last = stats_.damage.back();
  last.bytes += damage.bytes;
  last.records += damage.records;
  last.what = "damaged in more places from here on";
}

Damage RecordingBase::damage_of_expanded(const std::string& file, std::uint64_t offset, const Skipped& skipped) {
  return {.file = file,
          .offset = offset,
          .bytes = skipped.bytes,
          .records = skipped.to_the_end ? 1u : 0u,
          .what = skipped.to_the_end ? "the content of the COMPRESSED records ends in the middle of a record"
                                     : "no record in the content of a COMPRESSED record: skipped to the next record"};
}

void RecordingBase::add_damage_of_stream(const std::string& file, const RecordDecompressor& stream) {
  if (stream.lost().bytes == 0) return;
  // The lost records would have expanded by the same ratio as the records before.
  const std::uint64_t ratio =
      features_.compression ? std::clamp<std::uint64_t>(features_.compression->ratio, 1, 8192) : 1;
  stats_.skipped_bytes += (ratio - 1) * stream.lost().bytes;
  add_damage({.file = file,
              .offset = stream.lost().offset,
              .bytes = stream.lost().bytes,
              .what = why_not_expanded(stream.lost())});
}

void RecordingBase::set_delivery_counts(const DeliveryCounts& counts) {
  if (counts.malformed != 0) stats_.malformed[RecordType::sample] = counts.malformed;
  stats_.unknown_ids = counts.unknown_ids;
}

bool is_running_kernel(const Features& features) {
  utsname running{};
  return uname(&running) == 0 && features.os_release == running.release && features.arch == running.machine;
}

}  // namespace perfsift::reader
