#include "tools/dlfilter/dlfilter_options.h"

#include "base/error.h"

namespace perfsift::tools {

namespace po = boost::program_options;

void DlfilterOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  using Values = std::vector<std::string>;
  add("dlfilter", po::value<Values>()->value_name("FILE")->composing(),
      "a shared object that selects samples; several are asked in order, until one drops the sample");
  add("dlarg", po::value<Values>()->value_name("ARG")->composing(), "an argument of the preceding dlfilter");
  add("dlfilter-api", po::value(&api_)->value_name("v0|v1|v2"),
      "the interface of perf: v0 of perf 5.14, v1 of perf 6.0 (default with --perf-style 6.1), v2 of perf 6.6 and "
      "later "
      "(default)");
  add("list-dlfilters", po::bool_switch(&list_), "list the dlfilters that are installed");
}

void DlfilterOptions::take(const std::string& name, const std::string& value) {
  if (name == "dlfilter") {
    requests_.push_back({.name = value, .arguments = {}});
    requests_.back().arguments.swap(arguments_in_front_);
  } else if (name == "dlarg") {
    (requests_.empty() ? arguments_in_front_ : requests_.back().arguments).push_back(value);
  }
}

dlfilter::ApiVersion DlfilterOptions::api(bool as_perf_6_1) const {
  if (api_.empty()) return as_perf_6_1 ? dlfilter::ApiVersion::v1 : dlfilter::ApiVersion::v2;
  if (api_ == "v0") return dlfilter::ApiVersion::v0;
  if (api_ == "v1") return dlfilter::ApiVersion::v1;
  if (api_ == "v2") return dlfilter::ApiVersion::v2;
  throw UsageError("--dlfilter-api " + api_ + ": there are v0, v1 and v2");
}

}  // namespace perfsift::tools
