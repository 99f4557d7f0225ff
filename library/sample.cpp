#include <perfsift/sample.h>

#include "analysis/samples/stack_options.h"
#include "library/sample_view.h"
#include "library/translated.h"
#include "reader/callchain.h"

namespace perfsift::v0 {
namespace detail {
namespace {

// All that decides the names of a stack: see StackNamer.
struct Owner {
  reader::NameId comm = 0;
  reader::MapsVersion maps = 0;
  reader::MapsVersion kernel_maps = 0;
  std::uint32_t code_version = 0;
};

}  // namespace

SampleView::SampleView(const RecordingState& recording, Naming& naming, std::size_t max_frames)
    : recording_(recording),
      names_(naming),
      versions_(naming.versions(), recording.recording->timeline()),
      resolved_(*recording.recording,
                {.symbolizer = &naming.symbolizer(), .code_versions = &naming.versions(), .max_frames = max_frames}) {}

void SampleView::set(const reader::Sample& sample, bool resolved) {
  if (!resolved) resolved_.set(sample);
  has_stack_ = has_callchain_ = false;
}

FieldValue SampleView::field(std::string_view name) const {
  const reader::TracepointFormats* formats = recording_.recording->tracepoints();
  const reader::TracepointFormat* format =
      formats != nullptr ? formats->find(sample().event->tracepoint_id()) : nullptr;
  const reader::TracepointField* found = format != nullptr ? format->find(name) : nullptr;
  if (found == nullptr) return {};
  if (const auto number = formats->number(*found, sample().raw)) return *number;
  return formats->text(*found, sample().raw);
}

std::span<const Frame> SampleView::stack() {
  if (!has_stack_) name_stack();
  return frames_;
}

void SampleView::name_stack() {
  const reader::ThreadState& thread = resolved_.thread();
  const reader::Words words = resolved_.stack().words();
  const Owner owner{.comm = thread.comm,
                    .maps = thread.maps,
                    .kernel_maps = thread.kernel_maps,
                    .code_version = versions_.of(thread, sample().time)};
  ids_.clear();
  reader::for_each_part(words, sample().cpumode,
                        [&](const reader::CallchainPart& part) { names_->stacks().append(owner, part, ids_); });
  if (reader::is_noted_truncated(words)) ids_.push_back(names_->table().intern("[truncated]"));
  frames_.clear();
  for (const analysis::FrameId id : ids_) frames_.push_back(names_->frame(id));
  has_stack_ = true;
}

std::span<const Address> SampleView::callchain() {
  if (!has_callchain_) {
    addresses_.clear();
    reader::for_each_frame(
        resolved_.stack().words(), sample().cpumode, [&](reader::CpuMode mode, std::uint64_t ip, bool return_address) {
          addresses_.push_back({.ip = ip, .mode = static_cast<CpuMode>(mode), .return_address = return_address});
        });
    has_callchain_ = true;
  }
  return addresses_;
}

}  // namespace detail

namespace bit = reader::sample_bit;

namespace {

std::optional<std::uint64_t> if_recorded(const reader::Sample& sample, std::uint64_t bits, std::uint64_t value) {
  return sample.knows(bits) ? std::optional(value) : std::nullopt;
}

}  // namespace

const Event& Sample::event() const noexcept { return view_->event(); }
std::optional<std::uint64_t> Sample::time() const noexcept {
  return if_recorded(view_->sample(), bit::time, view_->sample().time);
}
std::int32_t Sample::pid() const noexcept { return view_->sample().pid; }
std::int32_t Sample::tid() const noexcept { return view_->sample().tid; }
std::int32_t Sample::cpu() const noexcept { return view_->sample().cpu; }
std::string_view Sample::comm() const {
  return detail::translated([&] { return view_->comm(); });
}
std::optional<std::uint64_t> Sample::ip() const noexcept {
  return if_recorded(view_->sample(), bit::ip, view_->sample().ip);
}
CpuMode Sample::mode() const noexcept { return static_cast<CpuMode>(view_->sample().cpumode); }
std::uint64_t Sample::weight() const noexcept { return analysis::weight_of(view_->sample(), analysis::Weight::period); }
std::uint64_t Sample::period() const noexcept { return view_->sample().period; }
std::optional<std::uint64_t> Sample::addr() const noexcept {
  return if_recorded(view_->sample(), bit::addr, view_->sample().addr);
}
std::optional<std::uint64_t> Sample::latency() const noexcept {
  return if_recorded(view_->sample(), bit::weight | bit::weight_struct, view_->sample().weight);
}
std::optional<std::uint64_t> Sample::data_source() const noexcept {
  return if_recorded(view_->sample(), bit::data_src, view_->sample().data_src);
}
std::optional<std::uint64_t> Sample::physical_address() const noexcept {
  return if_recorded(view_->sample(), bit::phys_addr, view_->sample().phys_addr);
}
std::optional<std::uint64_t> Sample::instruction_latency() const noexcept {
  return if_recorded(view_->sample(), bit::weight_struct, view_->sample().instruction_latency);
}
std::optional<std::uint64_t> Sample::data_page_size() const noexcept {
  return if_recorded(view_->sample(), bit::data_page_size, view_->sample().data_page_size);
}
std::optional<std::uint64_t> Sample::cgroup() const noexcept {
  return if_recorded(view_->sample(), bit::cgroup, view_->sample().cgroup);
}
std::span<const std::byte> Sample::raw() const noexcept { return view_->sample().raw; }
FieldValue Sample::field(std::string_view name) const {
  return detail::translated([&] { return view_->field(name); });
}
std::span<const Frame> Sample::stack() const {
  return detail::translated([&] { return view_->stack(); });
}
std::span<const Address> Sample::callchain() const {
  return detail::translated([&] { return view_->callchain(); });
}
bool Sample::is_truncated() const {
  return detail::translated([&] { return view_->is_truncated(); });
}

}  // namespace perfsift::v0
