// Writes recordings with some of the samples of another, and all records that perf needs to read those.
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
  bool prune = false;                             // leave out records of processes that no kept sample needs
};

struct WrittenPart {
  std::string path;         // "-" and pipes get the pipe form
  std::string part;         // the part of a split recording; otherwise empty
  std::uint64_t kept = 0;   // samples
  std::uint64_t bytes = 0;  // written; 0 before that
};

// Not thread-safe. The recording must outlive the object, and must not be a stream.
class PartsWriter {
 public:
  PartsWriter(const reader::Recording& recording, const PartOptions& options);
  ~PartsWriter();

  // Writes a part for each of `kept`, in the same order, to the path of the part. Throws Error if a path cannot be
  // written, and OutputClosed.
  void write(const std::vector<analysis::KeptSamples>& kept, std::vector<WrittenPart>& parts);
  // Messages about records that were left out.
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
