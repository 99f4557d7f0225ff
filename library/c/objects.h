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

struct perfsift_sampler {
  perfsift::v0::Sampler sampler;
};

// A column for each field; see perfsift_live_samples_array().
struct LiveColumns {
  std::vector<std::uint64_t> time, period, ip, address, physical_address, data_source, latency;
  std::vector<std::int32_t> pid, tid, cpu;
  std::vector<std::uint32_t> event;
  std::vector<std::uint8_t> mode, operation, level, snoop, tlb_missed;
  std::vector<std::uint64_t> stack_starts, stack_address;
  std::vector<std::uint8_t> stack_mode, stack_return;
};

// The columns are made on first use.
struct perfsift_live_samples {
  explicit perfsift_live_samples(const perfsift::v0::LiveSamples& taken) : samples(taken) {}

  const perfsift::v0::LiveSamples samples;
  std::once_flag has_columns;
  LiveColumns columns;
};

struct perfsift_payload_reader {
  perfsift::v0::PayloadReader reader;
};

struct perfsift_payloads {
  const perfsift::v0::Payloads payloads;
};

// The results that were asked for live as long as the profile.
struct perfsift_profile {
  explicit perfsift_profile(const perfsift::v0::Profile& made) : profile(made) {}

  const perfsift::v0::Profile profile;
  std::mutex mutex;  // of the next members, which are filled on first use
  bool has_folded = false;
  std::string folded;
  bool has_functions = false;
  std::deque<std::string> names;
  std::vector<perfsift_function> functions;
};
