// Reads pprof profiles: the protobuf of profile.proto, already unpacked from gzip.
//
// The bytes come from anywhere. A sample that refers to a location or string which is not there is left out and
// counted; bytes that are no protobuf message are an error.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
  std::uint64_t address = 0;
  std::vector<PprofLine> lines;  // innermost first; empty: without a name
};

struct PprofLabel {
  std::string_view key, text;
  std::int64_t number = 0;
};

// Valid only during the visitor's call.
struct PprofSample {
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
  // Counts are those of this visit.
  PprofStats visit(const std::function<void(const PprofSample&)>& visitor) const;

 private:
  class SampleReader;
  template <typename Read>
  void for_each(std::uint32_t field, Read&& read) const;
  std::string_view text(std::int64_t number) const;

  void read_types();
  void read_comments();
  void read_mappings();
  void read_functions();
  void read_locations();

  std::string_view bytes_;
  std::vector<std::string_view> strings_;
  std::vector<PprofValueType> types_;
  std::vector<std::string_view> comments_;
  std::unordered_map<std::uint64_t, PprofMapping> mappings_;
  struct Function {
    std::string_view name, file;
  };
  std::unordered_map<std::uint64_t, Function> functions_;
  std::unordered_map<std::uint64_t, PprofLocation> locations_;
};

// Whether an input that begins like this is a pprof profile. `cut`: more bytes follow.
bool looks_like_pprof(Bytes first, bool cut);

}  // namespace perfsift::analysis
