// Samples of any recording, as the host gives them to a module. All functions that perf offers are called, with right
// and wrong arguments. perfsift-jsonl.so is linked in, and writes its line for each sample. The first byte selects the
// version of the interface.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "dlfilters/abi.h"
#include "dlfilters/host/answers.h"
#include "dlfilters/host/context.h"
#include "dlfilters/host/filter_sample.h"
#include "tests/reader/reading.h"
#include "tests/support/thorough_visitor.h"

using namespace perfsift;
using namespace perfsift::dlfilter;

// The entry points of the module.
extern "C" {
extern Functions perf_dlfilter_fns;
Start start;
Stop stop;
FilterEvent filter_event, filter_event_early;
}

// libtraceevent leaks memory when it cannot parse a description.
extern "C" const char* __lsan_default_suppressions() { return "leak:libtraceevent"; }

namespace {

// Reads all bytes.
void look_at(const void* bytes, std::size_t size) {
  static volatile std::size_t sum;
  const auto* const all = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) sum = sum + all[i];
}
void look_at(const char* text) {
  if (text != nullptr) look_at(text, std::strlen(text));
}
void look_at(const AddressLocation* location) {
  if (location == nullptr) return;
  look_at(location, location->size);
  look_at(location->sym), look_at(location->dso), look_at(location->comm);
  if (location->buildid != nullptr) look_at(location->buildid, location->buildid_size);
}
void look_at(const dlfilter::Sample& sample) {
  look_at(sample.event);
  if (sample.raw_data != nullptr) look_at(sample.raw_data, sample.raw_size);
  if (sample.brstack != nullptr) look_at(sample.brstack, sample.brstack_nr * sizeof(Branch));
  if (sample.raw_callchain != nullptr) look_at(sample.raw_callchain - 1, (sample.raw_callchain_nr + 1) * 8);
}

void ask_everything(const Functions& perf, void* context, std::uint64_t address) {
  look_at(perf.resolve_ip(context));
  look_at(perf.resolve_addr(context));
  std::uint32_t length = 0, line = 0;
  int count = 0;
  if (const auto* instruction = perf.insn(context, &length)) look_at(instruction, length);
  look_at(perf.srcline(context, &line));
  if (const void* attr = perf.attr(context)) look_at(attr, 64);
  perf.args(context, &count);
  for (const std::uint32_t size : {AddressLocation::size_v0, AddressLocation::size_v2, 0u, 4u, ~0u}) {
    AddressLocation location{};
    location.size = size;
    if (perf.resolve_address(context, address, &location) == 0) {
      location.size = std::min<std::uint32_t>(size, sizeof location);
      look_at(&location);
    }
    if (perf.al_cleanup != nullptr) perf.al_cleanup(context, &location);
  }
  std::array<std::byte, 64> code;
  const std::int32_t copied = perf.object_code(context, address, code.data(), code.size());
  if (copied > static_cast<std::int32_t>(code.size())) __builtin_trap();
  perf.resolve_address(context, address, nullptr), perf.insn(context, nullptr), perf.srcline(context, nullptr);
  perf.object_code(context, address, nullptr, 8), perf.resolve_ip(nullptr), perf.args(context, nullptr);
}

class Host : public reader::OrderedVisitor {
 public:
  Host(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, ApiVersion api)
      : locations_(recording, symbolizer, {}, symbolize::DemangleStyle::perf_6_1),
        answers_(recording, locations_, api, {}),
        samples_(api, recording.header().order),
        perf_(Context::functions(api)) {
    perf_dlfilter_fns = perf_;
    context_.enter(Context::Stage::starting);
    is_started_ = ::start(&data_, &context_) == 0;
    context_.leave();
  }
  ~Host() override {
    context_.enter(Context::Stage::stopping);
    ::stop(data_, &context_);
  }

  void sample(const reader::Sample& sample) override {
    answers_.begin(sample);
    const dlfilter::Sample& made = samples_.make(sample);
    look_at(made);
    context_.enter(Context::Stage::filtering, &answers_);
    for (const std::uint64_t address : {sample.ip, sample.addr, std::uint64_t{0}, ~std::uint64_t{0}})
      ask_everything(perf_, &context_, address);
    for (const std::uint64_t address : sample.callchain.first(std::min<std::size_t>(sample.callchain.size(), 8)))
      ask_everything(perf_, &context_, address);
    if (is_started_ && ::filter_event_early(data_, &made, &context_) == 0) ::filter_event(data_, &made, &context_);
    context_.leave();
    ask_everything(perf_, &context_, sample.ip);
  }
  void record(const reader::Record&, const reader::SampleId&, reader::Moment) override {}

 private:
  Locations locations_;
  Answers answers_;
  FilterSample samples_;
  const Functions perf_;
  Context context_{{"--output=/dev/null", "--filter",
                    "stack has (dso == 'a' || sym =~ 'x') || comm == '*' || mem.op == load || time > 0 || addr > 0"}};
  void* data_ = nullptr;
  bool is_started_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const test::FileInMemory recording(std::vector<std::byte>(bytes + 1, bytes + size));
    symbolize::Symbolizer symbolizer;
    Host host(*recording, symbolizer, static_cast<ApiVersion>(data[0] % 3));
    recording->visit_in_order(host);
  } catch (const InputError&) {
  }
  return 0;
}
