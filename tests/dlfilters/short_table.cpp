// A dlfilter with a table that ends after the functions it knows: perf writes over what is behind it.
#include "dlfilters/abi.h"

extern "C" __attribute__((visibility("default"))) void* perf_dlfilter_fns[9];
void* perf_dlfilter_fns[9];
extern "C" __attribute__((visibility("default"))) int filter_event(void*, const perfsift::dlfilter::Sample*, void*) {
  return 0;
}
