// The labels of samples in a pprof profile, with the keys of perf_to_profile.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/table/sample_groups.h"
#include "output/pprof/string_table.h"

namespace perfsift::output {

// The labels that are written if the recording has their values.
struct PprofLabels {
  bool pid = true, tid = true, comm = true, cpu = true, cgroup = true, execution_mode = true;
  bool other = true;       // labels of pprof profiles that have another meaning
  bool timestamp = false;  // no two samples are joined
  bool run = false;        // of stored profiles, together with the block

  // The properties in which samples must agree to be joined.
  analysis::GroupKeys keys() const {
    return {.context = pid || tid || comm || cgroup || other,
            .cpu = cpu,
            .mode = execution_mode,
            .time = timestamp,
            .run = run};
  }
};

// Encodes labels as messages that can be appended to a sample. Immutable once made, so thread-safe.
class LabelEncoder {
 public:
  // `contexts`: SampleGroups::contexts(). `processes`: SampleTable::process_names().
  LabelEncoder(const PprofLabels& labels, const std::vector<const analysis::SampleContext*>& contexts,
               const std::map<std::int32_t, std::string>& processes, StringTable& strings);

  // Appends the label fields to the message of a sample.
  void append(const analysis::SampleGroup& group, std::string& sample) const;

 private:
  std::string encode_context(const analysis::SampleContext& context, StringTable& strings) const;

  const PprofLabels labels_;
  std::map<std::int32_t, std::string> process_comms_;                             // by PID: the name of the main thread
  std::vector<std::string> of_context_;                                           // by number of the context
  std::vector<std::string> of_mode_;                                              // by reader::CpuMode
  std::int64_t cpu_ = 0, timestamp_ = 0, nanoseconds_ = 0, run_ = 0, block_ = 0;  // numbers of strings
};

}  // namespace perfsift::output
