// The options that name dlfilters.
//
//   --dlfilter A.so --dlarg x --dlarg y --dlfilter B.so
//
// An argument belongs to the filter before it. Arguments before the first filter belong to the first, as in perf.
#pragma once

#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "dlfilters/host/filter_chain.h"

namespace perfsift::tools {

class DlfilterOptions {
 public:
  void add_to(boost::program_options::options_description& options);
  // Called for every option of the command line, in order: see parse().
  void take(const std::string& name, const std::string& value);

  bool list() const { return list_; }
  const std::vector<dlfilter::FilterRequest>& requests() const { return requests_; }
  // The version given by the option, else the version of the perf whose style the output has. Throws UsageError.
  dlfilter::ApiVersion api(bool as_perf_6_1) const;

 private:
  bool list_ = false;
  std::string api_;
  std::vector<dlfilter::FilterRequest> requests_;
  std::vector<std::string> arguments_in_front_;
};

}  // namespace perfsift::tools
