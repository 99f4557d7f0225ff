// The binary interface between `perf script` and a dlfilter, a shared object given by --dlfilter.
//
// perf looks five functions up by name in the shared object (see `entry_point`), hands them samples, and answers their
// questions through a table of function pointers that it copies into the variable `perf_dlfilter_fns` of the object.
// The structs have grown twice and may grow again. Each begins with its size: code that reads a member of a later
// version looks at the size first:
//
//            perf        Sample   AddressLocation   functions in the table
//      v0    5.14         200           80            8
//      v1    6.0          208           80            8     machine_pid, vcpu
//      v2    6.6          208           88            9     al_cleanup, cleanup_data
//
// Written down from the layout of the compiled interface. Numbers are in the byte order of the machine. Nothing but the
// standard library is needed, so that this header can be installed and used on its own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perfsift::dlfilter {

// The names perf looks up. All functions are optional, and so is the table.
namespace entry_point {
constexpr const char* start = "start";
constexpr const char* stop = "stop";
constexpr const char* filter_event = "filter_event";
constexpr const char* filter_event_early = "filter_event_early";
constexpr const char* filter_description = "filter_description";  // only for lists of filters
constexpr const char* functions = "perf_dlfilter_fns";            // the variable that takes the table
}  // namespace entry_point

// Bits of Sample::flags: what a branch was. Only decoders of hardware traces (Intel PT, CoreSight, …) set them.
namespace sample_flag {
constexpr std::uint32_t branch = 1U << 0;
constexpr std::uint32_t call = 1U << 1;
constexpr std::uint32_t return_ = 1U << 2;
constexpr std::uint32_t conditional = 1U << 3;
constexpr std::uint32_t system_call_return = 1U << 4;
constexpr std::uint32_t asynchronous = 1U << 5;
constexpr std::uint32_t interrupt = 1U << 6;
constexpr std::uint32_t transaction_abort = 1U << 7;
constexpr std::uint32_t trace_begin = 1U << 8;
constexpr std::uint32_t trace_end = 1U << 9;
constexpr std::uint32_t in_transaction = 1U << 10;
constexpr std::uint32_t vm_entry = 1U << 11;
constexpr std::uint32_t vm_exit = 1U << 12;
}  // namespace sample_flag

// Bits of AddressLocation::filtered: why perf would not show the sample. Limits on time and CPU never appear here.
namespace filtered_by {
constexpr std::uint8_t dso = 0x01;
constexpr std::uint8_t thread = 0x02;  // process, thread or its name
constexpr std::uint8_t parent = 0x04;
constexpr std::uint8_t symbol = 0x08;
constexpr std::uint8_t guest = 0x10;
constexpr std::uint8_t host = 0x20;
constexpr std::uint8_t socket = 0x40;
constexpr std::uint8_t c2c = 0x80;
}  // namespace filtered_by

// A branch record of the hardware (struct perf_branch_entry).
struct Branch {
  std::uint64_t from;
  std::uint64_t to;
  std::uint64_t flags;  // mispred:1 predicted:1 in_tx:1 abort:1 cycles:16 type:4 spec:2 new_type:4 priv:3
};
static_assert(sizeof(Branch) == 24);

// One sample. Valid, with all it points to, until the filter returns.
struct Sample {
  // The value of a field that the recording does not have.
  static constexpr std::uint64_t no_time = ~std::uint64_t{0};
  static constexpr std::uint64_t no_id = ~std::uint64_t{0};
  static constexpr std::uint64_t no_data_source_6_1 = 0x5080021;      // every part of it says "not available"
  static constexpr std::uint64_t no_data_source_6_12 = 0x1e05080021;  // since the level has a number of its own for it

  static constexpr std::uint32_t size_v0 = 200;
  static constexpr std::uint32_t size_v1 = 208;

  std::uint32_t size;         // of this struct, as perf knows it
  std::uint16_t ins_lat;      // cycles from issue to retirement; 0 when not recorded, as everything else below
  std::uint16_t p_stage_cyc;  // cycles of a pipeline stage
  std::uint64_t ip;
  std::int32_t pid;         // -1 when not recorded
  std::int32_t tid;         // -1
  std::uint64_t time;       // nanoseconds of the recording's clock; no_time
  std::uint64_t addr;       // data address, or target of a branch
  std::uint64_t id;         // of the counter; no_id
  std::uint64_t stream_id;  // no_id
  std::uint64_t period;     // events since the last sample; when not recorded attr.sample_period, which is the
                            // frequency when the recording was made with one
  std::uint64_t weight;     // cost of a memory access, in cycles
  std::uint64_t transaction;
  std::uint64_t insn_cnt;  // instructions and cycles since the last sample that had them: only of decoded traces
  std::uint64_t cyc_cnt;
  std::int32_t cpu;        // -1
  std::uint32_t flags;     // see sample_flag
  std::uint64_t data_src;  // union perf_mem_data_src; no_data_source_…
  std::uint64_t phys_addr;
  std::uint64_t data_page_size;
  std::uint64_t code_page_size;
  std::uint64_t cgroup;
  std::uint8_t cpumode;              // 1 kernel, 2 user, 3 hypervisor, 4 guest kernel, 5 guest user, 0 unknown
  std::uint8_t addr_correlates_sym;  // 1: resolve_addr() answers
  std::uint16_t misc;                // of the record's header; cpumode is its lowest three bits
  std::uint32_t raw_size;            // with the kernel's padding
  const void* raw_data;              // of a tracepoint, a BPF program's output, …; null when not recorded
  std::uint64_t brstack_nr;
  const Branch* brstack;               // newest first; null when not recorded
  std::uint64_t raw_callchain_nr;      // entries, context markers included
  const std::uint64_t* raw_callchain;  // as the kernel wrote it, leaf first, with its context markers (values from
                                       // -4095 on); null when not recorded. Not what is unwound from DWARF.
  const char* event;                   // "cycles:u", "sched:sched_switch", …
  // Since v1
  std::int32_t machine_pid;  // the process of the virtual machine; 0 when not of a guest
  std::int32_t vcpu;         // -1
};

// The binary and the symbol of an address. The strings live at least as long as the callback.
struct AddressLocation {
  static constexpr std::uint32_t size_v0 = 80;
  static constexpr std::uint32_t size_v2 = 88;

  std::uint32_t size;       // of this struct, as its owner knows it: set it before resolve_address()
  std::uint32_t symoff;     // of the address in the symbol
  const char* sym;          // demangled; null when there is none
  std::uint64_t addr;       // in `dso`, as its symbol table counts; the address itself when nothing is mapped there
  std::uint64_t sym_start;  // of the symbol, as `addr` counts
  std::uint64_t sym_end;
  const char* dso;           // path of the file, "[kernel.kallsyms]", …; null when nothing is mapped there
  std::uint8_t sym_binding;  // STB_LOCAL 0, STB_GLOBAL 1, STB_WEAK 2
  std::uint8_t is_64_bit;    // of `dso`
  std::uint8_t is_kernel_ip;
  std::uint32_t buildid_size;  // 0 when it is not known
  const std::uint8_t* buildid;
  // Filled in by resolve_ip() only:
  std::uint8_t filtered;  // see filtered_by; 0: it will be shown
  const char* comm;       // the thread's name at that time
  // Since v2
  void* cleanup_data;  // perf's own, for al_cleanup()
};

// perf's answers. `context` is what the entry point was called with. Everything but args() and al_cleanup() answers in
// filter_event and filter_event_early only.
struct Functions {
  // Null outside of the two filters. Every call for one sample returns the same pointer.
  const AddressLocation* (*resolve_ip)(void* context);
  // Null unless Sample::addr_correlates_sym.
  const AddressLocation* (*resolve_addr)(void* context);
  // The --dlarg options, in order; valid until after stop(). Null when `count` is.
  char** (*args)(void* context, int* count);
  // Any address of the sample's thread. `location`->size bytes of it are written. 0 when it could be asked, also where
  // nothing is mapped; else -1.
  std::int32_t (*resolve_address)(void* context, std::uint64_t address, AddressLocation* location);
  // The bytes of the instruction at Sample::ip; null when they cannot be read.
  const std::uint8_t* (*insn)(void* context, std::uint32_t* length);
  // The source file of Sample::ip, and its line, 0 where it is unknown. `line` must not be null.
  const char* (*srcline)(void* context, std::uint32_t* line);
  // struct perf_event_attr of the sample's event.
  const void* (*attr)(void* context);
  // Copies code from `address` on. How many bytes there were, at most `size`; -1 when it cannot be read.
  std::int32_t (*object_code)(void* context, std::uint64_t address, void* buffer, std::uint32_t size);
  // Since v2, null before: frees what resolve_address() keeps for `location`. May be called at any time.
  void (*al_cleanup)(void* context, AddressLocation* location);
  void* (*reserved[119])(void*);  // null
};

// The types of the entry points. A filter returns 0 to keep a sample, a positive number to drop it, a negative one to
// end the run. `data` is what start() made of it, null when start() was not called.
using Start = int(void** data, void* context);
using Stop = int(void* data, void* context);
using FilterEvent = int(void* data, const Sample* sample, void* context);
using FilterDescription = const char*(const char** long_description);

// The layout itself: what a compiler must not change.
static_assert(sizeof(void*) == 8, "dlfilters are a matter of 64-bit machines here");
static_assert(sizeof(Sample) == Sample::size_v1);
static_assert(offsetof(Sample, size) == 0);
static_assert(offsetof(Sample, ins_lat) == 4);
static_assert(offsetof(Sample, p_stage_cyc) == 6);
static_assert(offsetof(Sample, ip) == 8);
static_assert(offsetof(Sample, pid) == 16);
static_assert(offsetof(Sample, tid) == 20);
static_assert(offsetof(Sample, time) == 24);
static_assert(offsetof(Sample, addr) == 32);
static_assert(offsetof(Sample, id) == 40);
static_assert(offsetof(Sample, stream_id) == 48);
static_assert(offsetof(Sample, period) == 56);
static_assert(offsetof(Sample, weight) == 64);
static_assert(offsetof(Sample, transaction) == 72);
static_assert(offsetof(Sample, insn_cnt) == 80);
static_assert(offsetof(Sample, cyc_cnt) == 88);
static_assert(offsetof(Sample, cpu) == 96);
static_assert(offsetof(Sample, flags) == 100);
static_assert(offsetof(Sample, data_src) == 104);
static_assert(offsetof(Sample, phys_addr) == 112);
static_assert(offsetof(Sample, data_page_size) == 120);
static_assert(offsetof(Sample, code_page_size) == 128);
static_assert(offsetof(Sample, cgroup) == 136);
static_assert(offsetof(Sample, cpumode) == 144);
static_assert(offsetof(Sample, addr_correlates_sym) == 145);
static_assert(offsetof(Sample, misc) == 146);
static_assert(offsetof(Sample, raw_size) == 148);
static_assert(offsetof(Sample, raw_data) == 152);
static_assert(offsetof(Sample, brstack_nr) == 160);
static_assert(offsetof(Sample, brstack) == 168);
static_assert(offsetof(Sample, raw_callchain_nr) == 176);
static_assert(offsetof(Sample, raw_callchain) == 184);
static_assert(offsetof(Sample, event) == 192);
static_assert(offsetof(Sample, machine_pid) == Sample::size_v0);
static_assert(offsetof(Sample, vcpu) == 204);

static_assert(sizeof(AddressLocation) == AddressLocation::size_v2);
static_assert(offsetof(AddressLocation, size) == 0);
static_assert(offsetof(AddressLocation, symoff) == 4);
static_assert(offsetof(AddressLocation, sym) == 8);
static_assert(offsetof(AddressLocation, addr) == 16);
static_assert(offsetof(AddressLocation, sym_start) == 24);
static_assert(offsetof(AddressLocation, sym_end) == 32);
static_assert(offsetof(AddressLocation, dso) == 40);
static_assert(offsetof(AddressLocation, sym_binding) == 48);
static_assert(offsetof(AddressLocation, is_64_bit) == 49);
static_assert(offsetof(AddressLocation, is_kernel_ip) == 50);
static_assert(offsetof(AddressLocation, buildid_size) == 52);
static_assert(offsetof(AddressLocation, buildid) == 56);
static_assert(offsetof(AddressLocation, filtered) == 64);
static_assert(offsetof(AddressLocation, comm) == 72);
static_assert(offsetof(AddressLocation, cleanup_data) == AddressLocation::size_v0);

static_assert(sizeof(Functions) == 1024);
static_assert(offsetof(Functions, resolve_ip) == 0);
static_assert(offsetof(Functions, resolve_addr) == 8);
static_assert(offsetof(Functions, args) == 16);
static_assert(offsetof(Functions, resolve_address) == 24);
static_assert(offsetof(Functions, insn) == 32);
static_assert(offsetof(Functions, srcline) == 40);
static_assert(offsetof(Functions, attr) == 48);
static_assert(offsetof(Functions, object_code) == 56);
static_assert(offsetof(Functions, al_cleanup) == 64);

}  // namespace perfsift::dlfilter
