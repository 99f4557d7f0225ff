// The options that name dlfilters.
//
//   --dlfilter A.so --dlarg x --dlarg y --dlfilter B.so
//
// An argument belongs to the filter before it; those in front of all filters, which perf takes too, to the first.
#pragma once

#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "dlfilters/host/filter_chain.h"

namespace perfsift::tools {

class DlfilterOptions {
 public:
  void add_to(boost::program_options::options_description& options);
  // For every option of the command line, in order: see parse().
  void take(const std::string& name, const std::string& value);

  bool list() const { return list_; }
  const std::vector<dlfilter::FilterRequest>& requests() const { return requests_; }
  // The version that was asked for, else the one that goes with the style of the output. Throws UsageError.
  dlfilter::ApiVersion api(bool as_perf_6_1) const;

 private:
  bool list_ = false;
  std::string api_;
  std::vector<dlfilter::FilterRequest> requests_;
  std::vector<std::string> arguments_in_front_;
};

}  // namespace perfsift::tools
