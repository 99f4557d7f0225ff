// The whole text of perf script about a recording, in the order in which perf delivers records.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>

#include "analysis/samples/code_names.h"
#include "output/script/fields.h"
#include "output/script/line_start.h"
#include "output/script/sample_printer.h"
#include "output/script/thread_states.h"
#include "output/text_writer.h"
#include "reader/recording.h"

namespace perfsift::output {

struct ScriptOptions {
  SampleOptions samples;
  TimeFormat time;
  symbolize::DemangleStyle demangling = symbolize::DemangleStyle::full;
  std::set<reader::RecordType> shown_records;  // --show-*-events
  bool skip_missing_fields = false;
  bool features_as_they_come = false;  // --header of a recording in pipe form
  bool full_header = false;            // -I
};

// Not thread-safe. All arguments of the constructor must outlive the object.
class ScriptPrinter : public reader::OrderedVisitor {
 public:
  ScriptPrinter(reader::Recording& recording, FieldSelection selection, symbolize::Symbolizer& symbolizer,
                const ScriptOptions& options, TextWriter& out);
  ~ScriptPrinter() override;
  ScriptPrinter(const ScriptPrinter&) = delete;
  ScriptPrinter& operator=(const ScriptPrinter&) = delete;

  void sample(const reader::Sample& sample) override;
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override;
  // Call it after the visit: prints the lines that an empty recording still needs.
  void finish();

  const FieldSelection& selection() const { return selection_; }
  std::uint64_t guest_samples() const { return guest_samples_; }
  const analysis::CodeVersions& code_versions() const { return names_.code_versions(); }

 private:
  void prepare();
  RecordingTraits traits() const;
  const reader::Event* event_of(std::uint64_t id) const;
  void print_record_start(const reader::Record& record, const reader::SampleId& id, reader::Moment moment);
  std::string poked_symbol(const reader::Record& record, reader::Moment moment);

  reader::Recording& recording_;
  FieldSelection selection_;
  ScriptOptions options_;
  TextWriter& out_;
  analysis::CodeNames names_;
  SamplePrinter samples_;
  LineStart line_start_;
  ThreadStates threads_;
  std::unordered_map<std::uint64_t, const reader::Event*> events_by_id_;
  std::uint64_t guest_samples_ = 0;
  reader::ThreadState current_thread_;  // of the sample at hand
  bool prepared_ = false;
};

}  // namespace perfsift::output
