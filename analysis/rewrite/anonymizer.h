// Takes the names out of a recording: see NameMask for what takes their place.
//
// Masked are the names of threads, files, hosts, control groups and BPF programs, command lines, build ids of user
// files, and the texts in the data of tracepoints. What the kernel is and calls itself stays (its release, modules and
// build id), and so does what the events are: without these a recording could not be read any more. So do addresses,
// and copies of memory, in which anything may be: see unmasked().
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/rewrite/name_mask.h"
#include "reader/event_table.h"
#include "reader/writer/header_content.h"

namespace perfsift::analysis {

void anonymize(reader::HeaderContent& header, const NameMask& mask);

// For the records of one recording. Not thread-safe.
class Anonymizer {
 public:
  Anonymizer(const reader::Recording& recording, const NameMask& mask);

  // How a record is to be written.
  enum class Verdict { as_it_is, changed, not_at_all };
  // Sets `changed`, which lives until the next call, when it is to be written so.
  Verdict judge(const reader::Record& record, reader::Record& changed);

 private:
  Verdict mask_name_at(const reader::Record& record, std::size_t offset, bool is_path, reader::Record& changed);
  Verdict mask_build_id(const reader::Record& record, reader::Record& changed);
  Verdict mask_mmap(const reader::Record& record, reader::Record& changed);
  Verdict mask_tracing_data(const reader::Record& record, reader::Record& changed);
  Verdict mask_thread_map(const reader::Record& record, reader::Record& changed);
  Verdict mask_sample(const reader::Record& record, reader::Record& changed);
  bool mask_field(const reader::TracepointField& field, std::span<std::byte> raw) const;
  void mask_text(std::span<std::byte> text, bool is_path) const;
  void set_copy(const reader::Record& record, reader::Record& changed);
  void set_changed(const reader::Record& record, reader::Record& changed);

  const reader::TracepointFormats* formats_;
  const NameMask& mask_;
  reader::EventTable events_;
  reader::SampleDecoder decoder_;
  std::vector<std::byte> buffer_;  // of the changed record
};

// What a recording holds that may have names in it and is left as it is, in words; empty when there is nothing.
std::string unmasked(const reader::Recording& recording);

}  // namespace perfsift::analysis
