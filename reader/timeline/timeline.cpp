#include "reader/timeline/timeline.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <sys/mman.h>

#include "reader/records/kernel_code.h"
#include "reader/records/mmap.h"
#include "reader/records/process.h"
#include "reader/timeline/binaries.h"
#include "reader/timeline/history.h"
#include "reader/timeline/kernel_maps.h"
#include "reader/timeline/maps_tree.h"
#include "reader/timeline/names.h"
#include "reader/timeline/threads.h"
#include "reader/timeline/user_names.h"

namespace perfsift::reader {
namespace {

Mapping mapping_of(const Mmap& mmap) {
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - mmap.start;
  return {.start = mmap.start,
          .end = mmap.start + std::min(mmap.length, room),
          .page_offset = mmap.page_offset,
          .protection = mmap.protection,
          .flags = mmap.flags};
}

bool is_code(const Mmap& mmap) { return (mmap.protection & PROT_EXEC) != 0; }

// A file is mapped up to the page with its last byte. Only the first mapping of a library is longer: it reserves the
// memory of the whole library (_dl_map_segments() in glibc).
std::uint64_t least_file_size(const Mmap& mmap) {
  constexpr std::uint64_t largest_page = 65536;
  if (mmap.page_offset == 0 || !is_code(mmap)) return 0;
  const std::uint64_t before_last_page = mmap.length > largest_page ? mmap.length - largest_page : 0;
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - mmap.page_offset;
  return mmap.page_offset + std::min(before_last_page + 1, room);
}

}  // namespace

struct Timeline::State {
  explicit State(TimelineRules which) : rules(which) {}

  // Applies a record of one type to the timeline. False when the record is malformed.
  using Applier = bool (*)(State&, const Record&);
  // The one list of the record types that the timeline takes; nullptr for all others.
  static Applier applier_of(RecordType type);
  template <auto decode>
  static bool apply_decoded(State& state, const Record& record);
  template <auto decode>
  static bool apply_mapping(State& state, const Record& record);
  // Applies records that change no answer of the timeline: malformed ones are counted, too.
  template <auto decode>
  static bool check(State& state, const Record& record);

  void apply(const Mmap& mmap, CpuMode mode, Moment moment);
  void apply(const Task& fork, Moment moment);
  void apply(const Comm& comm, Moment moment);
  void apply(const Ksymbol& symbol, Moment moment);
  void apply(const Cgroup& cgroup, Moment moment);
  void apply(Namespaces decoded, Moment moment);

  void map_user(const Mmap& mmap, Moment moment);
  BinaryKind user_binary_kind(const Mmap& mmap, std::int32_t pid) const;
  bool lies_in_text(MapsVersion version, const Mapping& memory) const;
  std::uint64_t mount_namespace(std::int32_t pid, Moment moment) const;
  std::span<const NamespaceLink> namespaces_of(std::int32_t pid, Moment moment) const;

  TimelineRules rules;
  std::uint32_t hugetlb = hugetlb_flag("");
  Moment latest;
  MapsTree maps;
  Names names;
  Binaries binaries;
  Threads threads{names.intern("swapper"), rules.early_names};
  KernelMaps kernel{maps, binaries};
  std::unordered_map<std::uint64_t, std::string> cgroups;
  std::unordered_map<std::int32_t, History<std::vector<NamespaceLink>>> namespaces;  // by tid
};

Timeline::State::Applier Timeline::State::applier_of(RecordType type) {
  switch (type) {
    case RecordType::mmap:
      return apply_mapping<decode_mmap>;
    case RecordType::mmap2:
      return apply_mapping<decode_mmap2>;
    case RecordType::fork:
      return apply_decoded<decode_task>;
    case RecordType::comm:
      return apply_decoded<decode_comm>;
    case RecordType::ksymbol:
      return apply_decoded<decode_ksymbol>;
    case RecordType::namespaces:
      return apply_decoded<decode_namespaces>;
    case RecordType::cgroup:
      return apply_decoded<decode_cgroup>;
    case RecordType::exit:  // a thread stays known after its exit, for samples that come late
      return check<decode_task>;
    case RecordType::bpf_event:  // BPF programs are mapped and unmapped by their KSYMBOL records
      return check<decode_bpf_event>;
    case RecordType::text_poke:
      return check<decode_text_poke>;
    default:
      return nullptr;
  }
}

template <auto decode>
bool Timeline::State::apply_decoded(State& state, const Record& record) {
  const auto decoded = decode(record);
  if (decoded) state.apply(*decoded, state.latest);
  return decoded.has_value();
}

template <auto decode>
bool Timeline::State::apply_mapping(State& state, const Record& record) {
  const auto mmap = decode(record);
  if (mmap) state.apply(*mmap, record.cpumode(), state.latest);
  return mmap.has_value();
}

template <auto decode>
bool Timeline::State::check(State&, const Record& record) {
  return decode(record).has_value();
}

// A guest's own recording has the mappings of what runs inside the guest.
void Timeline::State::apply(const Mmap& mmap, CpuMode mode, Moment moment) {
  if (mode == CpuMode::guest_kernel || mode == CpuMode::guest_user) return;
  if (mode == CpuMode::kernel)
    kernel.map(moment, mmap.path, mapping_of(mmap), mmap.build_id);
  else
    map_user(mmap, moment);
}

BinaryKind Timeline::State::user_binary_kind(const Mmap& mmap, std::int32_t pid) const {
  if ((mmap.flags & hugetlb) != 0) return BinaryKind::anonymous;
  if (binaries.has_jit_dump(pid) && is_named_memory(mmap.path)) return BinaryKind::anonymous;
  const bool has_build_id = !mmap.build_id.empty();
  if (rules.code_without_files && is_code(mmap) && !has_build_id && is_memory_of_code(mmap.path, mmap.flags))
    return BinaryKind::anonymous;
  return user_name_kind(mmap.path);
}

std::span<const NamespaceLink> Timeline::State::namespaces_of(std::int32_t pid, Moment moment) const {
  const auto found = namespaces.find(pid);
  if (found == namespaces.end()) return {};
  const auto links = found->second.at(moment);
  return links.value != nullptr ? std::span(*links.value) : std::span<const NamespaceLink>{};
}

std::uint64_t Timeline::State::mount_namespace(std::int32_t pid, Moment moment) const {
  constexpr std::size_t mount = 5;  // MNT_NS_INDEX in include/uapi/linux/perf_event.h
  const auto links = namespaces_of(pid, moment);
  return links.size() > mount ? links[mount].inode : 0;
}

// map__new() of perf.
void Timeline::State::map_user(const Mmap& mmap, Moment moment) {
  const ThreadId thread{mmap.pid, mmap.tid};
  const std::int32_t pid = threads.process_of(moment, thread);
  Mapping mapping = mapping_of(mmap);
  Binary binary{.path = std::string(mmap.path), .build_id = mmap.build_id};
  binary.mapper = {.pid = pid, .address = mmap.start, .mount_namespace = mount_namespace(pid, moment)};
  binary.file = {.identity = mmap.file.value_or(FileIdentity()), .least_size = least_file_size(mmap)};

  if (rules.jit_dumps && is_jit_dump(mmap.path)) binaries.set_jit_dump(pid, mmap.path);
  binary.kind = user_binary_kind(mmap, pid);
  if (binary.kind == BinaryKind::vdso) mapping.page_offset = 0;
  if (binary.kind == BinaryKind::anonymous) {
    mapping.identity = true;
    // Code without a file: a just-in-time compiler may have left names in a perf map, or in a jitdump.
    if (is_code(mmap) && pid > 0) {
      binary.kind = BinaryKind::perf_map;
      binary.pid = pid;
      binary.path = "/tmp/perf-" + std::to_string(pid) + ".map";
    }
  }
  const bool last_of_exec = binary.kind == BinaryKind::vdso;
  const bool may_be_text =
      rules.code_without_files && binary.kind == BinaryKind::perf_map && !binaries.has_made_code(pid);
  threads.change_maps(moment, thread, last_of_exec, [&](MapsVersion version) {
    if (may_be_text && lies_in_text(version, mapping)) return version;
    if (mapping.binary == CodeAddress::no_binary) mapping.binary = binaries.intern(std::move(binary));
    return maps.map(version, mapping);
  });
}

// Whether the memory takes the place of code of a file. A program that moves its text to huge pages (iodlr, the
// runtimes of BOLT and Node.js) copies the text, maps anonymous memory over it, and copies it back. A process that has
// made code before may make code where a library was that it has closed since, which no record shows.
bool Timeline::State::lies_in_text(MapsVersion version, const Mapping& memory) const {
  const Mapping* const before = maps.find(version, memory.start);
  return before != nullptr && memory.end <= before->end && (before->protection & PROT_EXEC) != 0 &&
         binaries[before->binary].kind == BinaryKind::elf;
}

void Timeline::State::apply(const Task& fork, Moment moment) {
  // After the forks that perf synthesises for running threads, perf also writes all their mappings.
  threads.fork(moment, {fork.pid, fork.tid}, {fork.parent_pid, fork.parent_tid}, !fork.synthesised);
}

void Timeline::State::apply(const Comm& comm, Moment moment) {
  const ThreadId thread{comm.pid, comm.tid};
  threads.set_name(moment, thread, names.intern(comm.name));
  // The kernel makes the thread that execs the leader before it sets the new name (de_thread()).
  if (comm.exec && rules.exec_clears_maps && comm.pid == comm.tid) threads.exec(moment, thread);
}

void Timeline::State::apply(const Ksymbol& symbol, Moment moment) {
  if (symbol.unregistered)
    kernel.remove_symbol(moment, symbol.address);
  else
    kernel.add_symbol(moment, symbol.name, symbol.address, symbol.length);
}

void Timeline::State::apply(const Cgroup& cgroup, Moment) { cgroups.try_emplace(cgroup.id, cgroup.path); }

void Timeline::State::apply(Namespaces decoded, Moment moment) {
  namespaces[decoded.tid].set(moment, std::move(decoded.links));
}

Timeline::Timeline(TimelineRules rules) : state_(std::make_unique<State>(rules)) {}
Timeline::~Timeline() = default;
Timeline::Timeline(Timeline&&) noexcept = default;
Timeline& Timeline::operator=(Timeline&&) noexcept = default;

void Timeline::set_architecture(std::string_view arch) { state_->hugetlb = hugetlb_flag(arch); }

void Timeline::set_kernel(bool known, bool same) { state_->binaries.set_kernel(known, same); }

void Timeline::set_packed_files(std::shared_ptr<const PackedFiles> packed) {
  state_->binaries.set_packed_files(std::move(packed));
}

void Timeline::set_recorded_seconds(std::int64_t seconds) { state_->binaries.set_recorded_seconds(seconds); }

void Timeline::set_build_id(std::string_view path, const BuildId& id, CpuMode mode) {
  state_->binaries.set_build_id(path, id, mode);
}

bool Timeline::takes(RecordType type) { return State::applier_of(type) != nullptr; }

// A late record takes effect when it comes, as in perf.
bool Timeline::apply(const Record& record, Moment moment) {
  state_->latest = std::max(state_->latest, moment);
  const State::Applier applier = State::applier_of(record.header.type);
  return applier == nullptr || applier(*state_, record);
}

ThreadState Timeline::thread(std::int32_t pid, std::int32_t tid, Moment moment) const {
  ThreadState thread = state_->threads.at({pid, tid}, moment);
  const auto kernel = state_->kernel.at(moment);
  const Period period = Period{thread.from, thread.until} & kernel.period;
  thread.kernel_maps = kernel.value != nullptr ? *kernel.value : MapsTree::empty;
  thread.from = period.from;
  thread.until = period.until;
  return thread;
}

std::string Timeline::comm(std::int32_t tid, const ThreadState& state) const {
  if (state.comm != Names::none) return std::string(name(state.comm));
  return tid == 0 ? "swapper" : ':' + std::to_string(tid);
}

std::string_view Timeline::name(NameId id) const { return state_->names[id]; }

std::uint32_t Timeline::name_count() const { return state_->names.count(); }

const Mapping* Timeline::find(MapsVersion version, std::uint64_t address) const {
  return state_->maps.find(version, address);
}

const Mapping* Timeline::below(MapsVersion version, std::uint64_t address) const {
  return state_->maps.below(version, address);
}

const Mapping* Timeline::lowest(MapsVersion version) const { return state_->maps.lowest(version); }

std::vector<Mapping> Timeline::mappings(MapsVersion version) const { return state_->maps.list(version); }

std::span<const Binary> Timeline::binaries() const { return state_->binaries.all(); }

CodeAddress Timeline::resolve(const ThreadState& state, CpuMode mode, std::uint64_t address,
                              bool return_address) const {
  const Mapping* found = mapping(state, mode, address);
  if (found == nullptr) return {.return_address = return_address, .offset = address};
  return {.binary = found->binary, .return_address = return_address, .offset = found->to_offset(address)};
}

const Mapping* Timeline::mapping(const ThreadState& state, CpuMode mode, std::uint64_t address) const {
  switch (mode) {
    case CpuMode::user:
      return find(state.maps, address);
    case CpuMode::kernel:
    case CpuMode::hypervisor:
      return find(state.kernel_maps, address);
    case CpuMode::unknown:
    case CpuMode::guest_kernel:
    case CpuMode::guest_user:
      break;
  }
  return nullptr;
}

std::int32_t Timeline::parent(std::int32_t pid, Moment moment) const { return state_->threads.parent(pid, moment); }

std::string_view Timeline::cgroup(std::uint64_t id) const {
  const auto found = state_->cgroups.find(id);
  return found == state_->cgroups.end() ? std::string_view{} : found->second;
}

std::span<const NamespaceLink> Timeline::namespaces(std::int32_t pid, Moment moment) const {
  return state_->namespaces_of(pid, moment);
}

std::vector<std::int32_t> Timeline::thread_ids() const { return state_->threads.ids(); }

}  // namespace perfsift::reader
