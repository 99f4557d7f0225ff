// A dlfilter that prints all its input and the result of every call, so that two hosts can be compared.
//
//   --dlarg N   only every Nth sample
//
// For pointers, it prints only whether they are null. For strings, it prints whether their address is still the same.

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>

#include "dlfilters/abi.h"

using namespace perfsift::dlfilter;

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED Functions perf_dlfilter_fns;
Functions perf_dlfilter_fns;

namespace {

struct State {
  unsigned long every = 1;
  unsigned long samples = 0;
  std::map<std::tuple<std::string, std::string, std::uint64_t>, const char*> symbols;
};

const char* there(const void* pointer) { return pointer != nullptr ? "there" : "null"; }
const char* text(const char* string) { return string != nullptr ? string : "(null)"; }

void print_bytes(const std::uint8_t* bytes, std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i) std::printf("%02x", bytes[i]);
}

// The size of a location and the members behind comm depend on the version of perf.
void print_location(State& state, const char* what, const AddressLocation* al) {
  if (al == nullptr) return void(std::printf("  %s null\n", what));
  std::printf("  %s symoff %x sym %s addr %" PRIx64 " start %" PRIx64 " end %" PRIx64
              " dso %s binding %u 64 %u kernel %u",
              what, al->symoff, text(al->sym), al->addr, al->sym_start, al->sym_end, text(al->dso), al->sym_binding,
              al->is_64_bit, al->is_kernel_ip);
  std::printf(" buildid %s ", there(al->buildid));
  print_bytes(al->buildid, al->buildid_size);
  std::printf(" filtered %x comm %s\n", al->filtered, text(al->comm));
  if (al->sym == nullptr) return;
  const auto [known, is_new] = state.symbols.try_emplace({al->sym, text(al->dso), al->sym_start}, al->sym);
  if (known->second != al->sym) std::printf("  MOVED %s\n", al->sym);
}

void print_address(State& state, const char* what, void* ctx, std::uint64_t address) {
  AddressLocation al{};
  al.size = AddressLocation::size_v0;
  const int result = perf_dlfilter_fns.resolve_address(ctx, address, &al);
  std::printf("  %s %" PRIx64 " %d size %u\n", what, address, result, al.size);
  print_location(state, what, &al);
  if (perf_dlfilter_fns.al_cleanup != nullptr) perf_dlfilter_fns.al_cleanup(ctx, &al);
  std::uint8_t code[24];
  const int read = perf_dlfilter_fns.object_code(ctx, address, code, sizeof code);
  std::printf("  %s code %d ", what, read);
  print_bytes(code, read < 0 ? 0 : static_cast<std::uint32_t>(read));
  std::printf("\n");
}

void print_fields(const Sample& s) {
  std::printf("  size %u ins_lat %u p_stage_cyc %u ip %" PRIx64 " pid %d tid %d time %" PRIu64 " addr %" PRIx64
              " id %" PRIu64 " stream %" PRIu64 " period %" PRIu64 " weight %" PRIu64 " transaction %" PRIx64 "\n",
              s.size, s.ins_lat, s.p_stage_cyc, s.ip, s.pid, s.tid, s.time, s.addr, s.id, s.stream_id, s.period,
              s.weight, s.transaction);
  std::printf("  insn %" PRIu64 " cyc %" PRIu64 " cpu %d flags %x data_src %" PRIx64 " phys %" PRIx64 " pages %" PRIu64
              " %" PRIu64 " cgroup %" PRIu64 " mode %u correlates %u misc %u event %s machine %d vcpu %d\n",
              s.insn_cnt, s.cyc_cnt, s.cpu, s.flags, s.data_src, s.phys_addr, s.data_page_size, s.code_page_size,
              s.cgroup, s.cpumode, s.addr_correlates_sym, s.misc, text(s.event), s.machine_pid, s.vcpu);
}

// Also prints the data behind the callchain in the record, which filters are known to use: three words, where it is
// certain that there are three.
void print_variable_parts(const Sample& s) {
  std::printf("  raw %u %s ", s.raw_size, there(s.raw_data));
  print_bytes(static_cast<const std::uint8_t*>(s.raw_data), s.raw_size);
  std::printf("\n  brstack %" PRIu64 " %s", s.brstack_nr, there(s.brstack));
  for (std::uint64_t i = 0; i < s.brstack_nr; ++i) {
    std::printf(" %" PRIx64 "/%" PRIx64 "/%" PRIx64, s.brstack[i].from, s.brstack[i].to, s.brstack[i].flags);
  }
  std::printf("\n  callchain %" PRIu64 " %s", s.raw_callchain_nr, there(s.raw_callchain));
  for (std::uint64_t i = 0; i < s.raw_callchain_nr; ++i) std::printf(" %" PRIx64, s.raw_callchain[i]);
  std::printf("\n");
}

void print_behind_callchain(const Sample& s, std::uint64_t sample_type) {
  constexpr std::uint64_t registers = 1U << 12, raw_and_branches = 1U << 10 | 1U << 11;
  if ((sample_type & registers) == 0 || (sample_type & raw_and_branches) != 0 || s.raw_callchain == nullptr) return;
  const std::uint64_t* const behind = s.raw_callchain + s.raw_callchain_nr;
  std::printf("  registers %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", behind[0], behind[1], behind[2]);
}

void print_answers(State& state, const Sample& s, void* ctx) {
  const auto* const attr = static_cast<const std::uint64_t*>(perf_dlfilter_fns.attr(ctx));
  std::printf("  attr");
  for (int i = 0; i < 8; ++i) std::printf(" %" PRIx64, attr[i]);
  std::printf("\n");
  print_behind_callchain(s, attr[3]);
  print_location(state, "ip", perf_dlfilter_fns.resolve_ip(ctx));
  print_location(state, "addr", perf_dlfilter_fns.resolve_addr(ctx));
  print_address(state, "address of ip", ctx, s.ip);
  print_address(state, "address of addr", ctx, s.addr);
  print_address(state, "address of nothing", ctx, 0x10);
  for (std::uint64_t i = 0; i < s.raw_callchain_nr; ++i) print_address(state, "caller", ctx, s.raw_callchain[i]);

  std::uint32_t length = 99;
  const std::uint8_t* const insn = perf_dlfilter_fns.insn(ctx, &length);
  std::printf("  insn %s %u ", there(insn), length);
  print_bytes(insn, length);
  std::uint32_t line = 99;
  const char* const file = perf_dlfilter_fns.srcline(ctx, &line);
  std::printf("\n  srcline %s %u\n", text(file), line);
}

// Calls every function where calls are not permitted.
void print_refusals(const char* where, void* ctx) {
  std::uint32_t number = 99;
  AddressLocation al{};
  al.size = sizeof al;
  std::uint8_t code[1];
  std::printf("%s: ip %s addr %s", where, there(perf_dlfilter_fns.resolve_ip(ctx)),
              there(perf_dlfilter_fns.resolve_addr(ctx)));
  std::printf(" address %d size %u", perf_dlfilter_fns.resolve_address(ctx, 0x10, &al), al.size);
  std::printf(" insn %s", there(perf_dlfilter_fns.insn(ctx, &number)));
  std::printf(" %u", number);
  number = 99;
  std::printf(" srcline %s", text(perf_dlfilter_fns.srcline(ctx, &number)));
  std::printf(" %u attr %s code %d\n", number, there(perf_dlfilter_fns.attr(ctx)),
              perf_dlfilter_fns.object_code(ctx, 0x10, code, sizeof code));
}

int probe(const char* stage, void* data, const Sample* sample, void* ctx) {
  State& state = *static_cast<State*>(data);
  if (state.samples % state.every != 0) return 0;
  std::printf("%s %lu\n", stage, state.samples);
  print_fields(*sample);
  print_variable_parts(*sample);
  print_answers(state, *sample, ctx);
  return 0;
}

}  // namespace

EXPORTED int start(void** data, void* ctx) {
  auto* const state = new State;
  int count = 99;
  char** const arguments = perf_dlfilter_fns.args(ctx, &count);
  std::printf("start data %s %s %d", there(*data), there(perf_dlfilter_fns.args(ctx, nullptr)), count);
  for (int i = 0; i < count; ++i) std::printf(" '%s'", arguments[i]);
  std::printf("\n");
  if (count > 0) state->every = std::strtoul(arguments[0], nullptr, 10);
  *data = state;
  print_refusals("start", ctx);
  return 0;
}

EXPORTED int filter_event_early(void* data, const Sample* sample, void* ctx) {
  return probe("early", data, sample, ctx);
}

EXPORTED int filter_event(void* data, const Sample* sample, void* ctx) {
  const int result = probe("late", data, sample, ctx);
  ++static_cast<State*>(data)->samples;
  return result;
}

EXPORTED int stop(void* data, void* ctx) {
  print_refusals("stop", ctx);
  if (data == nullptr) return 0;
  std::printf("stop after %lu\n", static_cast<State*>(data)->samples);
  delete static_cast<State*>(data);
  return 0;
}
