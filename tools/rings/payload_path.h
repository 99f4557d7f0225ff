// What happens to payloads between a map and the output: the first one decides about their type, then each gets its
// fields, is filtered, counted, and printed or recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output/text_writer.h"
#include "record/bpf/payload_source.h"
#include "record/bpf/type_choice.h"
#include "record/bpf/typed_payloads.h"
#include "tools/record/keep_options.h"
#include "tools/record/recorded_file.h"
#include "tools/rings/payload_printer.h"

namespace perfsift::tools {

struct PayloadPathPlan {
  std::string map_name;
  std::string filter;                 // empty: all payloads
  std::optional<std::uint64_t> most;  // payloads that pass the filter; nothing: no limit
  bool json = false;
  std::string recording;  // a path; empty: payloads are printed
  std::vector<std::string> command_line;
};

// Gives at most some samples to another sink.
class FirstSamples : public record::RecordSink {
 public:
  FirstSamples(std::optional<std::uint64_t> most, record::RecordSink& to) : most_(most), to_(to) {}

  void records(std::size_t ring, Bytes records) override;
  void round() override { to_.round(); }

  std::uint64_t count() const { return count_; }
  bool ended() const { return most_ && count_ >= *most_; }

 private:
  std::optional<std::uint64_t> most_;
  record::RecordSink& to_;
  std::uint64_t count_ = 0;
};

// Not thread-safe. What is given must outlive the path.
class PayloadPath : public record::RecordSink {
 public:
  using Say = std::function<void(const std::string& sentence)>;
  // Throws what records() throws if --type names the type.
  PayloadPath(PayloadPathPlan plan, const record::PayloadSource& source, const record::TypeChoice& types,
              output::TextWriter& out, Say say);

  // Throws UsageError at the first sample if its type is not clear, or has no field of the filter.
  void records(std::size_t ring, Bytes records) override;
  void round() override;
  // Ends a recording. A recording without payloads is one, too.
  void finish();

  bool ended() const { return first_samples_ && first_samples_->ended(); }
  std::uint64_t shown() const { return first_samples_ ? first_samples_->count() : 0; }
  std::uint64_t dropped() const { return keeper_ ? keeper_->total().dropped : 0; }
  // 0: nothing was recorded.
  std::uint64_t recorded_bytes() const { return file_ ? file_->size() : 0; }
  // Sentences: payloads that differ from their type.
  std::vector<std::string> warnings() const;

 private:
  // Opens the output. `raw_size`: of the first sample; nothing: none has come.
  void open(std::optional<std::size_t> raw_size);
  void choose_type(std::size_t raw_size);
  void open_filter();

  const PayloadPathPlan plan_;
  const record::PayloadSource& source_;
  const record::TypeChoice& types_;
  output::TextWriter& out_;
  const Say say_;
  std::unique_ptr<record::PayloadFormat> format_;  // nullptr: the payloads have no type
  reader::TracepointFormats no_formats_;
  reader::Event event_;
  std::unique_ptr<record::SampleKeeper> keeper_;
  // The stations, from the output to the source.
  std::unique_ptr<RecordedFile> file_;
  std::unique_ptr<PayloadPrinter> printer_;
  std::unique_ptr<FirstSamples> first_samples_;
  std::unique_ptr<KeptSink> kept_;
  std::unique_ptr<record::TypedPayloads> typed_;
  record::RecordSink* entry_ = nullptr;
};

}  // namespace perfsift::tools
