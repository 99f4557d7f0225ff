#include "dlfilters/host/answers.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include <sys/utsname.h>

namespace perfsift::dlfilter {
namespace {

using reader::CpuMode;

bool is_x86(std::string_view architecture) {
  return architecture == "x86_64" || architecture == "i386" || architecture == "i686";
}

// A stream does not name its machine; perf then takes the stream for one of this machine.
bool recorded_on_x86(const reader::Recording& recording) {
  if (const std::string& recorded = recording.features().arch; !recorded.empty()) return is_x86(recorded);
  utsname here{};
  return uname(&here) == 0 && is_x86(here.machine);
}

// The bytes of the file from the address on, at most up to the end of the mapping and of the file.
Bytes code_at(const MappedAddress& place, std::uint64_t address, std::size_t size) {
  if (place.binary == nullptr || place.offset >= place.binary->code.size()) return {};
  const std::uint64_t in_mapping = place.mapping_end - address;
  const std::uint64_t in_file = place.binary->code.size() - place.offset;
  return place.binary->code.subspan(place.offset, std::min({std::uint64_t{size}, in_mapping, in_file}));
}

}  // namespace

Answers::Answers(const reader::Recording& recording, Locations& locations, ApiVersion api, Filtered filtered)
    : recording_(recording), locations_(locations), api_(api), filtered_(std::move(filtered)) {}

void Answers::begin(const reader::Sample& sample) {
  sample_ = &sample;
  thread_.reset();
  ip_place_.reset();
  ip_.reset();
  addr_.reset();
}

const Locations::Thread& Answers::thread() {
  if (!thread_) thread_ = locations_.thread(sample_->pid, sample_->tid, sample_->moment);
  return *thread_;
}

const MappedAddress& Answers::ip_place() {
  if (!ip_place_) ip_place_ = locations_.find(thread().state, sample_->cpumode, sample_->ip);
  return *ip_place_;
}

AddressLocation Answers::describe_place(const MappedAddress& place, std::uint64_t address) const {
  AddressLocation location{};
  location.size = location_size();
  describe(place, address, location);
  return location;
}

// The rules of machine__resolve() and thread__find_map() in tools/perf/util/event.c. perf shows samples of guests only
// with options that say where their symbols are. Samples dropped by CPU or by time have no mark.
std::uint8_t Answers::filtered() const {
  const std::uint8_t by_options = filtered_ ? filtered_(*sample_) : std::uint8_t{0};
  return reader::is_guest(sample_->cpumode) ? by_options | filtered_by::guest : by_options;
}

const AddressLocation* Answers::ip() {
  if (!ip_) {
    ip_ = describe_place(ip_place(), sample_->ip);
    ip_->comm = thread().comm;
    ip_->filtered = filtered();
  }
  return &*ip_;
}

const AddressLocation* Answers::addr() {
  if (!sample_->has(reader::sample_bit::addr) || !reader::addr_has_symbol(sample_->event->attr)) return nullptr;
  if (!addr_) addr_ = address(sample_->addr);
  return &*addr_;
}

AddressLocation Answers::address(std::uint64_t address) {
  return describe_place(locations_.find_in_any_mode(thread().state, sample_->cpumode, address), address);
}

// script_fetch_insn(): the address alone decides between kernel and user. There are bytes only for binaries with
// symbols, and a file of another build has none.
Bytes Answers::instruction() {
  if (sample_->ip == 0 || !recorded_on_x86(recording_)) return {};
  const CpuMode mode = reader::is_kernel_address(sample_->ip) ? CpuMode::kernel : CpuMode::user;
  const MappedAddress place = locations_.find(thread().state, mode, sample_->ip);
  if (place.binary == nullptr || place.binary->symbols->symbols().empty()) return {};
  const Bytes code = code_at(place, sample_->ip, longest_instruction);
  return code.first(x86_instruction_length(code, place.binary->is_64_bit));
}

const char* Answers::source_line(std::uint32_t& line) {
  line = 0;
  const MappedAddress& place = ip_place();
  if (place.binary == nullptr) return nullptr;
  std::vector<symbolize::SourceFrame> frames;
  place.binary->symbols->append_source_frames(place.offset, frames);
  if (frames.empty() || frames.front().place.file.empty()) return nullptr;
  line = frames.front().place.line;
  return locations_.intern(frames.front().place.file);
}

const KernelAttr& Answers::attr() {
  const auto [found, is_new] = attrs_.try_emplace(sample_->event);
  if (is_new) found->second = kernel_attr(sample_->event->attr);
  return found->second;
}

std::optional<std::size_t> Answers::code(std::uint64_t address, std::span<std::byte> into) {
  const MappedAddress place = locations_.find_in_any_mode(thread().state, sample_->cpumode, address);
  // An address beyond the end of the file (memory that the program fills itself) is an error; an address at the end has
  // no bytes (data_read_write_offset() in tools/perf/util/dso.c).
  if (place.binary == nullptr || place.binary->code.empty() || place.offset > place.binary->code.size()) {
    return std::nullopt;
  }
  const Bytes code = code_at(place, address, into.size());
  if (!code.empty()) std::memcpy(into.data(), code.data(), code.size());
  return code.size();
}

}  // namespace perfsift::dlfilter
