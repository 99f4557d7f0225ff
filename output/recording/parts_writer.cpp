#include "output/recording/parts_writer.h"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>

#include "analysis/rewrite/anonymizer.h"
#include "analysis/rewrite/passing_records.h"
#include "output/files/output_file.h"
#include "output/recording/recording_sink.h"
#include "reader/features/feature_names.h"
#include "reader/writer/byte_writer.h"
#include "reader/writer/recording_writer.h"

namespace perfsift::output {
namespace {

using reader::Record;
using reader::WriteForm;

// The most files open at once; more parts need another walk over the recording. The process may need as many
// descriptors for other files.
std::size_t most_open() {
  constexpr rlim_t enough = 64;
  rlimit descriptors{};
  if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0) return enough;
  return std::clamp<rlim_t>(descriptors.rlim_cur / 2, 1, enough);
}

// SAMPLE_TIME says when the first and the last sample were taken.
void set_sample_time(reader::HeaderContent& content, const analysis::KeptSamples& kept) {
  if (!content.has(reader::Feature::sample_time) || kept.sampled_time.empty()) return;
  reader::ByteWriter section(content.order);
  content.feature(reader::Feature::sample_time) =
      section.u64(kept.sampled_time.first).u64(kept.sampled_time.last).take();
}

bool is_of_all_time(const analysis::KeptSamples& kept) { return filter::in_none_of(kept.times).empty(); }

bool has_switches(const reader::Recording& recording) {
  return std::ranges::any_of(recording.stats().records,
                             [](const auto& counted) { return analysis::is_switch(counted.first); });
}

}  // namespace

// One output, written record by record.
class PartWriter {
 public:
  PartWriter(const std::string& path, mode_t mode, const analysis::KeptSamples& kept, reader::HeaderContent header,
             const reader::WriteOptions& options)
      : kept_(kept), file_(path, mode), sink_(file_), writer_(std::move(header), options, sink_) {}

  // Leaves out records of other processes. Call it before the first record.
  void keep_only(std::set<std::int32_t> processes) { processes_ = std::move(processes); }
  // Masks the names in the header of the recording that is written.
  void anonymize(const reader::Recording& recording, const analysis::NameMask& mask) {
    anonymizer_.emplace(recording, mask);
  }

  // Leaves out passing records at times that samples cannot have, except the given switches. Call it before the first
  // record.
  void keep_only_passing(std::vector<std::uint64_t> border_switches) {
    times_ = &kept_.times;
    border_switches_ = std::move(border_switches);
  }

  // `time`: of records that are passing; no_time: unknown.
  void take(const Record& record, std::uint64_t time) {
    if (!keeps(record) || !keeps_passing(record, time)) return;
    if (!anonymizer_) return writer_.write(record);
    Record changed;
    switch (anonymizer_->judge(record, changed)) {
      case analysis::Anonymizer::Verdict::as_it_is:
        return writer_.write(record);
      case analysis::Anonymizer::Verdict::changed:
        return writer_.write_copy(changed);
      case analysis::Anonymizer::Verdict::not_at_all:
        return;
    }
  }

  void finish() {
    writer_.finish();
    file_.commit();
  }

  const reader::RecordingWriter& writer() const { return writer_; }

 private:
  // Records come in the order of their positions.
  bool keeps(const Record& record) {
    if (record.header.type == reader::RecordType::sample) {
      if (next_ == kept_.positions.size() || kept_.positions[next_] != record.position) return false;
      ++next_;
      return true;
    }
    if (!processes_) return true;
    const auto process = analysis::process_of(record);
    return !process || processes_->contains(*process);
  }

  bool keeps_passing(const Record& record, std::uint64_t time) const {
    if (times_ == nullptr || time == reader::no_time || filter::range_around(*times_, time) != nullptr) return true;
    return std::ranges::binary_search(border_switches_, record.position);
  }

  const analysis::KeptSamples& kept_;
  const filter::TimeRanges* times_ = nullptr;  // nullptr: all
  std::vector<std::uint64_t> border_switches_;
  std::size_t next_ = 0;  // of the kept samples
  std::optional<std::set<std::int32_t>> processes_;
  std::optional<analysis::Anonymizer> anonymizer_;
  OutputFile file_;
  RecordingSink sink_;
  reader::RecordingWriter writer_;
};

PartsWriter::PartsWriter(const reader::Recording& recording, const PartOptions& options)
    : recording_(recording), options_(options), header_(reader::header_content(recording)) {
  if (options.prune) processes_ = std::make_unique<analysis::ProcessTree>(recording);
  if (options.anonymize != nullptr) analysis::anonymize(header_, *options.anonymize);
}

PartsWriter::~PartsWriter() = default;

void PartsWriter::write(const std::vector<analysis::KeptSamples>& kept, std::vector<WrittenPart>& parts) {
  const std::size_t most = most_open();
  for (std::size_t first = 0; first < kept.size(); first += most) {
    const std::size_t count = std::min(most, kept.size() - first);
    write(std::span(kept).subspan(first, count), std::span(parts).subspan(first, count));
  }
}

void PartsWriter::write(std::span<const analysis::KeptSamples> kept, std::span<WrittenPart> parts) {
  std::vector<std::unique_ptr<PartWriter>> writers;
  for (std::size_t i = 0; i < parts.size(); ++i) writers.push_back(open(kept[i], parts[i].path));
  const bool whole = std::ranges::all_of(kept, is_of_all_time);
  if (!whole) leave_out_passing(kept, writers);
  recording_.visit_records([&](const Record& record) {
    const bool asks_when = !whole && analysis::is_passing(record.header.type);
    const std::uint64_t time = asks_when ? recording_.identify(record).time : reader::no_time;
    for (const auto& writer : writers) writer->take(record, time);
  });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    writers[i]->finish();
    parts[i].bytes = writers[i]->writer().size();
    warn_of_left_out(writers[i]->writer().left_out());
  }
}

void PartsWriter::leave_out_passing(std::span<const analysis::KeptSamples> kept,
                                    std::span<const std::unique_ptr<PartWriter>> writers) const {
  std::vector<const filter::TimeRanges*> times;
  for (const analysis::KeptSamples& part : kept) times.push_back(&part.times);
  analysis::BorderSwitches borders(std::move(times));
  if (has_switches(recording_)) {
    recording_.visit_records([&](const Record& record) {
      if (analysis::is_switch(record.header.type)) borders.look(record, recording_.identify(record));
    });
  }
  auto found = borders.take();
  for (std::size_t i = 0; i < writers.size(); ++i) writers[i]->keep_only_passing(std::move(found[i]));
}

std::unique_ptr<PartWriter> PartsWriter::open(const analysis::KeptSamples& kept, const std::string& path) const {
  reader::HeaderContent header = header_;
  set_sample_time(header, kept);
  const reader::WriteOptions options{.form = takes_pipe_form(path) ? WriteForm::pipe : WriteForm::file,
                                     .compression_level = options_.compression_level};
  auto writer =
      std::make_unique<PartWriter>(path, mode_of_recording_from(recording_.path()), kept, std::move(header), options);
  if (processes_) writer->keep_only(processes_->needed_by(kept.threads));
  if (options_.anonymize != nullptr) writer->anonymize(recording_, *options_.anonymize);
  return writer;
}

void PartsWriter::warn_of_left_out(const std::vector<std::uint32_t>& features) {
  for (const std::uint32_t feature : features) {
    std::string text =
        fmt::format("the header's {} does not go into a pipe and was left out", reader::feature_name(feature));
    if (std::ranges::find(warnings_, text) == warnings_.end()) warnings_.push_back(std::move(text));
  }
}

}  // namespace perfsift::output
