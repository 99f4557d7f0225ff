#include "tools/rewriting/filter_recording.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/error.h"
#include "reader/writer/byte_writer.h"
#include "tools/diagnostics.h"
#include "tools/feature_names.h"
#include "tools/output/output_file.h"
#include "tools/reading_options.h"
#include "tools/rewriting/anonymizer.h"
#include "tools/rewriting/needed_processes.h"

namespace perfsift::tools {
namespace {

using reader::Record;
using reader::WriteForm;

// Files open at once; more parts than that take another walk over the recording each.
constexpr std::size_t most_open = 64;

class FileSink : public reader::ByteSink {
 public:
  explicit FileSink(OutputFile& file) : file_(file) {}
  void write(Bytes bytes) override { file_.write(text_of(bytes)); }
  void write_at(std::uint64_t offset, Bytes bytes) override { file_.write_at(offset, text_of(bytes)); }

 private:
  static std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

  OutputFile& file_;
};

// The file form needs a place where the header can be written last.
WriteForm form_for(const std::string& output) {
  struct stat status {};
  if (output == OutputFile::standard_output) return WriteForm::pipe;
  const bool exists = stat(output.c_str(), &status) == 0;
  return exists && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISCHR(status.st_mode)) ? WriteForm::pipe
                                                                                                     : WriteForm::file;
}

// SAMPLE_TIME says when the first and the last sample were taken.
void set_sample_time(reader::HeaderContent& header, const KeptSamples& kept) {
  if (!header.has(reader::Feature::sample_time) || kept.first_time == reader::no_time) return;
  reader::ByteWriter section(header.order);
  header.feature(reader::Feature::sample_time) = section.u64(kept.first_time).u64(kept.last_time).take();
}

// One output, written record by record.
class PartWriter {
 public:
  PartWriter(const std::string& path, const KeptSamples& kept, reader::HeaderContent header,
             const reader::WriteOptions& options)
      : kept_(kept), file_(path), sink_(file_), writer_(std::move(header), options, sink_) {}

  // Before the first record. Leaves out what was recorded of other processes.
  void keep_only(std::set<std::int32_t> processes) { processes_ = std::move(processes); }
  // Of the recording that is written. Takes the names out.
  void anonymize(const reader::Recording& recording, const NameMask& mask) { anonymizer_.emplace(recording, mask); }

  void take(const Record& record) {
    if (!keeps(record)) return;
    if (!anonymizer_) return writer_.write(record);
    Record changed;
    switch (anonymizer_->judge(record, changed)) {
      case Anonymizer::Verdict::as_it_is:
        return writer_.write(record);
      case Anonymizer::Verdict::changed:
        return writer_.write_copy(changed);
      case Anonymizer::Verdict::not_at_all:
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
    const auto process = process_of(record);
    return !process || processes_->contains(*process);
  }

  const KeptSamples& kept_;
  std::size_t next_ = 0;  // of the kept samples
  std::optional<std::set<std::int32_t>> processes_;
  std::optional<Anonymizer> anonymizer_;
  OutputFile file_;
  FileSink sink_;
  reader::RecordingWriter writer_;
};

// Writes the parts of one recording.
class PartsWriter {
 public:
  PartsWriter(const reader::Recording& recording, const FilterTask& task, FilterResult& result)
      : recording_(recording), task_(task), result_(result), header_(reader::header_content(recording)) {
    if (task.prune) processes_ = std::make_unique<ProcessTree>(recording);
    if (task.anonymize) tools::anonymize(header_, *task.anonymize);
  }

  void write(const std::vector<KeptSamples>& parts) {
    for (std::size_t first = 0; first < parts.size(); first += most_open) {
      write(std::span(parts).subspan(first, std::min(most_open, parts.size() - first)), first);
    }
  }

 private:
  void write(std::span<const KeptSamples> parts, std::size_t first) {
    std::vector<std::unique_ptr<PartWriter>> writers;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      writers.push_back(open(parts[i], result_.parts[first + i].path));
    }
    recording_.visit_records([&](const Record& record) {
      for (const auto& writer : writers) writer->take(record);
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
      writers[i]->finish();
      result_.parts[first + i].bytes = writers[i]->writer().size();
      warn_of_left_out(writers[i]->writer().left_out());
    }
  }

  std::unique_ptr<PartWriter> open(const KeptSamples& kept, const std::string& path) const {
    reader::HeaderContent header = header_;
    set_sample_time(header, kept);
    const reader::WriteOptions options{.form = form_for(path), .compression_level = task_.compression_level};
    auto writer = std::make_unique<PartWriter>(path, kept, std::move(header), options);
    if (processes_) writer->keep_only(processes_->needed_by(kept.threads));
    if (task_.anonymize) writer->anonymize(recording_, *task_.anonymize);
    return writer;
  }

  void warn_of_left_out(const std::vector<std::uint32_t>& features) {
    for (const std::uint32_t feature : features) {
      add_warning(fmt::format("the header's {} does not go into a pipe and was left out", feature_name(feature)));
    }
  }
  void add_warning(std::string text) {
    if (std::ranges::find(result_.warnings, text) == result_.warnings.end())
      result_.warnings.push_back(std::move(text));
  }

  const reader::Recording& recording_;
  const FilterTask& task_;
  FilterResult& result_;
  reader::HeaderContent header_;
  std::unique_ptr<ProcessTree> processes_;
};

// The records in any of the parts: one that reads counters of several events may be in several.
std::uint64_t count_kept(const std::vector<KeptSamples>& parts) {
  if (parts.size() == 1) return parts.front().positions.size();
  LargeVector<std::uint64_t> all;
  for (const KeptSamples& part : parts) all.insert(all.end(), part.positions.begin(), part.positions.end());
  std::ranges::sort(all);
  return static_cast<std::uint64_t>(std::ranges::unique(all).begin() - all.begin());
}

std::vector<std::string> warnings_about(const reader::Recording& recording, const FilterTask& task) {
  std::vector<std::string> warnings;
  if (recording.stats().records.contains(reader::RecordType::auxtrace)) {
    warnings.push_back("AUX data (Intel PT, ARM SPE, …) is kept whole: what perf makes of it is not filtered");
  }
  if (task.anonymize) {
    if (const std::string what = unmasked(recording); !what.empty()) {
      warnings.push_back("--anonymize leaves " + what + " as they are, and in them may be anything");
    }
  }
  return warnings;
}

// Two parts may have names that differ in what no file can be called.
void name_parts(const std::vector<KeptSamples>& parts, const std::string& output, const FilterTask& task,
                FilterResult& result) {
  std::set<std::string> taken;
  for (const KeptSamples& part : parts) {
    const bool whole = task.split.by == SplitRule::By::nothing;
    std::string path = whole ? output : path_of_part(output, part.part);
    for (int i = 2; !taken.insert(path).second; ++i) path = path_of_part(output, fmt::format("{}-{}", part.part, i));
    task.inputs.refuse(path);
    result.parts.push_back({.path = path, .part = part.part, .kept = part.positions.size()});
  }
}

void filter(const std::string& output, const FilterTask& task, unsigned threads, Progress& progress,
            FilterResult& result) {
  reader::OpenOptions options = open_options(result.input, progress);
  options.store_stream = true;
  const auto recording = reader::Recording::open(result.input, options);
  task.options.check_events(*recording);
  RecordingFilter wanted(*recording, task.symbolizer, task.filter, {});
  wanted.prepare(threads);
  const auto parts = find_kept_samples(*recording, wanted, task.split, threads);

  result.stats = recording->stats();
  const auto samples = result.stats.records.find(reader::RecordType::sample);
  result.samples = samples != result.stats.records.end() ? samples->second : 0;
  result.kept = count_kept(parts);
  result.warnings = warnings_about(*recording, task);
  name_parts(parts, output, task, result);
  if (!task.dry_run) PartsWriter(*recording, task, result).write(parts);
}

}  // namespace

FilterResult filter_recording(const std::string& input, const std::string& output, const FilterTask& task,
                              unsigned threads, Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  FilterResult result{.input = input};
  try {
    filter(output, task, threads, progress, result);
  } catch (const UsageError& error) {
    result.error = error.what();
    result.error_status = wrong_usage;
  } catch (const Error& error) {
    result.error = error.what();
    result.error_status = input_unusable;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace perfsift::tools
