// A dlfilter with a read-only table: perf crashes when it loads this module.
#include "dlfilters/abi.h"

extern "C" __attribute__((visibility("default"))) const perfsift::dlfilter::Functions perf_dlfilter_fns{};
extern "C" __attribute__((visibility("default"))) int filter_event(void*, const perfsift::dlfilter::Sample*, void*) {
  return 0;
}
