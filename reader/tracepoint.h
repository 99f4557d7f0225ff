// Tracepoints: what the raw data of their samples means.
//
// A recording with tracepoints carries the kernel's description of each (the files named `format` in tracefs) in its
// TRACING_DATA feature. With it a field can be read by its name, and a sample printed the way the kernel's author of
// the tracepoint meant it, which is what `perf script` shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::reader {

struct TracepointField {
  std::string name;
  std::string type;              // as the kernel's source has it: "pid_t", "char[16]", "__data_loc char[]"
  std::size_t offset = 0;        // in the raw data
  std::size_t size = 0;          // bytes there
  std::size_t element_size = 0;  // of arrays
  bool is_signed = false;
  bool is_string = false;
  bool is_array = false;
  bool is_dynamic = false;   // what lies at `offset` says where in the raw data the content is, and how long
  bool is_relative = false;  // dynamic: counted from the end of the field, not from the start of the raw data
  bool is_common = false;    // every tracepoint has it: common_type, common_pid, …
};

struct TracepointFormat {
  std::int32_t id = -1;                 // attr.config of the event, and the common_type of its samples
  std::string system;                   // "sched"
  std::string name;                     // "sched_switch"
  std::vector<TracepointField> fields;  // in the order of the kernel, common ones first

  const TracepointField* find(std::string_view field) const;
};

// Thread-safe once it stands. libtraceevent, which reads the descriptions, is not made for threads: to parse() takes
// turns over all threads of the process.
class TracepointFormats {
 public:
  struct Function {
    std::string name;
    std::uint64_t address = 0;  // where it begins
  };
  using FunctionResolver = std::function<std::optional<Function>(std::uint64_t address)>;

  // Features::tracing_data, or what follows a HEADER_TRACING_DATA record. Nothing when it is not tracing data at all;
  // when it ends too early, what it holds until then.
  static std::optional<TracepointFormats> parse(Bytes tracing_data);
  ~TracepointFormats();
  TracepointFormats(TracepointFormats&&) noexcept;
  TracepointFormats& operator=(TracepointFormats&&) noexcept;

  bool whole() const;                                   // all of the tracing data was there
  ByteOrder order() const;                              // of the raw data
  std::size_t malformed() const;                        // descriptions that could not be understood
  const std::vector<TracepointFormat>& all() const;     // ascending by id
  const TracepointFormat* find(std::int32_t id) const;  // nullptr: not described
  const TracepointFormat* find(std::string_view system, std::string_view name) const;

  // The value of a field that is one number; signed ones are sign-extended. Nothing for arrays and for raw data that
  // is too short.
  std::optional<std::uint64_t> number(const TracepointField& field, Bytes raw) const;
  // A field as text: strings as they are, numbers in decimal, arrays as ARRAY[1, 2, …] of bytes in hexadecimal.
  // Empty when the raw data is too short.
  std::string text(const TracepointField& field, Bytes raw) const;
  // What the kernel's print format makes of a sample, as `perf script -F trace` shows it. Where that is not understood,
  // or leads outside the raw data, "[fields only]" and the fields as `name=text`: never a wrong value.
  std::string print(const TracepointFormat& format, Bytes raw) const;

  // Names for the kernel addresses a tracepoint prints (%ps). Without one, the kallsyms of the tracing data, which
  // only recordings of perf before 4.3 have. Not thread-safe; the resolver is called while print() runs, by one thread
  // at a time.
  void set_function_resolver(FunctionResolver resolver);

 private:
  struct State;
  explicit TracepointFormats(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::reader
