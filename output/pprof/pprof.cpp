#include "output/pprof/pprof.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>

#include "analysis/input/pprof_fields.h"
#include "base/share_work.h"
#include "output/gzip/gzip_pieces.h"
#include "output/pprof/locations.h"
#include "output/pprof/stack_ids.h"

namespace perfsift::output {
namespace {

namespace pprof = analysis::pprof;
using analysis::SampleGroup;
using protozero::pbf_writer;

// The name of a sample type. An input without event names has "samples" and "events".
std::string type_name(const std::string& event, const char* suffix) {
  return event == analysis::no_event ? std::string(suffix).substr(1) + "s" : event + suffix;
}

void add_value_type(pbf_writer& profile, std::uint32_t field, std::int64_t type, std::int64_t unit) {
  pbf_writer message(profile, field);
  message.add_int64(pprof::ValueType::type, type);
  message.add_int64(pprof::ValueType::unit, unit);
}

// The sample types of an event. `count` is empty if there is only a value.
struct EncodedTypes {
  std::string count, value;
  std::string_view unit;  // the unit of the value
};

EncodedTypes types_of(const ExportSource& source, analysis::EventId event) {
  const std::string& name = source.profile.events()[event];
  const analysis::EventType& type = source.profile.event_type(event);
  const std::string_view unit = type.unit.empty() ? pprof::count_unit : std::string_view(type.unit);
  if (!type.value.empty()) return {.count = type.count, .value = type.value, .unit = unit};
  return {.count = type_name(name, pprof::sample_suffix), .value = type_name(name, pprof::event_suffix), .unit = unit};
}

// The fields before the samples, which describe their values.
std::string encode_types(const ExportSource& source, StringTable& strings) {
  std::string bytes;
  pbf_writer profile(bytes);
  const std::int64_t count = strings.number(pprof::count_unit);
  std::int64_t default_type = 0;
  for (const analysis::EventId event : source.events) {
    const EncodedTypes types = types_of(source, event);
    if (!types.count.empty()) add_value_type(profile, pprof::Profile::sample_type, strings.number(types.count), count);
    const std::int64_t value = strings.number(types.value);
    if (source.shown.empty() || std::ranges::find(source.shown, event) != source.shown.end()) default_type = value;
    add_value_type(profile, pprof::Profile::sample_type, value, strings.number(types.unit));
  }
  if (default_type != 0) profile.add_int64(pprof::Profile::default_sample_type, default_type);
  return bytes;
}

// Encodes the samples of a piece of groups, one message each.
class SampleEncoder {
 public:
  SampleEncoder(const ExportSource& source, const Locations& locations, const LabelEncoder& labels)
      : ids_(locations), labels_(labels), places_(source.profile.events().size()) {
    for (const analysis::EventId event : source.events) {
      places_[event].count = types_of(source, event).count.empty() ? Places::none : values_.size();
      values_.resize(values_.size() + (places_[event].count == Places::none ? 1 : 2));
      places_[event].value = values_.size() - 1;
    }
    if (values_.empty()) values_.resize(2);
  }

  void append(std::span<const SampleGroup> groups, std::string& bytes) {
    analysis::CallTree::Node node = ~analysis::CallTree::Node{0};
    pbf_writer profile(bytes);
    for (const SampleGroup& group : groups) {
      if (group.node != node) encode_stack(node = group.node);
      encode_values(group);
      rest_.clear();
      pbf_writer(rest_).add_bytes(pprof::Sample::value, encoded_values_);
      labels_.append(group, rest_);
      profile.add_bytes_vectored(pprof::Profile::sample, stack_, rest_);
    }
  }

 private:
  // The places of an event's types among the sample types.
  struct Places {
    static constexpr std::size_t none = ~std::size_t{0};
    std::size_t count = none, value = 0;
  };

  void encode_stack(analysis::CallTree::Node node) {
    stack_.clear();
    const std::string_view ids = ids_.of(node);
    if (!ids.empty()) pbf_writer(stack_).add_bytes(pprof::Sample::location_id, ids.data(), ids.size());
  }

  void encode_values(const SampleGroup& group) {
    const Places& places = places_[group.event];
    if (places.count != Places::none) values_[places.count] = group.amount.samples;
    values_[places.value] = group.amount.value;
    encoded_values_.clear();
    for (const std::uint64_t value : values_) protozero::add_varint_to_buffer(&encoded_values_, value);
    if (places.count != Places::none) values_[places.count] = 0;
    values_[places.value] = 0;
  }

  StackIds ids_;
  const LabelEncoder& labels_;
  std::vector<Places> places_;  // by event
  std::vector<std::uint64_t> values_;
  std::string stack_, encoded_values_, rest_;  // parts of a message
};

// `meanwhile`: other work, which one of the threads does.
void write_samples(const ExportSource& source, const analysis::SampleGroups& groups, const Locations& locations,
                   const LabelEncoder& labels, std::size_t first_piece, GzipPieces& out,
                   const std::function<void()>& meanwhile) {
  share_work(source.threads, groups.pieces() + 1, [&](unsigned, Tasks& tasks) {
    SampleEncoder encoder(source, locations, labels);
    analysis::SampleGroups::Memory memory;
    std::string bytes;
    while (const auto task = tasks.next()) {
      if (*task == 0) {
        meanwhile();
        continue;
      }
      const std::size_t piece = *task - 1;
      bytes.clear();
      encoder.append(groups.piece(piece, memory), bytes);
      out.add(first_piece + piece, bytes);
    }
  });
}

// The fields behind the samples, which describe locations and contain facts about the recording.
std::string encode_rest(const ExportSource& source, const Locations& locations, StringTable& strings) {
  std::string bytes = locations.encode(strings);
  pbf_writer profile(bytes);
  const analysis::SamplingPeriod& period = source.period;
  if (!period.type.empty()) {
    add_value_type(profile, pprof::Profile::period_type, strings.number(period.type), strings.number(period.unit));
  } else if (!source.events.empty()) {
    const analysis::EventId event = source.events.front();
    add_value_type(profile, pprof::Profile::period_type, strings.number(source.profile.events()[event]),
                   strings.number(types_of(source, event).unit));
  }
  if (period.number != 0) profile.add_int64(pprof::Profile::period, static_cast<std::int64_t>(period.number));
  if (source.recorded_at) profile.add_int64(pprof::Profile::time_nanos, static_cast<std::int64_t>(*source.recorded_at));
  if (source.duration != 0)
    profile.add_int64(pprof::Profile::duration_nanos, static_cast<std::int64_t>(source.duration));
  std::vector<std::int64_t> comments;
  for (const std::string& comment : source.comments) comments.push_back(strings.number(comment));
  if (source.digest) comments.push_back(static_cast<std::int64_t>(strings.texts().size()));
  profile.add_packed_int64(pprof::Profile::comment, comments.begin(), comments.end());
  for (const std::string& text : strings.texts()) profile.add_string(pprof::Profile::string_table, text);
  if (source.digest) {
    const std::string digits(pprof::digest_digits, '0');
    profile.add_string(pprof::Profile::string_table, std::string(pprof::digest_comment) + digits);
  }
  return bytes;
}

// Sets the digest of all bytes before its digits, which are the last bytes.
void set_digest(const GzipPieces& before, std::string& rest) {
  const std::size_t end = rest.size() - pprof::digest_digits;
  const std::uint32_t crc = before.crc_with(std::string_view(rest).substr(0, end));
  rest.replace(end, pprof::digest_digits, fmt::format("{:08x}", crc));
}

}  // namespace

void write_pprof(const ExportSource& source, const PprofLabels& labels, OutputFile& out) {
  const analysis::CallTree tree(source.profile, {.event_frames = false}, source.threads);
  const analysis::SampleGroups groups(tree, source.table, labels.keys(), source.threads);
  const Locations locations(tree, source.main_binary);
  StringTable strings;
  const LabelEncoder label_encoder(labels, groups.contexts(), source.table.process_names(), strings);
  GzipPieces pieces(out);
  pieces.add(0, encode_types(source, strings));
  std::string rest;
  write_samples(source, groups, locations, label_encoder, 1, pieces,
                [&] { rest = encode_rest(source, locations, strings); });
  if (source.digest) set_digest(pieces, rest);
  const GzipPart last{.bytes = rest};
  pieces.add_last(1 + groups.pieces(), {&last, 1}, source.threads);
  pieces.finish();
}

}  // namespace perfsift::output
