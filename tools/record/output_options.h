// The options of perfsift record that say where the recording goes, and when it ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "options/command_line.h"
#include "record/session.h"

namespace perfsift::tools {

// When a recording goes on in another file.
struct SwitchRule {
  bool on_signal = false;              // SIGUSR2
  std::optional<std::uint64_t> bytes;  // of the records
  std::optional<std::chrono::nanoseconds> time;
  bool any() const { return on_signal || bytes || time; }
};

class RecordOutputOptions {
 public:
  std::string path = "perf.data";
  bool names_file = false;  // -o
  std::optional<int> compression_level;
  SwitchRule switches;
  unsigned most_files = 0;  // of a recording in several files; 0: all are kept
  std::optional<std::uint64_t> most_bytes;
  std::optional<std::chrono::nanoseconds> longest;
  std::optional<int> real_time;                                    // see run_in_real_time()
  std::optional<std::chrono::system_clock::time_point> begins_at;  // nothing: at once
  bool quiet = false;
  bool verbose = false;

  void add_to(options::po::options_description& options);
  // Reads what add_to() only stores as text. Throws UsageError.
  void complete();
  // For a target that is complete. Throws UsageError.
  void apply(record::SessionPlan& plan) const;
  bool sizes_rings() const { return ring_bytes_ != 0; }  // by -m
  bool in_threads() const { return !threads_.empty(); }
  bool overwrites() const { return overwrite_; }
  bool delays() const { return delay_.has_value(); }

 private:
  std::string level_, pages_, switch_output_, most_bytes_, longest_, threads_;
  std::optional<std::int64_t> delay_;
  bool overwrite_ = false;
  void refuse_with_threads() const;

  std::size_t ring_bytes_ = 0, aux_bytes_ = 0;
};

}  // namespace perfsift::tools
