// The contents of a Symbolizer.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <perfsift/symbolizer.h>

#include "symbolize/program_names.h"
#include "symbolize/symbolizer.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::v0::detail {

// Thread-safe.
struct SymbolizerState {
  explicit SymbolizerState(symbolize::SymbolizeOptions chosen) : options(std::move(chosen)), symbolizer(options) {}

  // The names of an ELF file, which is read once.
  const symbolize::ProgramNames& program(const std::string& path);
  // A text that lives as long as this object.
  std::string_view keep(std::string text);

  const symbolize::SymbolizeOptions options;
  symbolize::Symbolizer symbolizer;

 private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<symbolize::ProgramNames>> programs_;
  std::set<std::string, std::less<>> texts_;
};

symbolize::DemangleStyle demangle_style(Demangling demangling);

}  // namespace perfsift::v0::detail
