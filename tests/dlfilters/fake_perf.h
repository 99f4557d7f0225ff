// perf as a dlfilter sees it. It loads a module, fills in its table, and answers its calls as the test says.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "dlfilters/abi.h"
#include "reader/format/abi.h"
#include "tests/dlfilters/one_page.h"
#include "tests/support/paths.h"

namespace perfsift::dlfilter {

// The version of perf's interface.
enum class Abi : std::uint8_t { v0, v1, v2 };

// Results of filter_event().
inline constexpr int kept = 0, dropped = 1;

inline std::string module_path(const std::string& name) { return test::build_path("perfsift-" + name + ".so"); }

// A sample and its data.
struct FakeSample {
  FakeSample() {
    sample.pid = sample.tid = sample.cpu = -1;
    sample.time = Sample::no_time;
    sample.id = sample.stream_id = Sample::no_id;
    sample.data_src = Sample::no_data_source_6_1;
    sample.event = "cycles:u";
    sample.vcpu = -1;
    sample.cpumode = 2;
    sample.misc = 2;
    with_attr(24, reader::sample_bit::ip | reader::sample_bit::tid | reader::sample_bit::time |
                      reader::sample_bit::callchain | reader::sample_bit::period);
  }
  // A 64-bit member of struct perf_event_attr, by its offset.
  FakeSample& with_attr(std::size_t offset, std::uint64_t value) {
    std::memcpy(attr.data() + offset, &value, sizeof value);
    return *this;
  }
  FakeSample& with_thread(std::int32_t pid, std::int32_t tid) {
    sample.pid = pid;
    sample.tid = tid;
    return *this;
  }
  FakeSample& with_ip(std::uint64_t ip) { return sample.ip = ip, *this; }
  FakeSample& with_stack(std::vector<std::uint64_t> words) { return callchain = std::move(words), *this; }
  FakeSample& with_raw(std::vector<std::byte> bytes) { return raw = std::move(bytes), *this; }
  // Calls as from --call-graph lbr: the calls that have not returned, newest first. `calls` must outlive the sample.
  FakeSample& with_branch_calls(std::span<const Branch> calls) {
    sample.brstack = calls.data();
    sample.brstack_nr = calls.size();
    constexpr std::uint64_t whole_size = 128;  // the upper half of the first word: the size of the attr
    return with_attr(0, whole_size << 32).with_attr(72, reader::branch_sample::call_stack);
  }
  // The record of the sample. `first_entry` is the offset of the callchain's first entry in the record; `entries` is
  // the number of entries.
  FakeSample& with_record(std::vector<std::byte> bytes, std::size_t first_entry, std::size_t entries) {
    record = test::in_one_page(std::move(bytes));
    callchain_at = first_entry;
    sample.raw_callchain_nr = entries;
    return *this;
  }

  Sample sample{};
  std::array<std::byte, 128> attr{};
  std::optional<std::vector<std::uint64_t>> callchain;
  std::vector<std::byte> raw;
  std::vector<std::byte> record;
  std::size_t callchain_at = 0;
};

// The symbol and the DSO that start at an address.
struct FakePlace {
  const char* sym = nullptr;
  const char* dso = nullptr;
};

class FakePerf {
 public:
  FakePerf(const std::string& module, Abi abi, std::vector<std::string> arguments = {})
      : abi_(abi), arguments_(std::move(arguments)) {
    for (std::string& argument : arguments_) argv_.push_back(argument.data());
    handle_ = dlopen(module_path(module).c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle_, nullptr) << dlerror();
    Functions table{};
    table.args = args;
    table.attr = attr;
    table.resolve_ip = resolve_ip;
    table.resolve_address = resolve_address;
    if (abi == Abi::v2) table.al_cleanup = al_cleanup;
    set_table(table);
  }
  ~FakePerf() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  FakePerf(const FakePerf&) = delete;
  FakePerf& operator=(const FakePerf&) = delete;

  void set_table(const Functions& table) { *static_cast<Functions*>(dlsym(handle_, entry_point::functions)) = table; }
  static Functions only_arguments_and_attr() {
    Functions table{};
    table.args = args;
    table.attr = attr;
    return table;
  }

  int start() { return find<Start>(entry_point::start)(&data_, this); }
  int stop() { return find<Stop>(entry_point::stop)(data_, this); }
  int early(const FakeSample& sample) { return show(sample, entry_point::filter_event_early); }
  int late(const FakeSample& sample) { return show(sample, entry_point::filter_event); }
  // Calls both functions as perf does.
  int filter(const FakeSample& sample) {
    const int answer = early(sample);
    return answer != 0 ? answer : late(sample);
  }
  template <typename Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name));
  }

  const char* comm = "comm";
  std::map<std::uint64_t, FakePlace> places;
  std::uint32_t sample_size = 0;              // replaces the true size
  int resolved_ips = 0;                       // number of calls
  std::vector<std::uint64_t> resolved;        // the addresses that were resolved
  std::vector<std::uint32_t> location_sizes;  // the sizes of the struct that the module passed
  int cleaned_up = 0;

 private:
  // The sample has exactly its size in memory, so that reads of members from later versions are detected.
  int show(const FakeSample& shown, const char* function) {
    const std::size_t size = abi_ == Abi::v0 ? Sample::size_v0 : Sample::size_v1;
    Sample full = shown.sample;
    full.size = sample_size != 0 ? sample_size : static_cast<std::uint32_t>(size);
    if (shown.callchain) {
      full.raw_callchain = shown.callchain->data();
      full.raw_callchain_nr = shown.callchain->size();
    } else if (!shown.record.empty()) {
      full.raw_callchain = reinterpret_cast<const std::uint64_t*>(shown.record.data() + shown.callchain_at);
    }
    if (!shown.raw.empty()) {
      full.raw_data = shown.raw.data();
      full.raw_size = static_cast<std::uint32_t>(shown.raw.size());
    }
    const std::unique_ptr<std::byte[]> memory(new std::byte[size]);
    std::memcpy(memory.get(), &full, size);
    shown_ = &shown;
    const int answer = find<FilterEvent>(function)(data_, reinterpret_cast<const Sample*>(memory.get()), this);
    shown_ = nullptr;
    return answer;
  }

  static FakePerf& of(void* context) { return *static_cast<FakePerf*>(context); }

  static char** args(void* context, int* count) {
    *count = static_cast<int>(of(context).argv_.size());
    return of(context).argv_.data();
  }
  static const void* attr(void* context) { return of(context).shown_->attr.data(); }
  static const AddressLocation* resolve_ip(void* context) {
    FakePerf& perf = of(context);
    ++perf.resolved_ips;
    perf.ip_ = perf.location(perf.shown_->sample.ip);
    perf.ip_.comm = perf.comm;
    return &perf.ip_;
  }
  static std::int32_t resolve_address(void* context, std::uint64_t address, AddressLocation* location) {
    FakePerf& perf = of(context);
    perf.resolved.push_back(address);
    perf.location_sizes.push_back(location->size);
    const AddressLocation found = perf.location(address);
    const std::uint32_t size = location->size;
    std::memcpy(location, &found, std::min<std::size_t>(size, found.size));
    location->size = size;
    return 0;
  }
  static void al_cleanup(void* context, AddressLocation*) { ++of(context).cleaned_up; }

  AddressLocation location(std::uint64_t address) const {
    AddressLocation found{};
    found.size = abi_ == Abi::v2 ? AddressLocation::size_v2 : AddressLocation::size_v0;
    found.addr = address;
    found.is_kernel_ip = address >> 63 != 0;
    const auto after = places.upper_bound(address);
    if (after == places.begin()) return found;
    const FakePlace& place = std::prev(after)->second;
    found.sym = place.sym;
    found.dso = place.dso;
    found.sym_start = std::prev(after)->first;
    return found;
  }

  const Abi abi_;
  std::vector<std::string> arguments_;
  std::vector<char*> argv_;
  void* handle_ = nullptr;
  void* data_ = nullptr;
  const FakeSample* shown_ = nullptr;
  AddressLocation ip_{};
};

}  // namespace perfsift::dlfilter
