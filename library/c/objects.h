// The objects behind the handles.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include <perfsift/all.h>
#include <perfsift/perfsift.h>

struct perfsift_recording {
  explicit perfsift_recording(const char* path) : recording(path), info(recording.info()) {}

  perfsift::v0::Recording recording;
  const perfsift::v0::RecordingInfo info;
  std::string command;              // joined
  std::vector<std::string> damage;  // in words
};

struct perfsift_symbolizer {
  perfsift::v0::Symbolizer symbolizer;
};

struct perfsift_columns {
  perfsift::v0::Columns columns;
};

// A column for each field of an interval.
struct perfsift_offcpu {
  std::vector<std::uint64_t> start, end, blocked, run_queue, unknown;
  std::vector<std::int32_t> pid, tid, cpu_left, cpu_entered, waker_tid;
  std::vector<std::uint8_t> complete, state;
  std::vector<std::uint32_t> comm, wait;
  std::vector<std::uint64_t> name_starts;
  std::string name_bytes;
  std::string folded;
};

// The results that were asked for live as long as the profile.
struct perfsift_profile {
  explicit perfsift_profile(perfsift::v0::Profile made) : profile(std::move(made)) {}

  const perfsift::v0::Profile profile;
  std::mutex mutex;  // of the next members, which are filled on first use
  bool has_folded = false;
  std::string folded;
  bool has_functions = false;
  std::deque<std::string> names;
  std::vector<perfsift_function> functions;
};
