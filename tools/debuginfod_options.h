// --debuginfod: fetches missing debug files of the programs that a recording spends its time in.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "symbolize/search/debuginfod.h"
#include "symbolize/symbolizer.h"

namespace perfsift::tools {

class DebuginfodOptions {
 public:
  void add_to(boost::program_options::options_description& options);

  // `naming`; with --debuginfod, plus the missing files of programs and libraries that at least one of a hundred
  // samples has a frame in: those with the most samples first, within the budget. Shows the progress, and warns of
  // files that could not be fetched. Throws UsageError if no server is configured.
  symbolize::SymbolizeOptions with_fetched(symbolize::SymbolizeOptions naming,
                                           const std::vector<std::string>& recordings, unsigned threads,
                                           bool quiet) const;

 private:
  bool wanted_ = false;
  symbolize::DebuginfodBudget budget_;
};

// "500M": bytes, with k, M or G as powers of 1,024. "30s", "2m", "30": a time. Throw boost::program_options::error.
std::uint64_t parse_bytes(std::string_view text);
std::chrono::milliseconds parse_time(std::string_view text);

}  // namespace perfsift::tools
