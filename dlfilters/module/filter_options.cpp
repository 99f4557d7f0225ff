#include "dlfilters/module/filter_options.h"

#include <utility>

#include "dlfilters/module/perf_filter.h"

namespace perfsift::dlfilter {

void FilterOptions::add_to(options::po::options_description& description) {
  description.add_options()("filter", options::po::value(&expressions_)->value_name("EXPR")->composing(),
                            "only samples for which this expression is true");
  accesses_.add_to(description, false);
}

std::vector<filter::FilterText> FilterOptions::texts() const {
  std::vector<filter::FilterText> texts = filter_texts(expressions_);
  for (filter::FilterText& text : accesses_.texts()) texts.push_back(std::move(text));
  return texts;
}

}  // namespace perfsift::dlfilter
