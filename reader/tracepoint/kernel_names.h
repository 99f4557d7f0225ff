// What lies at addresses of the recorded kernel, as far as the tracing data or the user of the library tells.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "reader/tracepoint.h"

namespace perfsift::reader {

// Thread-safe but for set_resolver().
class KernelNames {
 public:
  using Function = TracepointFormats::Function;

  // The text of /proc/kallsyms: "ffffffff81000000 T _text" or, of a module, "… T name [module]".
  void add_functions(std::string_view kallsyms);
  // The text of tracefs' printk_formats: `0xffffffff81a00000 : "text\n"`.
  void add_texts(std::string_view printk_formats);
  // Takes the place of kallsyms. It is called by one thread at a time.
  void set_resolver(TracepointFormats::FunctionResolver resolver) { resolver_ = std::move(resolver); }

  std::optional<Function> function(std::uint64_t address) const;
  const std::string* text(std::uint64_t address) const;  // nullptr: not known

 private:
  std::map<std::uint64_t, std::string> functions_;
  std::map<std::uint64_t, std::string> texts_;
  TracepointFormats::FunctionResolver resolver_;
  mutable std::mutex turn_;
};

}  // namespace perfsift::reader
