// Writes recordings that hold some of the samples of one, and everything perf needs to read them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/rewrite/kept_samples.h"
#include "analysis/rewrite/name_mask.h"
#include "analysis/rewrite/needed_processes.h"
#include "reader/recording.h"
#include "reader/writer/header_content.h"

namespace perfsift::output {

class PartWriter;

struct PartOptions {
  std::optional<int> compression_level;
  const analysis::NameMask* anonymize = nullptr;  // nullptr: names stay; must live longer
  bool prune = false;                             // leave out what was recorded of processes that no kept sample needs
};

struct WrittenPart {
  std::string path;         // "-" and pipes get the pipe form
  std::string part;         // which part of a split recording; else empty
  std::uint64_t kept = 0;   // samples
  std::uint64_t bytes = 0;  // written; 0 before that
};

// Not thread-safe. The recording must live longer, and be no stream.
class PartsWriter {
 public:
  PartsWriter(const reader::Recording& recording, const PartOptions& options);
  ~PartsWriter();

  // A part for each of `kept`, in the same order, to the paths they have. Throws Error where one cannot be written to,
  // OutputClosed.
  void write(const std::vector<analysis::KeptSamples>& kept, std::vector<WrittenPart>& parts);
  // What did not go into them, in words.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void write(std::span<const analysis::KeptSamples> kept, std::span<WrittenPart> parts);
  void leave_out_passing(std::span<const analysis::KeptSamples> kept,
                         std::span<const std::unique_ptr<PartWriter>> writers) const;
  std::unique_ptr<PartWriter> open(const analysis::KeptSamples& kept, const std::string& path) const;
  void warn_of_left_out(const std::vector<std::uint32_t>& features);

  const reader::Recording& recording_;
  const PartOptions options_;
  reader::HeaderContent header_;
  std::unique_ptr<analysis::ProcessTree> processes_;
  std::vector<std::string> warnings_;
};

}  // namespace perfsift::output
