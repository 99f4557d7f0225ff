// The programs and the mappings of all threads over time.
//
// Built once from the side-band records (FORK, COMM, MMAP, KSYMBOL, …), in the order of their Moments. Afterwards the
// timeline never changes, so any number of threads may ask about samples in any order. A streamed recording asks while
// the timeline grows: the answers about moments up to the last applied record are final.
//
// An address space is a persistent (copy on write) balanced tree of mappings: each change makes a new version and
// leaves old versions unchanged. So a fork shares its parent's tree, a version is one number (MapsVersion), and a
// lookup of an address at a moment finds the version, then searches its tree.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/binary.h"
#include "reader/format/record.h"
#include "reader/records/process.h"

namespace perfsift::reader {

struct Mapping {
  std::uint64_t start = 0;
  std::uint64_t end = 0;                          // exclusive
  std::uint64_t page_offset = 0;                  // of `start` in the file (perf: pgoff)
  std::uint32_t binary = CodeAddress::no_binary;  // index into Timeline::binaries()
  std::uint32_t protection = 0;                   // PROT_*; MMAP records: PROT_EXEC unless they say data
  std::uint32_t flags = 0;                        // MAP_*
  bool identity = false;                          // addresses are not translated: perf's map__map_ip() is the identity

  // The offset in the binary: the value of CodeAddress::offset, which perf 6.1 prints for user frames of a callchain.
  std::uint64_t to_offset(std::uint64_t address) const { return identity ? address : address - start + page_offset; }
  bool operator==(const Mapping&) const = default;
};

// A version of an address space. 0 is the empty version. Equal numbers mean equal mappings.
using MapsVersion = std::uint32_t;
// A number for a name; 0 means that no name was recorded. Equal numbers mean equal names.
using NameId = std::uint32_t;

// The state of a thread at a moment. The state is the same for all moments in [from, until), so it may be cached.
struct ThreadState {
  std::int32_t pid = -1;  // of its process (perf: thread->pid_)
  NameId comm = 0;
  MapsVersion maps = 0;
  MapsVersion kernel_maps = 0;
  Moment from;
  Moment until = end_of_time;
};

// Decides whether to follow perf or the right rule, where the two differ.
struct TimelineRules {
  // A program starts with an empty address space after an exec. perf keeps the old program's mappings until new
  // mappings cover them.
  bool exec_clears_maps = true;
  // A thread has its first name from its first sample on, as in perf report. perf script prints ":TID" until the record
  // with the name comes.
  bool early_names = true;
  // A jitdump names the code that its process generated. perf needs `perf inject --jit` first.
  bool jit_dumps = true;
  // Code without a file of its own has names: memory that is shared under a name (memfd) those of a perf map, and text
  // that a program moved to anonymous memory, as for huge pages, those of its file. perf looks for a file of the
  // memory's name, and for a perf map of the text.
  bool code_without_files = true;
};

class Timeline {
 public:
  explicit Timeline(TimelineRules rules = {});
  ~Timeline();
  Timeline(Timeline&&) noexcept;
  Timeline& operator=(Timeline&&) noexcept;

  // --- building: in ascending order of Moments ---

  // Properties of the machine; to be set before the first record.
  void set_architecture(std::string_view arch);                      // "x86_64", "aarch64", …
  void set_kernel(bool known, bool same);                            // for Binary::kernel_known and same_kernel
  void set_recorded_seconds(std::int64_t seconds);                   // for RecordedFile::recorded_seconds
  void set_packed_files(std::shared_ptr<const PackedFiles> packed);  // for Binary::packed
  // Sets a build id of the BUILD_ID feature for all mappings of that name without a build id.
  void set_build_id(std::string_view path, const BuildId& id, CpuMode mode);

  // Whether the timeline reads records of this type: MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL, BPF_EVENT, CGROUP,
  // NAMESPACES, TEXT_POKE.
  static bool takes(RecordType type);
  // Ignores records of a type that takes() denies. False when the record is malformed; a malformed record changes
  // nothing. A record whose moment is earlier than that of a record before it takes effect at that later moment: perf
  // also applies late records when it gets them.
  bool apply(const Record& record, Moment moment);

  // --- asking: const, thread-safe once built ---
  // Pointers and spans are valid until the next apply(); views of names and cgroups as long as the Timeline. While the
  // timeline grows, `until` covers only the records applied so far.

  // `pid` is used only for an unknown tid, which then belongs to that process (machine__findnew_thread()).
  ThreadState thread(std::int32_t pid, std::int32_t tid, Moment moment) const;
  // The name that perf prints: ":TID" where no name was recorded, "swapper" for tid 0.
  std::string comm(std::int32_t tid, const ThreadState& state) const;
  std::string_view name(NameId id) const;
  std::uint32_t name_count() const;

  const Mapping* find(MapsVersion version, std::uint64_t address) const;
  // The nearest mapping that starts below an address, and the lowest one. nullptr: there is none.
  const Mapping* below(MapsVersion version, std::uint64_t address) const;
  const Mapping* lowest(MapsVersion version) const;
  // Every mapping of a version, in ascending order.
  std::vector<Mapping> mappings(MapsVersion version) const;
  std::span<const Binary> binaries() const;

  // The place of an ip of a sample or callchain. Kernel and hypervisor modes use the kernel maps, user mode uses the
  // thread's maps; other modes have no maps. `return_address` is copied to the result.
  CodeAddress resolve(const ThreadState& state, CpuMode mode, std::uint64_t address, bool return_address) const;
  const Mapping* mapping(const ThreadState& state, CpuMode mode, std::uint64_t address) const;

  std::int32_t parent(std::int32_t pid, Moment moment) const;  // -1: unknown
  std::string_view cgroup(std::uint64_t id) const;             // empty: unknown
  // The namespaces of the main thread; other threads may have entered namespaces of their own (setns()).
  std::span<const NamespaceLink> namespaces(std::int32_t pid, Moment moment) const;
  // All threads that records name, and the main threads of their processes, in ascending order: for `info`.
  std::vector<std::int32_t> thread_ids() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::reader
