// Reads pprof profiles: the protobuf of profile.proto, already unpacked from gzip.
//
// The bytes come from anywhere. A sample that refers to a location or string which is not there is left out and
// counted; bytes that are no protobuf message are an error.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/input/pprof_numbers.h"
#include "base/byte_reader.h"

namespace perfsift::analysis {

struct PprofValueType {
  std::string_view type, unit;
};

struct PprofMapping {
  std::uint64_t start = 0, offset = 0;
  std::string_view path, build_id;
};

struct PprofLine {
  std::string_view function, file;
  std::uint32_t line = 0;
};

struct PprofLocation {
  const PprofMapping* mapping = nullptr;  // nullptr: none
  std::uint32_t number = 0;               // among the locations of the profile, from 0 on
  std::uint64_t address = 0;
  std::vector<PprofLine> lines;  // innermost first; empty: without a name
};

struct PprofLabel {
  std::string_view key, text;  // a label with a text has no number
  std::int64_t number = 0;
  std::string_view unit = {};  // of the number; empty: none
};

// Valid only during the visitor's call.
struct PprofSample {
  std::uint64_t stack = 0;  // from 1 on; samples of one visit with the same number have the same locations
  std::span<const PprofLocation* const> locations;  // leaf first
  std::span<const std::int64_t> values;             // as many as there are sample types
  std::span<const PprofLabel> labels;
};

struct PprofStats {
  std::uint64_t samples = 0;
  std::uint64_t malformed = 0;  // samples that are left out
  std::string first_malformed;  // what is wrong with it
};

// Views point into `bytes`, which must live longer. Not thread-safe.
class PprofProfile {
 public:
  // Throws InputError, without the name of the input, for bytes that are no pprof profile.
  explicit PprofProfile(Bytes bytes);
  PprofProfile(const PprofProfile&) = delete;
  PprofProfile& operator=(const PprofProfile&) = delete;

  const std::vector<PprofValueType>& sample_types() const { return types_; }
  const std::vector<std::string_view>& comments() const { return comments_; }
  // The sample type that programs show first; empty: the profile names none.
  std::string_view default_type() const { return text(default_type_); }
  // The unit and the length of the period between two samples; empty and 0: not known.
  const PprofValueType& period_type() const { return period_type_; }
  std::uint64_t period() const { return period_; }
  // When it was recorded, in nanoseconds since 1970, and for how long, in nanoseconds; 0: not known.
  std::uint64_t recorded_at() const { return static_cast<std::uint64_t>(std::max<std::int64_t>(time_, 0)); }
  std::uint64_t duration() const { return static_cast<std::uint64_t>(std::max<std::int64_t>(duration_, 0)); }
  std::size_t locations() const { return locations_.size(); }
  // The samples that visit() will find, whole or not.
  std::size_t samples() const { return samples_; }
  // Counts are those of this visit.
  PprofStats visit(const std::function<void(const PprofSample&)>& visitor) const;

 private:
  class SampleReader;
  struct Parts;
  Parts read_parts();
  std::string_view text(std::int64_t number) const;

  PprofValueType read_type(std::string_view message) const;
  void read_mapping(std::string_view message);
  void read_function(std::string_view message);
  void read_location(std::string_view message);
  PprofLine read_line(std::string_view message) const;

  std::string_view bytes_;
  std::size_t samples_ = 0;
  std::vector<std::string_view> strings_;
  std::vector<PprofValueType> types_;
  std::vector<std::string_view> comments_;
  PprofValueType period_type_;
  std::uint64_t period_ = 0;
  std::int64_t time_ = 0, duration_ = 0, default_type_ = 0;
  std::unordered_map<std::uint64_t, PprofMapping> mappings_;
  struct Function {
    std::string_view name, file;
  };
  std::unordered_map<std::uint64_t, Function> functions_;
  std::vector<PprofLocation> locations_;
  PprofNumbers location_numbers_;  // by id
};

// Whether an input that begins like this is a pprof profile. `cut`: more bytes follow.
bool looks_like_pprof(Bytes first, bool cut);

}  // namespace perfsift::analysis
