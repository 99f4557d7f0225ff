// A dlfilter whose first --dlarg selects its behaviour. Without --dlarg it keeps all samples.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "dlfilters/abi.h"

using namespace perfsift::dlfilter;

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED Functions perf_dlfilter_fns;
Functions perf_dlfilter_fns;

namespace {

std::string_view order;

bool told(std::string_view what) { return order == what; }

}  // namespace

EXPORTED int start(void**, void* ctx) {
  int count = 0;
  char** const arguments = perf_dlfilter_fns.args(ctx, &count);
  order = count > 0 ? arguments[0] : "";
  std::printf("start %s\n", order.data());
  if (told("ask in start")) perf_dlfilter_fns.resolve_ip(ctx);
  return told("start fails") ? 7 : 0;
}

EXPORTED int filter_event_early(void*, const Sample* sample, void*) {
  if (told("drop early")) return 1;
  if (told("read machine_pid")) return sample->machine_pid == 0 ? 0 : 1;
  return told("early fails") ? -300 : 0;
}

EXPORTED int filter_event(void*, const Sample*, void* ctx) {
  std::printf("[%s] ", order.data());
  if (told("crash")) std::abort();
  if (told("throw")) throw std::runtime_error("thrown");
  if (told("null pointers")) perf_dlfilter_fns.insn(ctx, nullptr);
  if (told("no cleanup")) {
    AddressLocation location{};
    location.size = sizeof location;
    perf_dlfilter_fns.resolve_address(ctx, 0x10, &location);
  }
  if (told("odd size")) {
    AddressLocation location{};
    location.size = 24;
    perf_dlfilter_fns.resolve_address(ctx, 0x10, &location);
  }
  return told("drop") ? 42 : told("fails") ? -5 : 0;
}

EXPORTED int stop(void*, void*) {
  std::printf("stop %s\n", order.data());
  return 3;
}
