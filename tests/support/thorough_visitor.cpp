#include "tests/support/thorough_visitor.h"

#include <string>

#include "reader/callchain.h"
#include "reader/records/auxtrace.h"
#include "reader/records/callchain_deferred.h"
#include "reader/records/compressed.h"
#include "reader/records/header_records.h"
#include "reader/records/kernel_code.h"
#include "reader/records/loss.h"
#include "reader/records/mmap.h"
#include "reader/records/process.h"
#include "reader/records/schedstat.h"
#include "reader/records/stat.h"

namespace perfsift::test {
namespace {

using namespace reader;

void look_at(const Mmap& mmap, Digest& digest) { digest.text(mmap.path); }
void look_at(const Comm& comm, Digest& digest) { digest.text(comm.name); }
void look_at(const Ksymbol& symbol, Digest& digest) { digest.text(symbol.name); }
void look_at(const Cgroup& group, Digest& digest) { digest.text(group.path); }
void look_at(const EventUpdate& update, Digest& digest) { digest.text(update.text); }
void look_at(const HeaderEventType& type, Digest& digest) { digest.text(type.name); }
void look_at(const HeaderFeature& feature, Digest& digest) { digest.bytes(feature.data); }
void look_at(const AuxtraceError& error, Digest& digest) { digest.text(error.message); }
void look_at(const Compressed& compressed, Digest& digest) { digest.bytes(compressed.data); }
void look_at(const TextPoke& poke, Digest& digest) { digest.bytes(poke.before), digest.bytes(poke.after); }
void look_at(const BuildIdEntry& entry, Digest& digest) { digest.text(entry.path); }
void look_at(const ThreadMap& map, Digest& digest) {
  for (const auto& thread : map.threads) digest.text(thread.comm);
}
void look_at(const BpfMetadata& metadata, Digest& digest) {
  digest.text(metadata.program);
  for (const auto& [name, value] : metadata.entries) digest.text(name), digest.text(value);
}
// All other records are copies, so decoding them reads all of their bytes.
template <typename Decoded>
void look_at(const Decoded&, Digest&) {}

template <typename Decoded>
void look_at(const std::optional<Decoded>& decoded, Digest& digest) {
  digest.number(decoded.has_value());
  if (decoded) look_at(*decoded, digest);
}

void look_at_record(const Record& record, Digest& digest) {
  switch (record.header.type) {
    case RecordType::mmap:
      return look_at(decode_mmap(record), digest);
    case RecordType::lost:
      return look_at(decode_lost(record), digest);
    case RecordType::comm:
      return look_at(decode_comm(record), digest);
    case RecordType::exit:
    case RecordType::fork:
      return look_at(decode_task(record), digest);
    case RecordType::throttle:
    case RecordType::unthrottle:
      return look_at(decode_throttle(record), digest);
    case RecordType::read:
      return look_at(decode_read(record, read_format::group | read_format::id), digest);
    case RecordType::mmap2:
      return look_at(decode_mmap2(record), digest);
    case RecordType::aux:
      return look_at(decode_aux(record), digest);
    case RecordType::itrace_start:
      return look_at(decode_itrace_start(record), digest);
    case RecordType::lost_samples:
      return look_at(decode_lost_samples(record), digest);
    case RecordType::switch_:
    case RecordType::switch_cpu_wide:
      return look_at(decode_switch(record), digest);
    case RecordType::namespaces:
      return look_at(decode_namespaces(record), digest);
    case RecordType::ksymbol:
      return look_at(decode_ksymbol(record), digest);
    case RecordType::bpf_event:
      return look_at(decode_bpf_event(record), digest);
    case RecordType::cgroup:
      return look_at(decode_cgroup(record), digest);
    case RecordType::text_poke:
      return look_at(decode_text_poke(record), digest);
    case RecordType::aux_output_hw_id:
      return look_at(decode_aux_output_hw_id(record), digest);
    case RecordType::callchain_deferred:
      return look_at(decode_callchain_deferred(record), digest);
    case RecordType::header_attr:
      return look_at(decode_header_attr(record), digest);
    case RecordType::header_event_type:
      return look_at(decode_header_event_type(record), digest);
    case RecordType::header_tracing_data:
      return look_at(decode_header_tracing_data(record), digest);
    case RecordType::header_build_id:
      return look_at(decode_build_id(record), digest);
    case RecordType::id_index:
      return look_at(decode_id_index(record), digest);
    case RecordType::auxtrace_info:
      return look_at(decode_auxtrace_info(record), digest);
    case RecordType::auxtrace:
      return look_at(decode_auxtrace(record), digest);
    case RecordType::auxtrace_error:
      return look_at(decode_auxtrace_error(record), digest);
    case RecordType::thread_map:
      return look_at(decode_thread_map(record), digest);
    case RecordType::cpu_map:
      return look_at(decode_cpu_map(record), digest);
    case RecordType::stat_config:
      return look_at(decode_stat_config(record), digest);
    case RecordType::stat:
      return look_at(decode_stat(record), digest);
    case RecordType::stat_round:
      return look_at(decode_stat_round(record), digest);
    case RecordType::event_update:
      return look_at(decode_event_update(record), digest);
    case RecordType::time_conv:
      return look_at(decode_time_conv(record), digest);
    case RecordType::header_feature:
      return look_at(decode_header_feature(record), digest);
    case RecordType::compressed:
    case RecordType::compressed2:
      return look_at(decode_compressed(record), digest);
    case RecordType::bpf_metadata:
      return look_at(decode_bpf_metadata(record), digest);
    case RecordType::schedstat_cpu:
      return look_at(decode_schedstat_cpu(record), digest);
    case RecordType::schedstat_domain:
      return look_at(decode_schedstat_domain(record), digest);
    case RecordType::sample:
    case RecordType::finished_round:
    case RecordType::finished_init:
      return;
  }
}

void look_at_registers(const Registers& registers, Digest& digest) {
  for (unsigned number = 0; number <= 64; ++number) digest.number(registers.get(number).value_or(number));
}

void look_at_payload(const Sample& sample, Digest& digest) {
  for (const std::uint64_t value :
       {sample.ip, sample.time, sample.addr, sample.id, sample.stream_id, sample.period, sample.weight, sample.data_src,
        sample.transaction, sample.phys_addr, sample.cgroup, sample.data_page_size, sample.code_page_size}) {
    digest.number(value);
  }
  for (const ReadValue& value : sample.read) digest.number(value.value ^ value.id ^ value.lost);
  for (const BranchEntry entry : sample.branch_stack) digest.number(entry.from ^ entry.to ^ entry.flags);
  for (const std::uint64_t counter : sample.branch_counters) digest.number(counter);
  look_at_registers(sample.user_registers, digest);
  look_at_registers(sample.intr_registers, digest);
  digest.bytes(sample.raw);
  digest.bytes(sample.user_stack);
  digest.bytes(sample.aux);
  digest.bytes(sample.record);
}

void look_at_features(const Features& features, Digest& digest) {
  for (const std::uint32_t number : features.present) digest.number(number);
  for (const std::uint32_t number : features.malformed) digest.number(number);
  for (const BuildIdEntry& entry : features.build_ids) digest.text(entry.path), digest.text(entry.build_id.hex());
  for (const EventDescription& event : features.event_descriptions) digest.text(event.name);
}

}  // namespace

void Digest::text(std::string_view text) {
  number(text.size());
  for (const char c : text) number(static_cast<unsigned char>(c));
}

void Digest::bytes(Bytes bytes) {
  number(bytes.size());
  for (const std::byte byte : bytes) number(std::to_integer<std::uint64_t>(byte));
}

void ThoroughVisitor::sample(const Sample& sample) {
  Digest digest;
  look_at_payload(sample, digest);
  look_at_code(sample, digest);
  digest.text(sample.event->name);
  const TracepointFormats* formats = recording_.tracepoints();
  const auto* format = formats != nullptr ? formats->find(sample.event->tracepoint_id()) : nullptr;
  if (format != nullptr) digest.text(formats->print(*format, sample.raw));
  ++samples_;
  digest_of_samples_ += digest.value();
}

void ThoroughVisitor::look_at_code(const Sample& sample, Digest& digest) const {
  const Timeline& timeline = recording_.timeline();
  const ThreadState thread = timeline.thread(sample.pid, sample.tid, sample.moment);
  digest.text(timeline.comm(sample.tid, thread));
  digest.number(static_cast<std::uint64_t>(timeline.parent(sample.pid, sample.moment)));
  digest.text(timeline.cgroup(sample.cgroup));
  for (const NamespaceLink& link : timeline.namespaces(sample.pid, sample.moment)) digest.number(link.inode);
  for_each_frame(sample, [&](CpuMode mode, std::uint64_t ip, bool return_address) {
    const CodeAddress code = timeline.resolve(thread, mode, ip, return_address);
    digest.number(code.offset);
    if (code.binary != CodeAddress::no_binary) digest.text(timeline.binaries()[code.binary].path);
  });
}

void ThoroughVisitor::record(const Record& record, const SampleId& id, Moment moment) {
  rest_.number(static_cast<std::uint64_t>(record.header.type));
  rest_.number(id.time);
  rest_.number(moment.time);
  rest_.bytes(record.payload);
  rest_.bytes(record.trailing);
  look_at_record(record, rest_);
}

void ThoroughVisitor::look_at_the_rest() {
  look_at_features(recording_.features(), rest_);
  for (const auto& event : recording_.events()) {
    rest_.text(event->name);
    rest_.text(event->group_name);
  }
  const Timeline& timeline = recording_.timeline();
  for (const std::int32_t tid : timeline.thread_ids()) {
    const ThreadState thread = timeline.thread(-1, tid, end_of_time);
    rest_.text(timeline.comm(tid, thread));
    rest_.number(timeline.mappings(thread.maps).size());
  }
  for (const Damage& damage : recording_.stats().damage) rest_.text(damage.what), rest_.number(damage.bytes);
}

}  // namespace perfsift::test
