// A dlfilter whose author forgot extern "C". All other names of the file have hidden visibility.
#include "dlfilters/abi.h"

__attribute__((visibility("default"))) int filter_event(void* data, const perfsift::dlfilter::Sample* sample,
                                                        void* ctx);
int filter_event(void*, const perfsift::dlfilter::Sample*, void*) { return 0; }

extern "C" perfsift::dlfilter::Functions perf_dlfilter_fns;
perfsift::dlfilter::Functions perf_dlfilter_fns;

// This function does not set its output parameter.
extern "C" __attribute__((visibility("default"))) const char* filter_description(const char**) {
  return "is not found";
}
