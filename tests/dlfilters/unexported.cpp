// A dlfilter whose author forgot what C++ does to names, and that the rest of the file is compiled to be hidden.
#include "dlfilters/abi.h"

__attribute__((visibility("default"))) int filter_event(void* data, const perfsift::dlfilter::Sample* sample,
                                                        void* ctx);
int filter_event(void*, const perfsift::dlfilter::Sample*, void*) { return 0; }

extern "C" perfsift::dlfilter::Functions perf_dlfilter_fns;
perfsift::dlfilter::Functions perf_dlfilter_fns;

// Leaves what it should set as it was.
extern "C" __attribute__((visibility("default"))) const char* filter_description(const char**) {
  return "is not found";
}
