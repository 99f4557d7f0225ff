// The text of `perfsift symbolize` for an address: as addr2line prints it, or a JSON object.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "output/text_writer.h"
#include "symbolize/symbolizer.h"

namespace perfsift::output {

struct AddressTextOptions {
  bool addresses = false;   // -a: print the address first
  bool functions = false;   // -f: print functions with lines
  bool inlines = false;     // -i: the calls around an inlined one
  bool demangle = false;    // -C
  bool pretty = false;      // -p: one line for a frame
  bool base_names = false;  // -s: print files without folders
  bool json = false;        // one object per address, with everything, also without the other options
};

// Not thread-safe. Names passed to the object must outlive it.
class AddressText {
 public:
  explicit AddressText(AddressTextOptions options) : options_(options) {}

  // Appends the text for an address and its frames, innermost first.
  void append(std::uint64_t address, std::span<const symbolize::SourceFrame> frames, TextWriter& to);

 private:
  void append_unknown(TextWriter& to) const;
  void append_frame(const symbolize::SourceFrame& frame, TextWriter& to);
  void append_json(std::uint64_t address, std::span<const symbolize::SourceFrame> frames, TextWriter& to);
  std::string_view readable(const symbolize::SourceFrame& frame);
  std::string_view shown(std::string_view path) const;

  AddressTextOptions options_;
  // Names by the address of the mangled name: the same few names come again and again, and demangling is slow.
  std::unordered_map<const char*, std::string> demangled_;
  std::string escaped_;  // of a name that had to be
};

}  // namespace perfsift::output
