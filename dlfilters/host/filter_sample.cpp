#include "dlfilters/host/filter_sample.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>

#include <sys/mman.h>

#include "base/page_size.h"

namespace perfsift::dlfilter {
namespace {

namespace bit = reader::sample_bit;
namespace read_format = reader::read_format;

constexpr std::size_t word = sizeof(std::uint64_t);

bool has_its_callchain(const reader::Sample& sample) {
  const auto* const begin = reinterpret_cast<const std::byte*>(sample.callchain.data());
  const auto* const record = sample.record.data();
  return std::greater_equal{}(begin, record) && std::less_equal{}(begin, record + sample.record.size());
}

RecordParts parts_in_place(const reader::Sample& sample) {
  return {.callchain =
              has_its_callchain(sample) ? reinterpret_cast<const std::uint64_t*>(sample.callchain.data()) : nullptr,
          .branches = reinterpret_cast<const Branch*>(sample.branch_stack.data()),
          .raw = sample.raw.data()};
}

// Words of PERF_SAMPLE_READ: perf_output_read() in the kernel.
std::size_t words_of_read(const reader::Sample& sample) {
  const std::uint64_t format = sample.event->attr.read_format;
  const auto has = [&](std::uint64_t part) { return (format & part) != 0 ? std::size_t{1} : 0; };
  const std::size_t times = has(read_format::total_time_enabled) + has(read_format::total_time_running);
  const std::size_t member = 1 + has(read_format::id) + has(read_format::lost);
  return has(read_format::group) + times + member * sample.read.size();
}

std::uint64_t default_data_source(ApiVersion api) {
  return api == ApiVersion::v2 ? Sample::no_data_source_6_12 : Sample::no_data_source_6_1;
}

}  // namespace

RecordParts RecordCopy::make(const reader::Sample& sample) {
  swap_words(sample.record);
  RecordParts parts;
  std::size_t at = begin_of_callchain(sample);
  if (sample.has_callchain) {
    if (words_[at] == sample.callchain.size()) parts.callchain = &words_[at + 1];
    at += 1 + words_[at];
  }
  if (sample.has(bit::raw)) {
    const std::size_t size = sizeof(std::uint32_t) + sample.raw.size();
    auto* const raw = reinterpret_cast<std::byte*>(&words_[at]);
    std::memcpy(raw, sample.record.data() + at * word, size);
    parts.raw = raw + sizeof(std::uint32_t);
    at += (size + word - 1) / word;
  }
  if (sample.has_branch_stack) {
    at += (sample.event->attr.branch_sample_type & reader::branch_sample::hw_index) != 0 ? 2 : 1;
    parts.branches = reinterpret_cast<const Branch*>(words_.data() + at);
    for (const reader::BranchEntry branch : sample.branch_stack) words_[at + 2] = branch.flags, at += 3;
  }
  return parts;
}

// The copy has one word more than the record, so that a pointer to the end of the record is valid.
void RecordCopy::swap_words(Bytes record) {
  words_.assign(record.size() / word + 1, 0);
  std::memcpy(words_.data(), record.data(), record.size() / word * word);
  std::ranges::for_each(words_, [](std::uint64_t& value) { value = byte_swap(value); });
}

std::size_t RecordCopy::begin_of_callchain(const reader::Sample& sample) const {
  std::size_t at = 0;
  for (const std::uint64_t field :
       {bit::identifier, bit::ip, bit::tid, bit::time, bit::addr, bit::id, bit::stream_id, bit::cpu, bit::period}) {
    if (sample.has(field)) ++at;
  }
  return sample.has(bit::read) ? at + words_of_read(sample) : at;
}

GuardedSample::GuardedSample(std::uint32_t size) : size_(size) {
  const std::size_t page = page_size();
  pages_ = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages_ == MAP_FAILED) throw std::bad_alloc();
  auto* const behind = static_cast<std::byte*>(pages_) + page;
  mprotect(behind, page, PROT_NONE);
  place_ = behind - size_;
}

GuardedSample::~GuardedSample() { munmap(pages_, 2 * page_size()); }

const Sample& GuardedSample::take(const Sample& sample) {
  std::memcpy(place_, &sample, size_);
  std::memcpy(place_ + offsetof(Sample, size), &size_, sizeof size_);
  return *reinterpret_cast<const Sample*>(place_);
}

FilterSample::FilterSample(ApiVersion api, ByteOrder order) : api_(api), order_(order) {
  if (api_ == ApiVersion::v0) guarded_ = std::make_unique<GuardedSample>(Sample::size_v0);
}

// In front of any callchain stands its length (struct ip_callchain in tools/perf/util/event.h).
RecordParts FilterSample::parts_of(const reader::Sample& sample) {
  RecordParts parts = order_ == ByteOrder::native ? parts_in_place(sample) : copy_.make(sample);
  if (sample.has_callchain && parts.callchain == nullptr) {  // joined from two records
    joined_.assign(1, sample.callchain.size());
    joined_.insert(joined_.end(), sample.callchain.begin(), sample.callchain.end());
    parts.callchain = joined_.data() + 1;
  }
  return parts;
}

// dlfilter__do_filter_event() in tools/perf/util/dlfilter.c. Fields that were not recorded have the reader's defaults,
// which are perf's.
const Sample& FilterSample::make(const reader::Sample& sample) {
  const RecordParts parts = parts_of(sample);
  // perf 6.1 knows the third part of the weight on POWER only.
  const bool has_stage = api_ == ApiVersion::v2;
  const auto& attr = sample.event->attr;
  made_ = {
      .size = sizeof(Sample),
      .ins_lat = sample.instruction_latency,
      .p_stage_cyc = has_stage ? sample.pipeline_stage_cycles : std::uint16_t{0},
      .ip = sample.ip,
      .pid = sample.pid,
      .tid = sample.tid,
      .time = sample.time,
      .addr = sample.addr,
      .id = sample.id,
      .stream_id = sample.stream_id,
      .period = sample.period,
      .weight = sample.weight,
      .transaction = sample.transaction,
      .insn_cnt = 0,
      .cyc_cnt = 0,
      .cpu = sample.cpu,
      .flags = 0,
      .data_src = sample.knows(bit::data_src) ? sample.data_src : default_data_source(api_),
      .phys_addr = sample.phys_addr,
      .data_page_size = sample.data_page_size,
      .code_page_size = sample.code_page_size,
      .cgroup = sample.cgroup,
      .cpumode = static_cast<std::uint8_t>(sample.misc & reader::misc::cpumode_mask),
      .addr_correlates_sym = sample.has(bit::addr) && reader::addr_has_symbol(attr) ? std::uint8_t{1} : std::uint8_t{0},
      .misc = sample.misc,
      .raw_size = static_cast<std::uint32_t>(sample.raw.size()),
      .raw_data = parts.raw,
      .brstack_nr = sample.branch_stack.size(),
      .brstack = parts.branches,
      .raw_callchain_nr = sample.callchain.size(),
      .raw_callchain = parts.callchain,
      .event = sample.event->name.c_str(),
      .machine_pid = 0,
      .vcpu = -1};
  return guarded_ ? guarded_->take(made_) : made_;
}

}  // namespace perfsift::dlfilter
