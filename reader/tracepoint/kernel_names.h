// Names and texts at addresses of the recorded kernel, from the tracing data or from the user of the library.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "reader/tracepoint/kernel_function.h"

namespace perfsift::reader {

// Thread-safe except for set_resolver().
class KernelNames {
 public:
  // The text of /proc/kallsyms: "ffffffff81000000 T _text" or, of a module, "… T name [module]".
  void add_functions(std::string_view kallsyms);
  // The text of tracefs' printk_formats: `0xffffffff81a00000 : "text\n"`.
  void add_texts(std::string_view printk_formats);
  // Replaces kallsyms. One thread at a time calls the resolver.
  void set_resolver(KernelFunctionResolver resolver) { resolver_ = std::move(resolver); }

  std::optional<KernelFunction> function(std::uint64_t address) const;
  const std::string* text(std::uint64_t address) const;  // nullptr: unknown

 private:
  std::map<std::uint64_t, std::string> functions_;
  std::map<std::uint64_t, std::string> texts_;
  KernelFunctionResolver resolver_;
  mutable std::mutex turn_;
};

}  // namespace perfsift::reader
