#include "tools/rings/payload_path.h"

#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "record/rings/pieces.h"
#include "tools/rings/ring_filter.h"
#include "tools/rings/ring_recording.h"

namespace perfsift::tools {
namespace {

std::optional<std::size_t> first_raw_size(const reader::EventAttr& attr, Bytes records) {
  std::optional<std::size_t> size;
  record::walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
    if (!size && header.type == reader::RecordType::sample)
      size = record::raw_size_of(attr, records.subspan(offset, header.size));
  });
  return size;
}

}  // namespace

// Other records are given on, also behind the last sample: LOST says what is missing.
void FirstSamples::records(std::size_t ring, Bytes records) {
  std::size_t begin = 0, end = 0;
  record::walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
    const bool is_sample = header.type == reader::RecordType::sample;
    if (is_sample && ended()) {
      if (end > begin) to_.records(ring, records.subspan(begin, end - begin));
      begin = offset + header.size;
    } else if (is_sample) {
      ++count_;
    }
    end = offset + header.size;
  });
  if (end > begin) to_.records(ring, records.subspan(begin, end - begin));
}

PayloadPath::PayloadPath(PayloadPathPlan plan, const record::PayloadSource& source, const record::TypeChoice& types,
                         output::TextWriter& out, Say say)
    : plan_(std::move(plan)),
      source_(source),
      types_(types),
      out_(out),
      say_(std::move(say)),
      no_formats_(reader::TracepointFormats::describe({})) {
  if (types_.is_named()) open(0);
}

void PayloadPath::records(std::size_t ring, Bytes records) {
  if (entry_ == nullptr) {
    const auto raw_size = first_raw_size(source_.attr(), records);
    if (!raw_size) return;  // what was lost before the first payload is counted by the source
    open(raw_size);
  }
  entry_->records(ring, records);
}

void PayloadPath::round() {
  if (entry_ != nullptr) entry_->round();
}

void PayloadPath::finish() {
  if (entry_ == nullptr && !plan_.recording.empty()) open(std::nullopt);
  if (file_) file_->finish();
}

void PayloadPath::choose_type(std::size_t raw_size) {
  record::TypeChoice::Chosen chosen = types_.choose(raw_size);
  if (!chosen.why.empty()) say_(chosen.why + (chosen.layout ? "; --type chooses another" : ""));
  if (!chosen.layout) return;
  for (const std::string& sentence : chosen.layout->left_out) say_("warning: " + sentence);
  format_ = std::make_unique<record::PayloadFormat>(std::move(*chosen.layout), plan_.map_name);
}

void PayloadPath::open_filter() {
  if (plan_.filter.empty()) return;
  const FilteredPayloads payloads{.attr = event_.attr, .ids = event_.ids, .event_name = event_.name};
  keeper_ = ring_filter(plan_.filter, payloads, format_ ? format_->formats() : no_formats_);
}

void PayloadPath::open(std::optional<std::size_t> raw_size) {
  if (raw_size) choose_type(*raw_size);
  event_.attr = format_ ? record::typed_attr(source_.attr()) : source_.attr();
  event_.ids = source_.ids();
  event_.name = event_name_of(format_.get());
  if (raw_size) open_filter();
  record::RecordSink* next = nullptr;
  if (plan_.recording.empty()) {
    printer_ = std::make_unique<PayloadPrinter>(event_, format_.get(), plan_.json, out_);
    next = printer_.get();
  } else {
    file_ = std::make_unique<RecordedFile>(
        plan_.recording, ring_recording_header(source_, format_.get(), plan_.command_line), std::nullopt);
    file_->appear();
    write_running(source_, [this](Bytes some) { file_->records(0, some); });
    next = file_.get();
  }
  first_samples_ = std::make_unique<FirstSamples>(plan_.most, *next);
  kept_ = std::make_unique<KeptSink>(keeper_.get(), *first_samples_);
  entry_ = kept_.get();
  if (!format_) return;
  typed_ = std::make_unique<record::TypedPayloads>(source_.attr(), *format_, *kept_);
  entry_ = typed_.get();
}

std::vector<std::string> PayloadPath::warnings() const {
  std::vector<std::string> warnings;
  if (!typed_) return warnings;
  const std::string& type = format_->layout().type;
  if (typed_->shorter() != 0)
    warnings.push_back(
        fmt::format("{} payloads are shorter than {}: their last fields have no values", typed_->shorter(), type));
  if (typed_->longer() != 0)
    warnings.push_back(fmt::format("{} payloads are longer than {}: the rest is left out", typed_->longer(), type));
  return warnings;
}

}  // namespace perfsift::tools
