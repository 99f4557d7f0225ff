// A dlfilter whose table ends after the functions that it knows: perf overwrites the memory behind the table.
#include "dlfilters/abi.h"

extern "C" __attribute__((visibility("default"))) void* perf_dlfilter_fns[9];
void* perf_dlfilter_fns[9];
extern "C" __attribute__((visibility("default"))) int filter_event(void*, const perfsift::dlfilter::Sample*, void*) {
  return 0;
}
