// A dlfilter that checks all its input against expected values. It is built once for each version of the interface that
// its author may have used (VERSION 0, 1, 2), and for each version that a host may offer (OFFERED).
//
//   --dlarg first --dlarg IP --dlarg ADDR --dlarg DO_EARLY --dlarg last
//
// With DO_EARLY 1, filter_event_early keeps samples; with 2 it drops them; with 0 it does nothing.

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "dlfilters/abi.h"

using namespace perfsift::dlfilter;

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED Functions perf_dlfilter_fns;
Functions perf_dlfilter_fns;

namespace {

constexpr std::uint32_t offered_size = OFFERED == 0 ? Sample::size_v0 : Sample::size_v1;
constexpr std::uint32_t location_size = VERSION == 2 ? AddressLocation::size_v2 : AddressLocation::size_v0;

struct State {
  std::uint64_t ip = 0, addr = 0;
  int do_early = 0;
  int early_calls = 0, late_calls = 0;
};
State* made_by_start = nullptr;

// The exit status is the number of the failed line.
#define CHECK(condition)                                                     \
  if (!(condition)) {                                                        \
    std::fprintf(stderr, "api filter: line %d: %s\n", __LINE__, #condition); \
    return -1;                                                               \
  }

bool equal(const char* a, std::string_view b) { return a != nullptr && a == b; }

int check_sample(const State& state, const Sample& sample) {
  CHECK(sample.size == offered_size);
  CHECK(sample.ip == state.ip && sample.addr == state.addr);
  CHECK(sample.pid == 12345 && sample.tid == 12346);
  CHECK(sample.time == 1234567890);
  CHECK(sample.id == 99 && sample.stream_id == 101);
  CHECK(sample.period == 543212345);
  CHECK(sample.cpu == 31);
  CHECK(sample.cpumode == 2 && sample.misc == 2);
  CHECK(sample.addr_correlates_sym == 1);
  CHECK(sample.raw_data == nullptr && sample.raw_size == 0);
  CHECK(sample.brstack == nullptr && sample.brstack_nr == 0);
  CHECK(sample.raw_callchain == nullptr && sample.raw_callchain_nr == 0);
  CHECK(sample.event != nullptr && std::strncmp(sample.event, "branches", 8) == 0);
  if (sample.size > Sample::size_v0) CHECK(sample.machine_pid == 0 && sample.vcpu == -1);
  return 0;
}

int check_attr(void* ctx) {
  const auto* const attr = static_cast<const std::uint32_t*>(perf_dlfilter_fns.attr(ctx));
  CHECK(attr != nullptr);
  CHECK(attr[0] == 0 && attr[2] == 4);  // type: hardware, config: branch instructions
  return 0;
}

int check_addresses(const State& state, void* ctx) {
  const AddressLocation* const ip = perf_dlfilter_fns.resolve_ip(ctx);
  CHECK(ip != nullptr && ip->size >= AddressLocation::size_v0);
  CHECK(equal(ip->sym, "foo") && ip->symoff == 0);
  CHECK(equal(ip->comm, "test-prog") && ip->filtered == 0);
  CHECK(perf_dlfilter_fns.resolve_ip(ctx) == ip);
  const AddressLocation* const addr = perf_dlfilter_fns.resolve_addr(ctx);
  CHECK(addr != nullptr && equal(addr->sym, "bar") && addr->symoff == 0);
  CHECK(addr->comm == nullptr);

  alignas(AddressLocation) std::byte memory[sizeof(AddressLocation) + 8];
  std::memset(memory, 0x5a, sizeof memory);
  auto* const other = reinterpret_cast<AddressLocation*>(memory);
  other->size = location_size;
  CHECK(perf_dlfilter_fns.resolve_address(ctx, state.ip, other) == 0);
  CHECK(other->size == location_size);
  CHECK(other->sym == ip->sym && other->addr == ip->addr && other->dso == ip->dso);
  CHECK(other->sym_start == ip->sym_start && other->sym_end == ip->sym_end);
  for (std::size_t i = location_size; i < sizeof memory; ++i) CHECK(memory[i] == std::byte{0x5a});
  if (perf_dlfilter_fns.al_cleanup != nullptr) perf_dlfilter_fns.al_cleanup(ctx, other);
  return 0;
}

int check_code(const State& state, void* ctx) {
  unsigned char code[15];
  CHECK(perf_dlfilter_fns.object_code(ctx, state.ip, code, sizeof code) > 0);
  std::uint32_t length = 0;
  const std::uint8_t* const instruction = perf_dlfilter_fns.insn(ctx, &length);
#ifdef __x86_64__
  CHECK(instruction != nullptr && length > 0 && std::memcmp(instruction, code, length) == 0);
#else
  CHECK(instruction == nullptr && length == 0);
#endif
  std::uint32_t line = 0;
  const char* const file = perf_dlfilter_fns.srcline(ctx, &line);
  CHECK(file != nullptr && std::strstr(file, "api_program.c") != nullptr && line == 3);
  return 0;
}

int check_all(void* data, const Sample* sample, void* ctx) {
  CHECK(data != nullptr && data == made_by_start);
  const State& state = *static_cast<State*>(data);
  if (const int failed = check_sample(state, *sample)) return failed;
  if (const int failed = check_attr(ctx)) return failed;
  if (const int failed = check_addresses(state, ctx)) return failed;
  return check_code(state, ctx);
}

}  // namespace

EXPORTED int start(void** data, void* ctx) {
  CHECK(data != nullptr && *data == nullptr && made_by_start == nullptr);
  CHECK((perf_dlfilter_fns.al_cleanup != nullptr) == (OFFERED == 2));
  int count = 0;
  char** const arguments = perf_dlfilter_fns.args(ctx, &count);
  CHECK(arguments != nullptr && count == 5);
  CHECK(equal(arguments[0], "first") && equal(arguments[4], "last"));
  CHECK(perf_dlfilter_fns.resolve_ip(ctx) == nullptr && perf_dlfilter_fns.attr(ctx) == nullptr);
  made_by_start = new State{.ip = std::strtoull(arguments[1], nullptr, 0),
                            .addr = std::strtoull(arguments[2], nullptr, 0),
                            .do_early = std::atoi(arguments[3])};
  *data = made_by_start;
  return 0;
}

EXPORTED int filter_event_early(void* data, const Sample* sample, void* ctx) {
  State& state = *static_cast<State*>(data);
  CHECK(++state.early_calls == 1 && state.late_calls == 0);
  if (state.do_early == 0) return 0;
  if (const int failed = check_all(data, sample, ctx)) return failed;
  return state.do_early == 2 ? 1 : 0;
}

EXPORTED int filter_event(void* data, const Sample* sample, void* ctx) {
  State& state = *static_cast<State*>(data);
  CHECK(++state.late_calls == 1 && state.early_calls == 1 && state.do_early != 2);
  return check_all(data, sample, ctx);
}

EXPORTED int stop(void* data, void* ctx) {
  int count = 0;
  CHECK(data == made_by_start && data != nullptr);
  CHECK(perf_dlfilter_fns.args(ctx, &count) != nullptr && count == 5);
  const State& state = *static_cast<State*>(data);
  std::printf("early %d late %d\n", state.early_calls, state.late_calls);
  delete made_by_start;
  made_by_start = nullptr;
  return 0;
}

EXPORTED const char* filter_description(const char** long_description) {
  *long_description = "It knows what it will be given.\nAnd refuses everything else.";
  return "tests the interface";
}
