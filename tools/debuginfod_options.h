// --debuginfod: missing debug files of what a recording spends its time in, from debuginfod servers.
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

  // `naming`, and when --debuginfod was given what is missing of the programs and libraries in which at least one of a
  // hundred samples of these recordings has a frame: those with the most samples first, as far as the budget reaches.
  // Shows its progress, and warns of what could not be had. Throws UsageError if no server is configured.
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
