// Tracepoints: the meaning of the raw data of their samples.
//
// A recording with tracepoints has the kernel's description of each tracepoint (the file `format` in tracefs) in its
// TRACING_DATA feature. The description gives the fields by name, and the print format of the tracepoint's author in
// the kernel, which `perf script` shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "reader/tracepoint/field.h"
#include "reader/tracepoint/kernel_function.h"

namespace perfsift::reader {

struct TracingData;

struct TracepointFormat {
  std::int32_t id = -1;                 // attr.config of the event, and common_type of its samples
  std::string system;                   // "sched"
  std::string name;                     // "sched_switch"
  std::vector<TracepointField> fields;  // in the kernel's order, common fields first

  const TracepointField* find(std::string_view field) const;
};

// The text of the file `format` of a tracepoint in tracefs.
struct TracepointDescription {
  std::string system;  // "sched"
  std::string text;
};

// Thread-safe once constructed. libtraceevent, which reads the descriptions, is not thread-safe: threads that call
// parse() wait for each other.
class TracepointFormats {
 public:
  using Function = KernelFunction;
  using FunctionResolver = KernelFunctionResolver;

  // `tracing_data`: Features::tracing_data, or the data of a HEADER_TRACING_DATA record. Nothing when the bytes are not
  // tracing data. Tracing data that ends too early gives the descriptions up to there.
  static std::optional<TracepointFormats> parse(Bytes tracing_data);
  // Reads descriptions as they lie in the tracefs of this machine, whose long and byte order are the kernel's.
  static TracepointFormats describe(const std::vector<TracepointDescription>& descriptions);
  ~TracepointFormats();
  TracepointFormats(TracepointFormats&&) noexcept;
  TracepointFormats& operator=(TracepointFormats&&) noexcept;

  bool whole() const;                                   // the tracing data did not end too early
  ByteOrder order() const;                              // of the raw data
  std::size_t malformed() const;                        // descriptions that could not be read
  const std::vector<TracepointFormat>& all() const;     // ascending by id
  const TracepointFormat* find(std::int32_t id) const;  // nullptr: no description
  const TracepointFormat* find(std::string_view system, std::string_view name) const;

  // The value of a field that is a single number; signed numbers are sign-extended. Nothing for arrays, and for raw
  // data that is too short.
  std::optional<std::uint64_t> number(const TracepointField& field, Bytes raw) const;
  // A field as text: strings unchanged, numbers in decimal, arrays as ARRAY[1, 2, …] of bytes in hexadecimal. Empty
  // when the raw data is too short.
  std::string text(const TracepointField& field, Bytes raw) const;
  // A sample printed by the kernel's print format, as `perf script -F trace` shows it. A print format that is not
  // understood, or that reads outside the raw data, gives "[fields only]" and the fields as `name=text`: never a wrong
  // value.
  std::string print(const TracepointFormat& format, Bytes raw) const;

  // Sets the source of names for kernel addresses that a tracepoint prints (%ps). Without a resolver the names come
  // from the kallsyms of the tracing data, which only recordings of perf before 4.3 have. Not thread-safe. print()
  // calls the resolver, from one thread at a time.
  void set_function_resolver(FunctionResolver resolver);

 private:
  struct State;
  static TracepointFormats of(const TracingData& data);
  explicit TracepointFormats(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::reader
