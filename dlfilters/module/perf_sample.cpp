#include "dlfilters/module/perf_sample.h"

#include <algorithm>
#include <iterator>

#include "base/binary.h"
#include "dlfilters/module/module.h"
#include "facts/recorded_number.h"
#include "reader/branch_calls.h"
#include "symbolize/symbols/plain_name.h"

namespace perfsift::dlfilter {
namespace {

using filter::Fact;
using filter::if_any;
using filter::Number;
using reader::CpuMode;
namespace bit = reader::sample_bit;

std::optional<Number> unless(std::uint64_t none, std::uint64_t value) {
  return value == none ? std::nullopt : std::optional(Number::of(value));
}

bool is_name(Fact fact) { return std::ranges::find(name_facts, fact) != std::end(name_facts); }

template <typename Item, typename From>
std::span<const Unaligned<Item>> unaligned(const From* first, std::uint64_t count) {
  static_assert(sizeof(Unaligned<Item>) == sizeof(From));
  if (first == nullptr) return {};
  return {reinterpret_cast<const Unaligned<Item>*>(first), static_cast<std::size_t>(count)};
}

void check_size(const Sample& sample) {
  if (sample.size < Sample::size_v0) {
    throw Error("perf shows samples of " + std::to_string(sample.size) + " bytes; they have at least " +
                std::to_string(Sample::size_v0) + " since 5.14");
  }
}

reader::Sample recorded_part(const Sample& s, const reader::Event& event) {
  reader::Sample r;
  r.event = &event;
  r.misc = s.misc;
  r.cpumode = static_cast<CpuMode>(s.cpumode);
  r.ip = s.ip;
  r.pid = s.pid;
  r.tid = s.tid;
  r.time = s.time;
  r.addr = s.addr;
  r.id = s.id;
  r.stream_id = s.stream_id;
  r.cpu = s.cpu;
  r.period = s.period;
  r.has_callchain = s.raw_callchain != nullptr;
  r.callchain = unaligned<std::uint64_t>(s.raw_callchain, s.raw_callchain_nr);
  if (s.raw_data != nullptr) r.raw = {static_cast<const std::byte*>(s.raw_data), s.raw_size};
  r.has_branch_stack = s.brstack != nullptr;
  r.branch_stack = unaligned<reader::BranchEntry>(s.brstack, s.brstack_nr);
  r.weight = s.weight;
  r.instruction_latency = s.ins_lat;
  r.pipeline_stage_cycles = s.p_stage_cyc;
  r.data_src = s.data_src;
  r.transaction = s.transaction;
  r.phys_addr = s.phys_addr;
  r.cgroup = s.cgroup;
  r.data_page_size = s.data_page_size;
  r.code_page_size = s.code_page_size;
  return r;
}

}  // namespace

void PerfSample::set(const Sample& sample, void* context, Stage stage) {
  check_size(sample);
  shown_ = &sample;
  recorded_ = recorded_part(sample, events_.of(sample, perf_.attr(context)));
  context_ = context;
  stage_ = stage;
  asked_for_names_ = false;
  flags_ = sample.flags;
  instructions_ = sample.insn_cnt;
  cycles_ = sample.cyc_cnt;
  const bool tells_guests = sample.size >= Sample::size_v1;
  machine_pid_ = tells_guests ? sample.machine_pid : 0;
  vcpu_ = tells_guests ? sample.vcpu : -1;
  has_frames_ = false;
  name_.reset();
  data_name_.reset();
}

std::optional<Number> PerfSample::number(Fact fact) {
  switch (fact) {
    case Fact::stack_size:
      return std::nullopt;  // perf does not show the copied stack
    case Fact::branch_flags:
      return unless(0, flags_);
    case Fact::insn_count:
      return unless(0, instructions_);
    case Fact::cycle_count:
      return unless(0, cycles_);
    case Fact::machine_pid:
      return machine_pid_ == 0 ? std::nullopt : std::optional(Number::of_signed(machine_pid_));
    case Fact::vcpu:
      return vcpu_ == -1 ? std::nullopt : std::optional(Number::of_signed(vcpu_));
    case Fact::symoff:
      if (!recorded_.has(bit::ip) || !may_ask_for_names() || name().sym.empty()) return std::nullopt;
      return Number::of(name().symoff);
    case Fact::srcline:
      if (!recorded_.has(bit::ip) || !may_ask_for_names()) return std::nullopt;
      return unless(0, source_line().line);
    default:
      return facts::recorded_number(recorded_, fact);
  }
}

std::optional<std::string_view> PerfSample::text(Fact fact) {
  if (fact == Fact::event) return event();
  if (!is_name(fact) || !may_ask_for_names()) return std::nullopt;
  switch (fact) {
    case Fact::comm:
      return recorded_.has(bit::tid) ? if_any(comm()) : std::nullopt;
    case Fact::addr_sym:
      return recorded_.has(bit::addr) ? if_any(data_name().sym) : std::nullopt;
    case Fact::addr_dso:
      return recorded_.has(bit::addr) ? if_any(data_name().dso) : std::nullopt;
    default:
      break;
  }
  if (!recorded_.has(bit::ip)) return std::nullopt;
  if (fact == Fact::sym) return if_any(name().sym);
  if (fact == Fact::dso) return if_any(name().dso);
  return if_any(source_line().file);
}

filter::Facts& PerfSample::frame(std::size_t index) {
  frame_.set(index);
  return frame_;
}

std::optional<Number> PerfSample::FrameFacts::number(Fact fact) {
  const Frame& frame = owner_.frames()[index_];
  if (fact == Fact::cpumode) return Number::of(static_cast<std::uint64_t>(frame.mode));
  if (fact == Fact::ip) return Number::of(frame.ip);
  if (fact != Fact::symoff || !owner_.may_ask_for_names()) return std::nullopt;
  const LocationName& name = owner_.name_of_frame(index_);
  if (name.sym.empty()) return std::nullopt;
  return Number::of(frame.return_address ? name.symoff + 1 : name.symoff);
}

std::optional<std::string_view> PerfSample::FrameFacts::text(Fact fact) {
  if ((fact != Fact::sym && fact != Fact::dso) || !owner_.may_ask_for_names()) return std::nullopt;
  const LocationName& name = owner_.name_of_frame(index_);
  return if_any(fact == Fact::sym ? name.sym : name.dso);
}

bool PerfSample::may_ask_for_names() {
  asked_for_names_ = true;
  return stage_ == Stage::late;
}

const std::vector<PerfSample::Frame>& PerfSample::frames() {
  if (has_frames_) return frames_;
  has_frames_ = true;
  frames_.clear();
  const reader::Words words = aligned_to_ip(stack_words());
  reader::for_each_part(words, recorded_.cpumode, [&](const reader::CallchainPart& part) { add_frames(part); });
  frame_names_.assign(frames_.size(), std::nullopt);
  return frames_;
}

// An early filter cannot name the functions, so its sample is seen again by the late filter.
reader::Words PerfSample::aligned_to_ip(reader::Words words) {
  const reader::CallchainPart first = reader::split_leaf(words, recorded_.cpumode).leaf;
  if (analysis::begins_at_ip(recorded_, words, first)) return words;
  const auto function_at = [&](CpuMode mode, std::uint64_t address, bool return_address) {
    return may_ask_for_names() ? function(mode, address, return_address) : analysis::FunctionAt{};
  };
  const auto place_of = [&](const analysis::FirstFrames& frames) { return analysis::leaf_place(frames, function_at); };
  analysis::apply(analysis::align_leaf(recorded_, words, first, place_of), recorded_.ip, words, aligned_);
  return aligned_;
}

analysis::FunctionAt PerfSample::function(CpuMode mode, std::uint64_t address, bool return_address) {
  analysis::FunctionAt function;
  if (mode != CpuMode::kernel && mode != CpuMode::user) return function;
  perf_.resolve(context_, call_site(address, return_address), [&](const AddressLocation& found) {
    if ((found.is_kernel_ip != 0) != (mode == CpuMode::kernel)) return;
    const auto binary = reinterpret_cast<std::uintptr_t>(texts_.of(found.dso).data());
    function = {.number = binary, .named = found.sym != nullptr};
    if (!function.named) return;
    function.number = mix(binary, found.sym_start ^ odd_1);
    function.at_start = !return_address && found.addr == found.sym_start;
  });
  return function;
}

void PerfSample::add_frames(const reader::CallchainPart& part) {
  bool return_address = !part.starts_a_call;
  for (const std::uint64_t ip : part.addresses) {
    frames_.push_back({.mode = part.mode,
                       .ip = ip,
                       .return_address = return_address,
                       .guessed = part.note == reader::callchain_note::guessed});
    return_address = true;
  }
}

reader::Words PerfSample::stack_words() {
  cut_ = false;
  truncated_ = reader::is_truncated(recorded_);
  if (reader::has_branch_calls(recorded_)) {
    return reader::join_branch_calls(recorded_, joined_) ? joined_ : recorded_.callchain;
  }
  if (!recorded_.has(bit::stack_user) || !unwind()) return recorded_.callchain;
  cut_ = truncated_ = reader::is_noted_truncated(unwinder_->words());
  return unwinder_->words();
}

bool PerfSample::unwind() {
  if (unwinder_ == nullptr) unwinder_ = std::make_unique<PerfUnwinder>(perf_, texts_);
  const PerfUnwinder::Outcome outcome = unwinder_->unwind(*shown_, *recorded_.event, context_);
  if (outcome == PerfUnwinder::Outcome::not_seen && !unseen_stack_noticed_) {
    unseen_stack_noticed_ = true;
    notice(
        "perf gives dlfilters only the kernel part of stacks of --call-graph dwarf; perfsift itself reads the whole "
        "stacks");
  }
  return outcome == PerfUnwinder::Outcome::unwound;
}

const LocationName& PerfSample::name_of_frame(std::size_t index) {
  const Frame frame = frames()[index];
  std::optional<LocationName>& name = frame_names_[index];
  if (!name) name = resolve(call_site(frame.ip, frame.return_address), frame.mode);
  return *name;
}

const AddressLocation* PerfSample::location() { return perf_.resolve_ip(context_); }

const LocationName& PerfSample::name() {
  if (!name_) {
    const AddressLocation* const found = location();
    name_ = found != nullptr ? kept(*found) : LocationName{};
  }
  return *name_;
}

// The mode of the code says nothing about data: the kernel reads memory of the user, too.
const LocationName& PerfSample::data_name() {
  if (!data_name_) data_name_ = resolve(recorded_.addr, std::nullopt);
  return *data_name_;
}

std::string_view PerfSample::comm() {
  const AddressLocation* const found = location();
  return found != nullptr ? texts_.of(found->comm) : std::string_view();
}

// perf looks an address up in the sample's mode, and in the other half of memory if nothing is mapped there
// (thread__find_symbol_fb()). Frames have the mode of their callchain, and no other.
LocationName PerfSample::resolve(std::uint64_t address, std::optional<CpuMode> mode) {
  LocationName name;
  if (mode && *mode != CpuMode::kernel && *mode != CpuMode::user) return name;
  perf_.resolve(context_, address, [&](const AddressLocation& found) {
    const bool other_half = mode && (found.is_kernel_ip != 0) != (*mode == CpuMode::kernel);
    if (!other_half) name = kept(found);
  });
  return name;
}

// symoff of a symbol that does not cover the address is not the distance from its start (al_to_d_al()).
LocationName PerfSample::kept(const AddressLocation& location) {
  return {.sym = plain_name(texts_.of(location.sym)),
          .dso = texts_.of(location.dso),
          .symoff = location.addr - location.sym_start,
          .kernel = location.is_kernel_ip != 0};
}

// perf's names have parameters since about 6.12; names in expressions have none. Names of PLT entries have the
// parameters before "@plt".
std::string_view PerfSample::plain_name(std::string_view name) {
  if (name.find('(') == std::string_view::npos) return name;
  const auto [known, is_new] = plain_names_.try_emplace(name.data());
  if (!is_new) return known->second;
  constexpr std::string_view plt = "@plt";
  if (name.ends_with(plt)) {
    const std::string_view called = symbolize::plain_name(name.substr(0, name.size() - plt.size()));
    known->second = texts_.of(std::string(called).append(plt).c_str());
  } else {
    known->second = symbolize::plain_name(name);
  }
  return known->second;
}

PerfSample::SourceLine PerfSample::source_line() {
  const AddressLocation* const found = location();
  if (found == nullptr || found->dso == nullptr) return {};
  const auto [known, is_new] = source_lines_.try_emplace({texts_.of(found->dso).data(), found->addr});
  if (is_new) {
    std::uint32_t line = 0;
    const std::string_view file = texts_.of(perf_.srcline(context_, line));
    known->second = {.file = file, .line = line};
  }
  return known->second;
}

}  // namespace perfsift::dlfilter
