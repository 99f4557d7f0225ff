// A dlfilter in C++: a class that says which samples are kept.
//
// ```cpp
// #include <dlfilters/sdk.h>
//
// class LongSamples {
//  public:
//   explicit LongSamples(const perfsift::dlfilter::Arguments& arguments) : least_(arguments.number(0)) {}
//   bool keeps(const perfsift::dlfilter::SampleView& sample) { return sample->period >= least_; }
//
//  private:
//   std::uint64_t least_;
// };
// PERFSIFT_DLFILTER(LongSamples, "keeps samples of at least --dlarg PERIOD events", "")
// ```
//
// One object is made when the run starts and destroyed when it ends; a member function finish(), where there is one, is
// called before. Exceptions end the run: with one line that says why, as perf itself says nothing. Works with perf from
// 5.14 on, whatever it offers: what it does not have is simply not there.
//
// Compile it as a shared object with hidden visibility (-shared -fPIC -fvisibility=hidden), or with CMake:
//
//   find_package(perfsift-dlfilter REQUIRED)
//   add_library(long-samples MODULE long_samples.cpp)
//   target_link_libraries(long-samples PRIVATE perfsift::dlfilter)
#pragma once

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "dlfilters/abi.h"

// Filled in by perf when it loads the filter; PERFSIFT_DLFILTER… defines it.
extern "C" __attribute__((visibility("default"))) perfsift::dlfilter::Functions perf_dlfilter_fns;

namespace perfsift::dlfilter {

// The words of --dlarg, in order. A missing or wrong word throws an exception that says so.
class Arguments {
 public:
  explicit Arguments(void* context) {
    int count = 0;
    char** const all = perf_dlfilter_fns.args != nullptr ? perf_dlfilter_fns.args(context, &count) : nullptr;
    for (int i = 0; all != nullptr && i < count; ++i) values_.emplace_back(all[i]);
  }

  std::size_t size() const { return values_.size(); }
  std::string_view operator[](std::size_t index) const {
    if (index >= size()) throw std::invalid_argument("--dlarg number " + std::to_string(index + 1) + " is missing");
    return values_[index];
  }
  std::uint64_t number(std::size_t index) const {
    const std::string_view text = (*this)[index];
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw std::invalid_argument("--dlarg " + std::string(text) + ": not a number");
    }
    return value;
  }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  std::vector<std::string_view> values_;  // perf keeps them to the end
};

// The location of an address. The destructor gives back what perf keeps for it.
class Location {
 public:
  Location(void* context, std::uint64_t address) : context_(context) {
    location_.size = sizeof location_;
    found_ = perf_dlfilter_fns.resolve_address != nullptr &&
             perf_dlfilter_fns.resolve_address(context, address, &location_) == 0;
  }
  ~Location() {
    if (found_ && perf_dlfilter_fns.al_cleanup != nullptr) perf_dlfilter_fns.al_cleanup(context_, &location_);
  }
  Location(const Location&) = delete;
  Location& operator=(const Location&) = delete;

  // Empty where there is none.
  std::string_view symbol() const { return location_.sym != nullptr ? location_.sym : std::string_view(); }
  std::string_view dso() const { return location_.dso != nullptr ? location_.dso : std::string_view(); }
  const AddressLocation* operator->() const { return &location_; }

 private:
  void* context_;
  AddressLocation location_{};
  bool found_ = false;
};

struct SourceLine {
  std::string_view file;
  std::uint32_t line = 0;  // 0: unknown
};

// A sample, and what can be asked about it. Good until keeps() returns.
class SampleView {
 public:
  SampleView(const Sample& sample, void* context) : sample_(sample), context_(context) {}

  // Members that came after perf 5.14 have functions of their own below.
  const Sample* operator->() const { return &sample_; }

  std::string_view event() const { return sample_.event; }
  std::span<const std::uint64_t> callchain() const {
    return {sample_.raw_callchain, sample_.raw_callchain != nullptr ? sample_.raw_callchain_nr : 0};
  }
  std::span<const Branch> branches() const {
    return {sample_.brstack, sample_.brstack != nullptr ? sample_.brstack_nr : 0};
  }
  std::span<const std::byte> raw() const {
    return {static_cast<const std::byte*>(sample_.raw_data), sample_.raw_data != nullptr ? sample_.raw_size : 0};
  }
  std::int32_t machine_pid() const { return sample_.size >= Sample::size_v1 ? sample_.machine_pid : 0; }
  std::int32_t vcpu() const { return sample_.size >= Sample::size_v1 ? sample_.vcpu : -1; }

  // The location of the ip, with the thread's name, and the location of addr. Null where perf has nothing.
  const AddressLocation* ip_location() const {
    return perf_dlfilter_fns.resolve_ip != nullptr ? perf_dlfilter_fns.resolve_ip(context_) : nullptr;
  }
  const AddressLocation* addr_location() const {
    return perf_dlfilter_fns.resolve_addr != nullptr ? perf_dlfilter_fns.resolve_addr(context_) : nullptr;
  }
  Location location(std::uint64_t address) const { return {context_, address}; }

  // Empty when it cannot be read.
  std::span<const std::uint8_t> instruction() const {
    std::uint32_t length = 0;
    const auto* const bytes = perf_dlfilter_fns.insn != nullptr ? perf_dlfilter_fns.insn(context_, &length) : nullptr;
    return {bytes, bytes != nullptr ? length : 0};
  }
  std::optional<SourceLine> source_line() const {
    std::uint32_t line = 0;
    const char* const file =
        perf_dlfilter_fns.srcline != nullptr ? perf_dlfilter_fns.srcline(context_, &line) : nullptr;
    if (file == nullptr) return std::nullopt;
    return SourceLine{.file = file, .line = line};
  }
  // struct perf_event_attr
  const void* attr() const { return perf_dlfilter_fns.attr != nullptr ? perf_dlfilter_fns.attr(context_) : nullptr; }
  // The part of `into` that was filled with code from `address` on.
  std::span<std::byte> code(std::uint64_t address, std::span<std::byte> into) const {
    if (perf_dlfilter_fns.object_code == nullptr) return {};
    const auto size = static_cast<std::uint32_t>(into.size());
    const std::int32_t read = perf_dlfilter_fns.object_code(context_, address, into.data(), size);
    return into.first(read > 0 ? static_cast<std::size_t>(read) : 0);
  }

 private:
  const Sample& sample_;
  void* context_;
};

// The parts of the entry points.
namespace sdk {

constexpr int run_ends = -EINVAL;

// Turns an exception into a line that says why, and a negative number.
template <typename Call>
int guarded(const char* filter, Call&& call) noexcept {
  try {
    return call();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", filter, error.what());
  } catch (...) {
    std::fprintf(stderr, "%s: an unknown exception\n", filter);
  }
  return run_ends;
}

template <typename Filter>
int start(const char* name, void** data, void* context) noexcept {
  return guarded(name, [&] { return *data = new Filter(Arguments(context)), 0; });
}

template <typename Filter, typename Keeps>
int filter(const char* name, void* data, const Sample* sample, void* context, Keeps&& keeps) noexcept {
  return guarded(name, [&] { return keeps(*static_cast<Filter*>(data), SampleView(*sample, context)) ? 0 : 1; });
}

// perf calls stop() without start() when it shows the header alone.
template <typename Filter>
int stop(const char* name, void* data) noexcept {
  return guarded(name, [&] {
    const std::unique_ptr<Filter> filter(static_cast<Filter*>(data));
    if constexpr (requires(Filter & f) { f.finish(); }) {
      if (filter) filter->finish();
    }
    return 0;
  });
}

}  // namespace sdk
}  // namespace perfsift::dlfilter

#define PERFSIFT_DLFILTER_ENTRY extern "C" __attribute__((visibility("default")))

// The entry points that every filter has.
#define PERFSIFT_DLFILTER_FRAME(Filter, description, text)                                                             \
  perfsift::dlfilter::Functions perf_dlfilter_fns;                                                                     \
  PERFSIFT_DLFILTER_ENTRY int start(void** data, void* context) {                                                      \
    return perfsift::dlfilter::sdk::start<Filter>(#Filter, data, context);                                             \
  }                                                                                                                    \
  PERFSIFT_DLFILTER_ENTRY int stop(void* data, void*) { return perfsift::dlfilter::sdk::stop<Filter>(#Filter, data); } \
  PERFSIFT_DLFILTER_ENTRY const char* filter_description(const char** long_description) {                              \
    *long_description = text;                                                                                          \
    return description;                                                                                                \
  }

#define PERFSIFT_DLFILTER_ASKS(entry, Filter, member)                                                      \
  PERFSIFT_DLFILTER_ENTRY int entry(void* data, const perfsift::dlfilter::Sample* sample, void* context) { \
    return perfsift::dlfilter::sdk::filter<Filter>(                                                        \
        #Filter, data, sample, context,                                                                    \
        [](Filter& filter, const perfsift::dlfilter::SampleView& view) { return filter.member(view); });   \
  }

// The entry points of a filter class, at namespace scope of one source file: `keeps` is asked about samples that
// nothing else drops, …
#define PERFSIFT_DLFILTER(Filter, description, text) \
  PERFSIFT_DLFILTER_FRAME(Filter, description, text) \
  PERFSIFT_DLFILTER_ASKS(filter_event, Filter, keeps)
// … or about all of them, before perf has looked anything up, which is cheap for those that are dropped, …
#define PERFSIFT_DLFILTER_EARLY(Filter, description, text) \
  PERFSIFT_DLFILTER_FRAME(Filter, description, text)       \
  PERFSIFT_DLFILTER_ASKS(filter_event_early, Filter, keeps)
// … or `keeps_early` about all, and `keeps` about those that nothing dropped.
#define PERFSIFT_DLFILTER_BOTH(Filter, description, text)         \
  PERFSIFT_DLFILTER_FRAME(Filter, description, text)              \
  PERFSIFT_DLFILTER_ASKS(filter_event_early, Filter, keeps_early) \
  PERFSIFT_DLFILTER_ASKS(filter_event, Filter, keeps)
