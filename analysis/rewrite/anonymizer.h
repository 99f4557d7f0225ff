// Replaces the names in a recording by masks: see NameMask.
//
// The masked items are the names of threads, files, hosts, control groups and BPF programs, command lines, build ids of
// user files, and the texts in the data of tracepoints. The kernel's release, modules and build id stay, and so do the
// events: without them the recording could not be read any more. Addresses stay too, and copies of memory, which may
// contain anything: see unmasked().
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/rewrite/name_mask.h"
#include "reader/event_table.h"
#include "reader/writer/header_content.h"

namespace perfsift::analysis {

void anonymize(reader::HeaderContent& header, const NameMask& mask);

// Masks the records of one recording. Not thread-safe.
class Anonymizer {
 public:
  Anonymizer(const reader::Recording& recording, const NameMask& mask);

  // How to write a record.
  enum class Verdict { as_it_is, changed, not_at_all };
  // Decides how to write `record`. For Verdict::changed, `changed` is the record to write; it lives until the next
  // call.
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
  std::vector<std::byte> buffer_;  // the bytes of the changed record
};

// A message about the contents of a recording that may contain names but stay unmasked; empty when there are none.
std::string unmasked(const reader::Recording& recording);

}  // namespace perfsift::analysis
